"""Footnotes: references and definitions that belong together become Markdown footnotes.

A page shows them in many ways. A reference is a link inside the page that says what it is, or a short raised one; a
definition is the element that it leads to, if that element or what is around it speaks of notes.
"""

from __future__ import annotations

import re
from functools import partial

from crosshead.extract.readers.html.page import Page
from crosshead.extract.readers.html.tokens import attribute, find_end, replace_entities
from crosshead.extract.shared import gfm

MAX_LABEL_TAGS = 20
_HINTS = ("noteref", "footnote-ref")
_TARGET_HINT = re.compile('"#(?:fn|ftn|footnote|endnote|cite_note)')
"""A page without any of these has no footnotes."""
_DEFINITION = re.compile(r'<(?:li|div|aside|p|section|dd|dt) ([^>]*id="[^>]*)>')
_DEFINITION_NAME = re.compile(r'footnote|endnote|cite_note|[" ]fn|[" ]ftn|class="label')
_REFERENCE = re.compile(r'<a ([^>]*href="#([^"]*)"[^>]*)>(.*?)</a>', re.S)
_REFERENCE_NAME = re.compile(r'footnote|noteref|endnote|(?:class|id)="(?:[^"]* )?(?:fn-?ref|cite_ref|reference)')
_LABEL = re.compile(r"[\[(]?\s*([\w*†‡§-]{1,20})\s*[\])]?\.?\Z")
_TAGS = re.compile("<[^>]*>")
_HOLDERS = frozenset(("li", "div", "aside", "p", "section", "dd", "dt"))


def find_notes(html: str) -> dict[str, str]:
    """Return the labels of the footnotes by the ids of their elements."""
    if not any(hint in html for hint in _HINTS) and not _TARGET_HINT.search(html):
        return {}
    definitions = {
        attribute(f" {given}", "id") for given in _DEFINITION.findall(html) if _DEFINITION_NAME.search(given)
    }
    labels: dict[str, str] = {}
    taken: set[str] = set()
    for found in _REFERENCE.finditer(html) if definitions else ():
        given, target, content = found.groups()
        if target not in definitions or target in labels:
            continue
        if "<sup" in content or _REFERENCE_NAME.search(given) or _is_raised(html, found.start()):
            labels[target] = _label(replace_entities(_TAGS.sub("", content)).strip(), taken)
            taken.add(labels[target])
    return labels


def write_note_link(page: Page, target: str, at: int) -> int | None:
    """Write a reference to a footnote; inside of a footnote, leave out the link back to where it is referred to."""
    if target in page.notes:
        page.line.append(f"[^{page.notes[target]}]")
        return find_end(page.tokens.tags, at)
    if not page.note_label:
        return None
    end = find_end(page.tokens.tags, at, limit=MAX_LABEL_TAGS)
    found = _LABEL.match(replace_entities("".join(page.tokens.raws[at:end])).strip()) if end > 0 else None
    return end if found and found[1] == page.note_label else None


def open_note(page: Page, name: str, tag: str, at: int) -> int | None:
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


def is_note_label(page: Page, tag: str) -> bool:
    """Is this the label of a footnote inside of it, or a bracket around it?"""
    return "fn-bracket" in tag or (page.note_label != "" and 'class="label"' in tag)


def _close_note(page: Page, label: str, outer: str) -> bool:
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
    return label if label not in taken else f"{label}-{len(taken) + 1}"
