"""Footnotes: references and definitions that belong together become Markdown footnotes.

A page shows them in many ways. A reference is a link that says what it is (`epub:type="noteref"`), or one that is named
like a reference or raised; a definition is the element that it leads to, if the reference says what it is, or the
element does. In a book, it may be in another document, and the same number refers to other notes in every chapter,
so that labels are made for all documents together.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final, NamedTuple
from urllib.parse import unquote

from crosshead.formats.markup.html.page.state import HtmlPage
from crosshead.formats.markup.html.tokens import attribute, attributes, classes, find_end, replace_entities
from crosshead.formats.shared import gfm

MAX_LABEL_TAGS = 20
_HINTS = ("noteref", "footnote-ref")
_TARGET_HINT = re.compile("#(?:fn|ftn|footnote|endnote|cite_note)")
"""A page without any of these has no footnotes."""
_DEFINITION = re.compile(r'<(?:li|div|aside|p|section|dd|dt) ([^>]*id="[^>]*)>')
_DEFINITION_NAME = re.compile(r"footnote|endnote|rearnote|cite_note|(?:^|\s)fn|(?:^|\s)ftn")
_REFERENCE = re.compile(r'<a ([^>]*href="([^"#]*#[^"]*)"[^>]*)>(.*?)</a>', re.S)
_REFERENCE_NAME = re.compile(r"footnote|noteref|endnote|(?:^|\s)(?:fn-?ref|cite_ref|reference)")
_CERTAIN_REFERENCES = frozenset(("noteref", "doc-noteref"))
_NAMES = ("id", "class", "role", "epub:type", "rel")
"""Attributes that give the role of an element."""
_LABEL = re.compile(r"[\[(]?\s*([\w*†‡§-]{1,20})\s*[\])]?\.?\Z")
_TAGS = re.compile("<[^>]*>")
_WORD = re.compile(r"[^\W_]")
_HOLDERS = frozenset(("li", "div", "aside", "p", "section", "dd", "dt"))
_AGAIN: Final = "-"
"""Stands between a label that another note has already, and what makes it different."""


class _Place(NamedTuple):
    """An element that a link can lead to."""

    page: str
    id: str


def find_notes(html: str) -> dict[str, str]:
    """Return the labels of the footnotes of a page by the targets of links and the ids of their elements."""
    return find_book_notes({"": html})[""]


def find_book_notes(pages: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return the labels of the footnotes for each of several pages that refer to one another by their names."""
    found: dict[str, dict[str, str]] = {name: {} for name in pages}
    referring = [name for name, html in pages.items() if _has_references(html)]
    named = dict(_definitions(pages)) if referring else {}
    ids = {place.id for place in named}
    labels: dict[_Place, str] = {}
    taken: set[str] = set()
    for name in referring if named else ():
        for reference in _REFERENCE.finditer(pages[name]):
            target = replace_entities(reference[2])
            if target.partition("#")[2] not in ids:
                continue
            place = _resolve(name, target)
            if place not in labels and _is_reference(pages[name], reference, place, named):
                labels[place] = _label(replace_entities(_TAGS.sub("", reference[3])).strip(), taken)
                taken.add(labels[place])
                found[place.page][place.id] = labels[place]
            if place in labels:
                found[name][target.removeprefix("#")] = labels[place]
    return found


def _has_references(html: str) -> bool:
    return any(hint in html for hint in _HINTS) or _TARGET_HINT.search(html) is not None


def _definitions(pages: Mapping[str, str]) -> Iterator[tuple[_Place, bool]]:
    """Yield the elements that a note may be, and whether they say that they are one."""
    for name, html in pages.items():
        for given in _DEFINITION.findall(html):
            named = any(map(_DEFINITION_NAME.search, _names(given))) or attribute(f" {given}", "class")[:5] == "label"
            yield _Place(name, attribute(f" {given}", "id")), named


def _is_reference(html: str, reference: re.Match[str], place: _Place, named: Mapping[_Place, bool]) -> bool:
    given, _, content = reference.groups()
    if place not in named:
        return False
    if not _CERTAIN_REFERENCES.isdisjoint(" ".join(_names(given)).split()):
        return True
    is_named = any(map(_REFERENCE_NAME.search, _names(given)))
    is_short = "<sup" in content or is_named or _is_raised(html, reference.start())
    return named[place] and bool(is_short)


def _names(given: str) -> list[str]:
    """Return the names in attributes."""
    found = attributes(f" {given}")
    return [found[name] for name in _NAMES if name in found]


def _resolve(page: str, target: str) -> _Place:
    path, _, id = target.partition("#")
    if not path:
        return _Place(page, id)
    return _Place(posixpath.normpath(posixpath.join("/", posixpath.dirname(page), unquote(path))).lstrip("/"), id)


def write_note_link(page: HtmlPage, target: str, at: int) -> int | None:
    """Write a reference to a footnote; inside a footnote, leave out the backlink."""
    if target in page.notes:
        page.line.append(f"[^{page.notes[target]}]")
        return find_end(page.tokens.tags, at)
    if not page.note_label:
        return None
    end = find_end(page.tokens.tags, at, limit=MAX_LABEL_TAGS)
    text = replace_entities("".join(page.tokens.raws[at:end])).strip() if end > 0 else ""
    found = _LABEL.match(text)
    is_back = found[1] in (page.note_label, page.note_label.partition(_AGAIN)[0]) if found else not _WORD.search(text)
    return end if text and is_back else None


def open_note(page: HtmlPage, name: str, tag: str, at: int) -> int | None:
    """Begin a footnote if this element is one; return the last tag dealt with."""
    label = page.notes.get(attribute(tag, "id")) if name in _HOLDERS else None
    if label is None or label in page.written_notes:
        return None
    page.end_heading()
    page.open_sheet()
    page.written_notes.add(label)
    outer, page.note_label = page.note_label, label
    tags = page.tokens.tags
    start, end = at, find_end(tags, at)
    if name == "dt":
        start, end = end, find_end(tags, min(end + 1, len(tags) - 1))
    page.exits[end] = partial(_close_note, page, label, outer)
    return start


def is_note_label(page: HtmlPage, tag: str) -> bool:
    """Return whether this is the label of a footnote inside it, or a bracket around it."""
    names = classes(tag)
    return "fn-bracket" in names or (page.note_label != "" and names == ["label"])


def _close_note(page: HtmlPage, label: str, outer: str) -> bool:
    page.end_heading()
    page.note_label = outer
    text = page.close_sheet().text()
    if text:
        page.sheet.write(gfm.footnote(label, text))
    return True


def _is_raised(html: str, place: int) -> bool:
    return html.startswith("<sup", html.rfind("<", 0, place))


def _label(text: str, taken: set[str]) -> str:
    found = _LABEL.match(text)
    label = found[1] if found else str(len(taken) + 1)
    return label if label not in taken else f"{label}{_AGAIN}{len(taken) + 1}"
