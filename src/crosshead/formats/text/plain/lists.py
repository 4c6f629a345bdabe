"""Lists of plain text -> lists of Markdown, line by line.

In plain text an item is nested if it is indented more than the one above it; in Markdown it must be indented as far as
the text of that item. So every line gets a new indentation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from crosshead.formats.shared import gfm

_MAX_DEPTH: Final = 20
_BULLET = re.compile(r" *([-*+•◦▪‣])(?: +(?=\S)|$)")
_NUMBER = re.compile(r" *(\d{1,9})([.)])(?: +(?=\S)|$)")
_BULLETS: Final = {"*": "*", "+": "+"}
"""Marks that Markdown has; all others become a dash."""
_MARK_STARTS: Final = frozenset("-*+•◦▪‣0123456789")


class _Item(NamedTuple):
    source_indent: int
    text_indent: int
    """Column of its text in Markdown."""
    number: int
    """Of an ordered item, else -1."""


class _Mark(NamedTuple):
    indent: int
    marker: str
    number: int
    end: int


class Lists:
    """The items that are open while a text is written."""

    def __init__(self) -> None:
        self.items: list[_Item] = []

    @property
    def indent(self) -> int:
        """Column of a block inside the innermost item in Markdown."""
        return self.items[-1].text_indent if self.items else 0

    @property
    def source_indent(self) -> int:
        """Column of the innermost item in the text."""
        return self.items[-1].source_indent + 2 if self.items else 0

    def close(self) -> None:
        """End all lists."""
        self.items.clear()

    def enter(self, indent: int) -> None:
        """Begin a block: items that it is not indented under are over, but its own list may go on."""
        while self.items and indent < self.items[-1].source_indent:
            self.items.pop()

    def starts(self, line: str) -> bool:
        """Return whether this line begins an item."""
        mark = _mark(line)
        return mark is not None and self._is_expected(mark)

    def write(self, lines: Sequence[str]) -> list[str]:
        """Write a block of prose or items."""
        found = []
        for at, line in enumerate(lines):
            mark = _mark(line)
            if mark and self._is_expected(mark) and (at == 0 or self._may_interrupt(lines, at, mark)):
                found.append(self._item(line, mark))
                continue
            if at == 0:
                self._leave(line)
            found.append(" " * self.indent + gfm.guard_start(line.strip()))
        return found

    def _leave(self, line: str) -> None:
        """A paragraph that is not indented more than an item is not part of it."""
        indent = len(line) - len(line.lstrip())
        while self.items and indent <= self.items[-1].source_indent:
            self.items.pop()

    def _is_expected(self, mark: _Mark) -> bool:
        """Numbers begin with 0 or 1 and follow one another; others are numbers of something else."""
        if mark.number < 0 or mark.number <= 1:
            return True
        return any(item.number + 1 == mark.number and item.source_indent >= mark.indent - 1 for item in self.items)

    def _may_interrupt(self, lines: Sequence[str], at: int, mark: _Mark) -> bool:
        """Inside of a paragraph, an item needs a line that introduces it, an item above it, or another one below."""
        if self.items or lines[at - 1].endswith(":"):
            return True
        others = [_mark(line) for line in lines[at + 1 : at + 1 + _MAX_DEPTH]]
        return any(other and other.indent == mark.indent and other.marker[-1] == mark.marker[-1] for other in others)

    def _item(self, line: str, mark: _Mark) -> str:
        while self.items and (mark.indent <= self.items[-1].source_indent or len(self.items) >= _MAX_DEPTH):
            self.items.pop()
        margin = self.indent
        self.items.append(_Item(mark.indent, margin + len(mark.marker) + 1, mark.number))
        text = gfm.guard_start(line[mark.end :].strip())
        return f"{' ' * margin}{mark.marker} {text}".rstrip()


def _mark(line: str) -> _Mark | None:
    bare = line.lstrip(" ")
    if bare[:1] not in _MARK_STARTS:
        return None
    indent = len(line) - len(bare)
    found = _BULLET.match(line)
    if found:
        return _Mark(indent, _BULLETS.get(found[1], "-"), -1, found.end())
    found = _NUMBER.match(line)
    return _Mark(indent, f"{int(found[1])}{found[2]}", int(found[1]), found.end()) if found else None
