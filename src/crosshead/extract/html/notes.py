"""Footnotes: references and definitions that belong together become Markdown footnotes.

A page shows them in many ways. A reference is a link inside the page that says what it is, or a short raised one; a
definition is the element that it leads to, if that element or what is around it speaks of notes.
"""

from __future__ import annotations

import re
from functools import partial

from crosshead.extract import gfm
from crosshead.extract.html.page import Page
from crosshead.extract.html.tokens import attribute, find_end, replace_entities

_HINTS = ("noteref", "footnote-ref", '="#f', '="#endnote', '="#cite_note')
"""A page without any of these has no footnotes."""
_DEFINITION = re.compile(
    r"<(?:li|div|aside|p|section|dd) ([^>]*(?:footnote|endnote|cite_note|[\" ]fn|[\" ]ftn)[^>]*)>"
)
_REFERENCE = re.compile(r'<(sup\b[^>]*)?(?:>\s*<)?a ([^>]*href="#([^"]*)"[^>]*)>\s*(<sup[^>]*>)?([^<]*)')
_REFERENCE_NAME = re.compile(r'footnote|noteref|endnote|(?:class|id)="(?:[^"]* )?(?:fn-?ref|cite_ref|reference)')
_LABEL = re.compile(r"[\[(]?\s*([\w*†‡§-]{1,20})\s*[\])]?\.?\Z")
_HOLDERS = frozenset(("li", "div", "aside", "p", "section", "dd"))


def find_notes(html: str) -> dict[str, str]:
    """Return the labels of the footnotes by the ids of their elements."""
    if not any(hint in html for hint in _HINTS):
        return {}
    definitions = {attribute(f" {given}", "id") for given in _DEFINITION.findall(html)}
    labels: dict[str, str] = {}
    for raised, given, target, raised_inside, text in _REFERENCE.findall(html) if definitions else ():
        if target in definitions and target not in labels and (
            raised or raised_inside or _REFERENCE_NAME.search(given)
        ):
            labels[target] = _label(replace_entities(text).strip(), taken=labels)
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


def _label(text: str, *, taken: dict[str, str]) -> str:
    found = _LABEL.match(text)
    label = found[1] if found else str(len(taken) + 1)
    return label if label not in taken.values() else f"{label}-{len(taken) + 1}"
