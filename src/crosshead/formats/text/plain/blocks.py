"""The blocks of a plain text: lines between blank ones, fences, and headings apart from the text below them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

_MAX_TITLE: Final = 120
_UNEVEN: Final = 3
"""Characters by which an underline may be longer or shorter than the title."""

_UNDERLINE = re.compile(r"([=~^*+#\"'._:-])\1{2,}")
_FENCE = re.compile(r"(`{3,}|~{3,})[^`]*")
COLUMNS = re.compile(r"\S {3,}\S")
DRAWING = re.compile(r" *(?:[+|][-=+|]{3}|\|.*\|$|[┌├└│╔╠╚║])")


class LineBlock(NamedTuple):
    """Lines between blank ones."""

    first: int
    lines: list[str]

    @property
    def indent(self) -> int:
        """Columns that all lines leave free."""
        return min(map(indent_of, self.lines))


def indent_of(line: str) -> int:
    """Return the number of spaces that a line begins with."""
    return len(line) - len(line.lstrip(" "))


def find_blocks(lines: Sequence[str]) -> Iterator[LineBlock]:
    """Yield the runs of lines without a blank one; a fence with its end is one block, whatever is between."""
    closings = _Closings(lines)
    at = 0
    while at < len(lines):
        end = _fence_end(lines, at, closings)
        if not end:
            end = at
            while end < len(lines) and lines[end] and (end == at or not _fence_end(lines, end, closings)):
                end += 1
        if end > at:
            yield from _split_heading(LineBlock(at, list(lines[at:end])))
        at = max(end, at + 1)


class _Closings:
    """The last lines that can close a fence: a fence is closed by a mark that is at least as long as its own."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._marks: dict[str, list[tuple[int, int]]] = {"`": [], "~": []}
        for number in range(len(lines) - 1, -1, -1):
            line = lines[number]
            if line[:3] in ("```", "~~~") and not line.strip(line[0]):
                marks = self._marks[line[0]]
                if not marks or len(line) > marks[-1][0]:
                    marks.append((len(line), number))

    def close(self, mark: str, at: int) -> bool:
        """Return whether a line below this one closes a fence with this mark."""
        marks = self._marks[mark[0]]
        longer = bisect_left(marks, (len(mark), 0))
        return longer < len(marks) and marks[longer][1] > at


def _fence_end(lines: Sequence[str], at: int, closings: _Closings) -> int:
    """Return the line after a fence; 0 if there is no fence, or it is not closed."""
    if lines[at][:3] not in ("```", "~~~"):
        return 0
    fence = _FENCE.fullmatch(lines[at])
    if not fence or not closings.close(fence[1], at):
        return 0
    for number in range(at + 1, len(lines)):
        if lines[number].startswith(fence[1]) and not lines[number].strip(fence[1][0]):
            return number + 1
    return 0


def _split_heading(block: LineBlock) -> Iterator[LineBlock]:
    """Text may follow a heading without a blank line."""
    size = heading_size(block.lines)
    if size:
        yield LineBlock(block.first, block.lines[:size])
    if size < len(block.lines):
        yield LineBlock(block.first + size, block.lines[size:])


def heading_size(lines: Sequence[str]) -> int:
    """Return 2 for a title with an underline, 3 for one with lines above and below, else 0."""
    if len(lines) > 1 and _underlines(lines[1], lines[0]):
        return 2
    if len(lines) > 2 and lines[0].strip() == lines[2].strip() and _underlines(lines[2], lines[1], over=True):
        return 3
    return 0


def is_rule(line: str) -> bool:
    """Return whether a line repeats one character."""
    return _UNDERLINE.fullmatch(line.strip()) is not None


def _underlines(line: str, title: str, *, over: bool = False) -> bool:
    found = _UNDERLINE.fullmatch(line.strip())
    text = title.strip()
    if not found or len(text) > _MAX_TITLE or is_rule(text) or not any(map(str.isalnum, text)):
        return False
    fits = abs(len(found[0]) - len(text)) <= _UNEVEN or (len(found[0]) > len(text) and (over or found[1] == "="))
    return fits and not COLUMNS.search(text) and not DRAWING.match(text)
