"""Segments -> the lines of a page that may be rows of tables.

1. Segments on one baseline make a line, whatever the order in which they are drawn.
2. Cells with several lines are drawn one after the other, and may stand off the baselines of their neighbors: where
   the order shows cells side by side, all their lines make one.
3. Neighboring lines that mostly have several segments make a window.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from crosshead.extract.readers.pdf.markers import is_contents_line
from crosshead.extract.readers.pdf.outline import shows_title
from crosshead.extract.readers.pdf.shapes import Segment

MARKER: Final = re.compile(r"(?:[•◦▪▫‣⁃∙·●○■□–—*➢➤✓-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4})[.)]|\[\d+\])$")
_NUMBERED_END: Final = re.compile(r"^\(\d+(?:\.\d+)*\)$")

_MAX_GAP: Final = 2.6
"""The largest distance of two lines of a table, in sizes."""
_MAX_ROW_GAP: Final = 5.0
"""The same for lines whose columns begin at the same places."""
_LEADING: Final = 1.25
_USUAL_PITCH: Final = 1.6
_MAX_CELL: Final = 12
"""The most lines of a cell; what has more is a column of a page."""


class Line:
    """What stands side by side; each segment is known by its number in drawing order."""

    __slots__ = ("base", "heads", "low", "numbers", "size")

    def __init__(self, number: int, segment: Segment) -> None:
        self.numbers = [number]
        self.base = segment.base
        self.low = segment.base
        """The lowest baseline, if its cells have several."""
        self.size = segment.size
        self.heads = False
        """It stands alone above rows, across columns."""

    def add(self, number: int, segment: Segment) -> None:
        """Put in one more segment."""
        self.numbers.append(number)
        self.base = max(self.base, segment.base)
        self.low = min(self.low, segment.base)
        self.size = max(self.size, segment.size)

    @property
    def is_whole(self) -> bool:
        """Does it hold all the lines of its cells?"""
        return self.base - self.low >= 0.25 * self.size


class _Cell:
    """Segments that are drawn one below the other."""

    __slots__ = ("base", "low", "numbers", "x0", "x1")

    def __init__(self, number: int, segment: Segment) -> None:
        self.numbers = [number]
        self.x0, self.x1 = segment.x0, segment.x1
        self.base = self.low = segment.base

    def add(self, number: int, segment: Segment) -> None:
        self.numbers.append(number)
        self.x0, self.x1 = min(self.x0, segment.x0), max(self.x1, segment.x1)
        self.low = segment.base

    def takes(self, segment: Segment, leading: float) -> bool:
        """Is it the next line of this cell?"""
        if segment.x0 > self.x1 or segment.x1 < self.x0:
            return False
        drop = (self.low - segment.base) / segment.size if segment.size else 0.0
        return 0.5 < drop <= 1.1 * leading


def find_lines(segments: Sequence[Segment], taken: Collection[int]) -> list[Line]:
    """Return the lines from top to bottom."""
    free = [n for n, each in enumerate(segments) if n not in taken and not each.words[0].turned]
    whole = list(_rows_as_drawn(free, segments))
    inside = {number for line in whole for number in line.numbers}
    lines: list[Line] = []
    for number in sorted([n for n in free if n not in inside], key=lambda n: -segments[n].base):
        segment = segments[number]
        if lines and abs(lines[-1].base - segment.base) < 0.25 * max(lines[-1].size, segment.size):
            base = lines[-1].base
            lines[-1].add(number, segment)
            lines[-1].base = lines[-1].low = base
        else:
            lines.append(Line(number, segment))
    lines = sorted([*lines, *whole], key=lambda line: -line.base)
    for line in lines:
        line.numbers.sort(key=lambda n: segments[n].x0)
    return lines


def _rows_as_drawn(free: Iterable[int], segments: Sequence[Segment]) -> Iterator[Line]:
    """Yield the rows with cells of several lines, by the order in which they are drawn."""
    numbers = list(free)
    leading = _leading(numbers, segments)
    row: list[_Cell] = []
    last = -1
    for number in numbers:
        segment = segments[number]
        if row and number == last + 1 and abs(segments[last].size - segment.size) <= 0.15 * segment.size:
            if row[-1].takes(segment, leading) and all(cell.x1 < segment.x0 for cell in row[:-1]):
                row[-1].add(number, segment)
            elif segment.x0 > max(cell.x1 for cell in row):
                row.append(_Cell(number, segment))
            else:
                yield from _whole_row(row, segments)
                row = [_Cell(number, segment)]
        else:
            yield from _whole_row(row, segments)
            row = [_Cell(number, segment)]
        last = number
    yield from _whole_row(row, segments)


def _leading(numbers: Sequence[int], segments: Sequence[Segment]) -> float:
    """The usual distance of lines that are drawn one below the other, in sizes."""
    found: Counter[float] = Counter()
    for first, second in pairwise(numbers):
        above, below = segments[first], segments[second]
        if above.size == below.size > 0 and abs(above.x0 - below.x0) < 1:
            drop = (above.base - below.base) / below.size
            if 0.9 < drop < 1.8:
                found[round(drop, 1)] += 1
    return max(found, key=lambda drop: (found[drop], -drop), default=_LEADING)


def _whole_row(row: Sequence[_Cell], segments: Sequence[Segment]) -> Iterator[Line]:
    """Cells make a row if they share their first line or their middle with the tallest of them.

    Cells that have the same lines are no evidence: they may be rows that are drawn column by column.
    """
    if len(row) < 2 or MARKER.match(segments[row[0].numbers[0]].text):
        return
    tallest = max(row, key=lambda cell: cell.base - cell.low)
    if len(tallest.numbers) < 2 or len(tallest.numbers) > _MAX_CELL:
        return
    reach = 0.3 * segments[tallest.numbers[0]].size
    if all(abs(cell.base - tallest.base) + abs(cell.low - tallest.low) < reach for cell in row):
        return
    for cell in row:
        tops, lows = cell.base - tallest.base, cell.low - tallest.low
        if min(abs(tops), abs(tops + lows) / 2) > reach:
            return
    line = Line(row[0].numbers[0], segments[row[0].numbers[0]])
    for number in [number for cell in row for number in cell.numbers][1:]:
        line.add(number, segments[number])
    yield line


def find_windows(lines: Sequence[Line], segments: Sequence[Segment], titles: Collection[str]) -> list[list[Line]]:
    """Return runs of lines that might be tables; a run begins with a line of several segments, and has no titles."""
    windows: list[list[Line]] = []
    current: list[Line] = []
    for number, line in enumerate(lines):
        parts = [segments[each] for each in line.numbers]
        heads = _heads_rows(current, line, lines[number + 1 : number + 2], segments)
        near = heads or (bool(current) and _is_near(current[-1], line, segments))
        if current and not near:
            windows += _end_window(current, segments)
            current = []
        goes_on = len(parts) > 1 or heads or (near and _continues(line, current, segments))
        if goes_on and _may_be_cells(parts, titles):
            line.heads = heads
            current.append(line)
        elif current:
            windows += _end_window(current, segments)
            current = []
    return windows + _end_window(current, segments)


def _is_near(above: Line, line: Line, segments: Sequence[Segment]) -> bool:
    if abs(above.size - line.size) > 0.15 * max(above.size, line.size):
        return False
    gap = (above.low - line.base) / max(line.size, above.size, 1.0)
    if gap <= _MAX_GAP:
        return True
    starts = [segments[number].x0 for number in above.numbers]
    shared = [n for n in line.numbers if any(abs(segments[n].x0 - x) < 1.5 for x in starts)]
    return gap <= _MAX_ROW_GAP and len(shared) > 1


def _heads_rows(window: Sequence[Line], line: Line, after: Sequence[Line], segments: Sequence[Segment]) -> bool:
    """Is it a line above some of a table's rows, as close to them as they are to each other?"""
    if not window or not after or len(line.numbers) > 1 or abs(window[-1].size - line.size) > 0.1 * line.size:
        return False
    rows = [each for each in window if len(each.numbers) > 1]
    pitch = min([above.low - below.base for above, below in pairwise(rows)], default=_USUAL_PITCH * line.size)
    if window[-1].low - line.base > _MAX_ROW_GAP * line.size or line.low - after[0].base > 1.15 * pitch:
        return False
    starts = {segments[number].x0 for number in rows[-1].numbers}
    own = segments[line.numbers[0]]
    if own.x0 > min(starts) + 1.5 or own.x1 > max(starts):
        return False
    begins = _piece_starts(after[0], segments)
    return len({round(x) for x in starts if any(abs(x - start) < 1.5 for start in begins)}) > 1


def _piece_starts(line: Line, segments: Sequence[Segment]) -> list[float]:
    starts: list[float] = []
    for number in line.numbers:
        words = segments[number].words
        starts.append(words[0].x0)
        starts += [word.x0 for before, word in pairwise(words) if before.piece != word.piece]
    return starts


def _end_window(lines: list[Line], segments: Sequence[Segment]) -> list[list[Line]]:
    """Leave out last lines that do not go on with a cell of a later column."""
    starts = {round(segments[number].x0) for line in lines for number in line.numbers[1:]}
    while lines and len(lines[-1].numbers) < 2 and round(segments[lines[-1].numbers[0]].x0) not in starts:
        lines = lines[:-1]
    return [lines] if sum(len(line.numbers) > 1 for line in lines) >= 2 else []


def _may_be_cells(parts: Sequence[Segment], titles: Collection[str]) -> bool:
    text = " ".join([each.text for each in parts])
    if is_contents_line(text) or shows_title(text, titles) or (len(parts) == 2 and _NUMBERED_END.match(parts[-1].text)):
        return False
    return not (len(parts) == 2 and any(MARKER.match(part.text) for part in parts))


def _continues(line: Line, window: Sequence[Line], segments: Sequence[Segment]) -> bool:
    """A line with a single segment goes on with a cell if it stays within a column, or spans as a heading inside."""
    own = segments[line.numbers[0]]
    above = next(each for each in reversed(window) if len(each.numbers) > 1)
    singles = sum(1 for each in window[-3:] if len(each.numbers) == 1)
    if singles >= 3:
        return False
    parts = [segments[number] for number in above.numbers]
    ends = [*[part.x0 for part in parts[1:]], max(parts[-1].x1, own.x1)]
    if abs(own.x0 - parts[0].x0) < 2 and any(abs(word.x0 - x) < 1.5 for word in own.words[1:] for x in ends[:-1]):
        return True
    return any(part.x0 - 3 <= own.x0 and own.x1 <= end + 1 for part, end in zip(parts, ends, strict=True))
