"""Footnotes: references and definitions that belong together become Markdown footnotes.

A page shows them in many ways. A reference is a link inside the page that says what it is, or a short raised one; a
definition is the element that it leads to, if that element or what is around it speaks of notes.
"""

from __future__ import annotations

import re
from functools import partial

from crosshead.extract import gfm
from crosshead.extract.html.page import Page
from crosshead.extract.html.tokens import Tokens, attribute, find_end, name_of

_HINTS = ("footnote", "endnote", "doc-noteref", "cite_note", "fnref")
_REFERENCE = re.compile(r'footnote|noteref|endnote|(?:class|id)="(?:[^"]* )?(?:fn-?ref|cite_ref|reference)')
_DEFINITION = re.compile(r'footnote|endnote|(?:^|[" ])fn[-:]?|cite_note')
_LABEL = re.compile(r"[\[(]?\s*([\w*†‡§-]{1,20})\s*[\])]?\.?\Z")
_HOLDERS = frozenset(("li", "div", "aside", "p", "section", "dd"))


def find_notes(html: str, tokens: Tokens) -> dict[str, str]:
    """Return the labels of the footnotes by the ids of their elements."""
    if not any(hint in html for hint in _HINTS):
        return {}
    definitions = _find_definitions(tokens)
    if not definitions:
        return {}
    labels: dict[str, str] = {}
    for at, tag in enumerate(tokens.tags):
        if tag.startswith("a ") and ' href="#' in tag:
            target = attribute(tag, "href")[1:]
            if target in definitions and target not in labels and _is_reference(tokens, tag, at):
                labels[target] = _label(tokens, at, taken=labels)
    return labels


def open_note(page: Page, name: str, tag: str, at: int) -> bool:
    """Begin a footnote if this element is one."""
    label = page.notes.get(attribute(tag, "id")) if name in _HOLDERS else None
    if label is None or label in page.written_notes:
        return False
    page.end_heading()
    page.open_sheet()
    page.written_notes.add(label)
    page.exits[find_end(page.tokens.tags, at)] = partial(_close_note, page, label)
    return True


def _close_note(page: Page, label: str) -> bool:
    page.end_heading()
    text = page.close_sheet().text()
    if text:
        page.sheet.write(gfm.footnote(label, text))
    return True


def _find_definitions(tokens: Tokens) -> set[str]:
    return {
        attribute(tag, "id")
        for tag in tokens.tags
        if ' id="' in tag and name_of(tag) in _HOLDERS and _DEFINITION.search(tag)
    }


def _is_reference(tokens: Tokens, tag: str, at: int) -> bool:
    around = tokens.tags[at - 1] if at else ""
    if _REFERENCE.search(tag):
        return True
    inside = tokens.tags[at + 1] if at + 1 < len(tokens.tags) else ""
    return name_of(around) == "sup" or name_of(inside) == "sup"


def _label(tokens: Tokens, at: int, *, taken: dict[str, str]) -> str:
    text = "".join(tokens.raws[at : find_end(tokens.tags, at)]).strip()
    found = _LABEL.match(text)
    label = found[1] if found else str(len(taken) + 1)
    while label in taken.values():
        label = f"{label}-{len(taken) + 1}"
    return label
