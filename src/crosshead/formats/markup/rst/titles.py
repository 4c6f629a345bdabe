"""Titles of reStructuredText: a line of text with a line of punctuation below it, and sometimes above it as well."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple
from unicodedata import east_asian_width

_RULE = re.compile(r"([!-/:-@\[-`{-~])\1*$")
_SURE: Final = 4
"""So long a line is an underline, even where the title is longer."""


class RstTitle(NamedTuple):
    """A title, and how it is marked."""

    text: str
    style: str
    size: int
    """Lines that it takes."""
    at: int
    """Its own line among them."""


def is_rule(line: str) -> bool:
    """Return whether a line repeats one character."""
    return _RULE.match(line) is not None


def title_at(lines: Sequence[str], at: int) -> RstTitle | None:
    """Return the title that begins at a line."""
    line = lines[at]
    below = lines[at + 1] if at + 1 < len(lines) else ""
    if not line or not below:
        return None
    if is_rule(line):
        last = lines[at + 2] if at + 2 < len(lines) else ""
        is_title = last == line and not is_rule(below) and (len(line) >= _SURE or len(line) >= _width(below.strip()))
        return RstTitle(below.strip(), f"{line[0]} over", 3, 1) if is_title else None
    if line[0] == " " or not is_rule(below):
        return None
    return RstTitle(line, below[0], 2, 0) if len(below) >= min(_SURE, _width(line)) else None


def _width(text: str) -> int:
    return len(text) + sum(east_asian_width(character) in "WF" for character in text if character > "\u1100")
