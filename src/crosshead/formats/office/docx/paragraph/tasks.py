"""Boxes to tick: a paragraph that begins with one is a task, if it is the only one in it."""

from __future__ import annotations

import re
from typing import Final

from lxml import etree

from crosshead.formats.office.docx.names import W, is_on

OPEN: Final = "☐"
DONE: Final = "☒"

_W14: Final = "{http://schemas.microsoft.com/office/word/2010/wordml}"
_OPEN_BOXES: Final = "☐□❏❑❒▢◻\uf0a8\uf06f\uf071\uf072"
_DONE_BOXES: Final = "☒☑🗹🗷\uf0fe\uf0fd"
_BOX = re.compile(f"[{_OPEN_BOXES}{_DONE_BOXES}]")
_CHECKED: Final = ("1", "true", "on")


def as_task(text: str) -> str | None:
    """Return the Markdown of a task without the marker of its item, or None if it is not a task."""
    rest = text[1:].strip()
    if not rest or not _BOX.match(text) or _BOX.search(rest):
        return None
    return f"{task_box(text[0])} {rest}"


def task_box(character: str) -> str:
    """Return the box that a character shows, or nothing."""
    if not _BOX.fullmatch(character):
        return ""
    return "[x]" if character in _DONE_BOXES else "[ ]"


def control_box(control: etree._Element) -> str:
    """Return the box that a content control is, or nothing."""
    found = control.find(f"{W}sdtPr/{_W14}checkbox")
    if found is None:
        return ""
    checked = found.find(f"{_W14}checked")
    is_done = checked is not None and (checked.get(f"{_W14}val") or "1").lower() in _CHECKED
    return DONE if is_done else OPEN


def field_box(field: etree._Element) -> str:
    """Return the box of a form field, or nothing."""
    found = field.find(f"{W}ffData/{W}checkBox")
    if found is None:
        return ""
    checked = found.find(f"{W}checked")
    return DONE if is_on(checked if checked is not None else found.find(f"{W}default")) else OPEN
