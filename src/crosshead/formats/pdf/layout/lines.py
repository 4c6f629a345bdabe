"""Segments -> the lines of a page that may be rows of tables.

1. Segments on one baseline make a line, whatever the order in which they are drawn.
2. Cells with several lines are drawn one after the other, and may stand off the baselines of their neighbors: where
   the order shows cells side by side, all their lines make one.
3. Within a line, words without a wide gap between them make a group. Figures never share one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Final

from crosshead.formats.pdf.page.shapes import MIDDLE, Segment
from crosshead.formats.pdf.text.amounts import find_free, is_figure, is_leader, split_figures
from crosshead.formats.pdf.text.markers import is_marker

_LEADING: Final = 1.25
_WIDE_GAP: Final = 1.0
"""The least distance of two groups, in sizes."""
_DIGIT: Final = re.compile(r"\d|—|–")
_MAX_CELL: Final = 12
"""The most lines of a cell; what has more is a column of a page."""


class TableLine:
    """What stands side by side; each segment is known by its number in drawing order."""

    def __init__(self, number: int, segment: Segment) -> None:
        self.numbers = [number]
        self.segments = [segment]
        self.base = segment.base
        self.low = segment.base
        """The lowest baseline, if its cells have several."""
        self.size = segment.size

    def add(self, number: int, segment: Segment) -> None:
        """Put in one more segment."""
        self.numbers.append(number)
        self.segments.append(segment)
        self.base = max(self.base, segment.base)
        self.low = min(self.low, segment.base)
        self.size = max(self.size, segment.size)

    @property
    def mid_y(self) -> float:
        """The height of the middle of its small letters."""
        return self.base + MIDDLE * self.size

    @property
    def is_whole(self) -> bool:
        """Does it hold all the lines of its cells?"""
        return self.base - self.low >= 0.25 * self.size

    @cached_property
    def units(self) -> list[Segment]:
        """Its words from left to right, and its figures with all of their signs."""
        if not self.is_whole:
            return split_figures(self.segments)
        return sorted([u for each in self.segments for u in split_figures([each])], key=lambda unit: unit.x0)

    @cached_property
    def figures(self) -> list[Segment]:
        """The units that are figures and no part of a text."""
        return [unit for unit, free in zip(self.units, self._is_free, strict=True) if free]

    @cached_property
    def _is_free(self) -> list[bool]:
        return find_free(self.units)

    @cached_property
    def groups(self) -> list[Segment]:
        """Words without a wide gap between them; every figure that is no part of a text has one of its own."""
        if len(self.segments) == 1 and not _DIGIT.search(self.segments[0].text):
            return self.segments
        if self.is_whole:
            return sorted(self.segments, key=lambda each: each.x0)
        groups: list[Segment] = []
        for number, unit in enumerate(self.units):
            apart = number and (self._is_free[number] or self._is_free[number - 1])
            wide = groups and unit.x0 - groups[-1].x1 >= _WIDE_GAP * self.size and not is_leader(unit.text)
            if not groups or apart or wide:
                groups.append(copy_segment(unit))
            else:
                for word in unit.words:
                    groups[-1].add(word)
        return groups

    def is_figure(self, group: Segment) -> bool:
        """Is this group of the line a figure that is no part of a text?"""
        return id(group.words[0]) in self._figure_words

    @cached_property
    def _figure_words(self) -> set[int]:
        return {id(unit.words[0]) for unit in self.figures}

    @cached_property
    def is_spread(self) -> bool:
        """Are there gaps wider than spaces, or figures side by side?"""
        if len(self.groups) < 2:
            return False
        return len(self.segments) > 1 or any(first and second for first, second in pairwise(self._is_free))

    @cached_property
    def x0(self) -> float:
        """Where it begins."""
        return min([each.x0 for each in self.segments])

    @cached_property
    def x1(self) -> float:
        """Where it ends."""
        return max([each.x1 for each in self.segments])

    @cached_property
    def text(self) -> str:
        """All of its text."""
        return " ".join([each.text for each in sorted(self.segments, key=lambda each: each.x0)])


def copy_segment(segment: Segment) -> Segment:
    """Return a segment that can grow without the other."""
    copy = Segment(segment.words[0], segment.base)
    for word in segment.words[1:]:
        copy.add(word)
    return copy


class _CellSegments:
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


def find_lines(segments: Sequence[Segment], taken: Collection[int]) -> list[TableLine]:
    """Return the lines from top to bottom."""
    free = [n for n, each in enumerate(segments) if n not in taken and not each.words[0].turned]
    whole = list(_rows_as_drawn(free, segments))
    inside = {number for line in whole for number in line.numbers}
    lines: list[TableLine] = []
    for number in sorted([n for n in free if n not in inside], key=lambda n: -segments[n].base):
        segment = segments[number]
        if lines and abs(lines[-1].base - segment.base) < 0.25 * max(lines[-1].size, segment.size):
            base = lines[-1].base
            lines[-1].add(number, segment)
            lines[-1].base = lines[-1].low = base
        else:
            lines.append(TableLine(number, segment))
    return sorted([*lines, *whole], key=lambda line: -line.base)


def _rows_as_drawn(free: Iterable[int], segments: Sequence[Segment]) -> Iterator[TableLine]:
    """Yield the rows with cells of several lines, by the order in which they are drawn."""
    numbers = list(free)
    leading = _leading(numbers, segments)
    row: list[_CellSegments] = []
    last = -1
    for number in numbers:
        segment = segments[number]
        if row and number == last + 1 and abs(segments[last].size - segment.size) <= 0.15 * segment.size:
            if row[-1].takes(segment, leading) and all(cell.x1 < segment.x0 for cell in row[:-1]):
                row[-1].add(number, segment)
            elif segment.x0 > max(cell.x1 for cell in row):
                row.append(_CellSegments(number, segment))
            else:
                yield from _whole_row(row, segments)
                row = [_CellSegments(number, segment)]
        else:
            yield from _whole_row(row, segments)
            row = [_CellSegments(number, segment)]
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


def _whole_row(row: Sequence[_CellSegments], segments: Sequence[Segment]) -> Iterator[TableLine]:
    """Cells make a row if they share their first line or their middle with the tallest of them.

    Cells that have the same lines are no evidence: they may be rows that are drawn column by column.
    """
    if len(row) < 2 or is_marker(segments[row[0].numbers[0]].text):
        return
    tallest = max(row, key=lambda cell: cell.base - cell.low)
    if len(tallest.numbers) < 2 or len(tallest.numbers) > _MAX_CELL:
        return
    if sum(is_figure(segments[number].text) for number in tallest.numbers) > 1:  # figures have a row each
        return
    reach = 0.3 * segments[tallest.numbers[0]].size
    if all(abs(cell.base - tallest.base) + abs(cell.low - tallest.low) < reach for cell in row):
        return
    for cell in row:
        tops, lows = cell.base - tallest.base, cell.low - tallest.low
        if min(abs(tops), abs(tops + lows) / 2) > reach:
            return
    if _is_column_of_labels(tallest, row, segments):
        return
    line = TableLine(row[0].numbers[0], segments[row[0].numbers[0]])
    for number in [number for cell in row for number in cell.numbers][1:]:
        line.add(number, segments[number])
    yield line


def _is_column_of_labels(cell: _CellSegments, row: Sequence[_CellSegments], segments: Sequence[Segment]) -> bool:
    """Have most of its lines figures beside them that are drawn elsewhere? Then each line is the label of a row."""
    own = {number for each in row for number in each.numbers}
    heights = [
        each.base
        for number, each in enumerate(segments)
        if number not in own and cell.x1 < each.x0 and cell.low - 1 < each.base < cell.base + 1 and is_figure(each.text)
    ]
    lines = [segments[number] for number in cell.numbers]
    named = sum(any(abs(line.base - y) < 0.25 * line.size for y in heights) for line in lines)
    return named > 0.5 * len(lines)
