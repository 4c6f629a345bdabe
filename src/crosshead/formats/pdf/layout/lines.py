"""Segments -> the lines of a page that may be rows of tables.

1. Segments on one baseline make a line, whatever the order in which they are drawn.
2. Cells with several lines are drawn one after the other, perhaps off the baselines of their neighbors. If the order
   shows such cells side by side, all of their lines make one.
3. Within a line, words without a wide gap between them make a group. A figure is always a group.
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
"""The distance of lines of a cell on a page that does not show it, in ems."""
_MIN_LEADING: Final = 0.9
_MAX_LEADING: Final = 1.8
"""The least and the largest distance of two lines that shows it."""
_NEXT_LINE: Final = 0.5
"""The least distance of the next line of a cell, in ems."""
_MAX_NEXT_LINE: Final = 1.1
"""The largest one, as a multiple of the typical distance."""
_SAME_LINE: Final = 0.25
"""How far the baselines of one line may be apart, in ems."""
_SAME_SIZE: Final = 0.15
"""By how much the font sizes of neighboring cells may differ, as a share."""
_SAME_HEIGHT: Final = 0.3
"""How far the first lines or the middles of the cells of a row may be apart, in ems."""
_MOSTLY: Final = 0.5
"""The share of a cell's lines with figures beside them, above which they are the labels of several rows."""
_WIDE_GAP: Final = 1.0
"""The least distance of two groups, in ems."""
_DIGIT: Final = re.compile(r"\d|—|–")
_MAX_CELL: Final = 12
"""The most lines of a cell; more are a column of text."""


class TableLine:
    """Segments side by side, each known by its number in the order in which it is drawn."""

    def __init__(self, number: int, segment: Segment) -> None:
        self.numbers = [number]
        self.segments = [segment]
        self.base = segment.base
        self.low = segment.base
        """Its lowest baseline: cells may have several lines."""
        self.size = segment.size

    def add(self, number: int, segment: Segment) -> None:
        """Add a segment."""
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
        """Whether it holds all lines of cells that have several."""
        return self.base - self.low >= _SAME_LINE * self.size

    @cached_property
    def units(self) -> list[Segment]:
        """Its words and figures from left to right, figures with all of their signs."""
        if not self.is_whole:
            return split_figures(self.segments)
        return sorted([u for each in self.segments for u in split_figures([each])], key=lambda unit: unit.x0)

    @cached_property
    def figures(self) -> list[Segment]:
        """The units that are figures and not part of a phrase."""
        return [unit for unit, free in zip(self.units, self._is_free, strict=True) if free]

    @cached_property
    def _is_free(self) -> list[bool]:
        return find_free(self.units)

    @cached_property
    def groups(self) -> list[Segment]:
        """Units without a wide gap between them; every figure that is not part of a phrase is a separate group."""
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
        """Return whether this group of the line is a figure and not part of a phrase."""
        return id(group.words[0]) in self._figure_words

    @cached_property
    def _figure_words(self) -> set[int]:
        return {id(unit.words[0]) for unit in self.figures}

    @cached_property
    def is_spread(self) -> bool:
        """Whether there are gaps wider than spaces, or figures side by side."""
        if len(self.groups) < 2:
            return False
        return len(self.segments) > 1 or any(first and second for first, second in pairwise(self._is_free))

    @cached_property
    def x0(self) -> float:
        """Its left edge."""
        return min([each.x0 for each in self.segments])

    @cached_property
    def x1(self) -> float:
        """Its right edge."""
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
        """Return whether a segment is the next line of this cell."""
        if segment.x0 > self.x1 or segment.x1 < self.x0:
            return False
        drop = (self.low - segment.base) / segment.size if segment.size else 0.0
        return _NEXT_LINE < drop <= _MAX_NEXT_LINE * leading


def find_lines(segments: Sequence[Segment], taken: Collection[int]) -> list[TableLine]:
    """Return the lines from top to bottom."""
    free = [n for n, each in enumerate(segments) if n not in taken and not each.words[0].turned]
    whole = list(_rows_as_drawn(free, segments))
    inside = {number for line in whole for number in line.numbers}
    lines: list[TableLine] = []
    for number in sorted([n for n in free if n not in inside], key=lambda n: -segments[n].base):
        segment = segments[number]
        if lines and abs(lines[-1].base - segment.base) < _SAME_LINE * max(lines[-1].size, segment.size):
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
        if row and number == last + 1 and abs(segments[last].size - segment.size) <= _SAME_SIZE * segment.size:
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
    """Return the typical distance of lines that are drawn one below the other, in ems."""
    found: Counter[float] = Counter()
    for first, second in pairwise(numbers):
        above, below = segments[first], segments[second]
        if above.size == below.size > 0 and abs(above.x0 - below.x0) < 1:
            drop = (above.base - below.base) / below.size
            if _MIN_LEADING < drop < _MAX_LEADING:
                found[round(drop, 1)] += 1
    return max(found, key=lambda drop: (found[drop], -drop), default=_LEADING)


def _whole_row(row: Sequence[_CellSegments], segments: Sequence[Segment]) -> Iterator[TableLine]:
    """Yield the line of cells that share their first line or their middle with the tallest of them.

    Cells with the same lines show nothing: they may be rows that are drawn column by column.
    """
    if len(row) < 2 or is_marker(segments[row[0].numbers[0]].text):
        return
    tallest = max(row, key=lambda cell: cell.base - cell.low)
    if len(tallest.numbers) < 2 or len(tallest.numbers) > _MAX_CELL:
        return
    if sum(is_figure(segments[number].text) for number in tallest.numbers) > 1:  # figures have a row each
        return
    reach = _SAME_HEIGHT * segments[tallest.numbers[0]].size
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
    """Return whether the lines of a cell are the labels of several rows: figures drawn elsewhere are beside them."""
    own = {number for each in row for number in each.numbers}
    heights = [
        each.base
        for number, each in enumerate(segments)
        if number not in own and cell.x1 < each.x0 and cell.low - 1 < each.base < cell.base + 1 and is_figure(each.text)
    ]
    lines = [segments[number] for number in cell.numbers]
    named = sum(any(abs(line.base - y) < _SAME_LINE * line.size for y in heights) for line in lines)
    return named > _MOSTLY * len(lines)
