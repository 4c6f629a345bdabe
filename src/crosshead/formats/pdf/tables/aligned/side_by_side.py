"""Tables side by side.

1. Most programs draw one table after the other. So where drawing jumps back up, and rows follow beside rows that were
   drawn before, another table begins. The same holds for a table beside a column of text.
2. Others draw line by line, so that a line holds rows of both. Then a column of row labels follows columns of figures,
   and has figures of its own. One wide table may look the same; two have the same labels above their figures, or rows
   beside which the other has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise, takewhile
from typing import Final

from crosshead.formats.pdf.layout.lines import TableLine
from crosshead.formats.pdf.page.shapes import Segment
from crosshead.formats.pdf.tables.aligned.columns import Columns
from crosshead.formats.pdf.text.amounts import is_figure

_MIN_ROWS: Final = 2
_MIN_ALONE: Final = 3
"""The least rows with text on one side only."""
_NEAR: Final = 3.0
"""How near to the rows a line of one of the tables is, in sizes."""

_JUMP: Final = 0.5
"""How far up drawing goes for the next table, in sizes."""
_MAX_CELL: Final = 4
"""From the last line of a cell, drawing goes up to the first of the next one; more lines are rows."""
_LONG: Final = 30
"""So many characters are a line of text, not a cell."""
_MIN_LONG: Final = 3

Numbered = list[tuple[int, Segment]]


def part_drawn(flow: Sequence[int], segments: Sequence[Segment]) -> list[list[int]]:
    """Part the numbers of segments where one of a table and what is beside it is drawn after the other."""
    runs: list[list[int]] = []
    for place, number in enumerate(flow):
        last = max([segments[each].base for each in flow[max(0, place - _MAX_CELL) : place]], default=0.0)
        if not runs or segments[number].base > last + _JUMP * segments[number].size:
            runs.append([])
        runs[-1].append(number)
    parts = [list(run) for run in runs[:1]]
    for before, run in pairwise(runs):
        count = _count_beside([segments[number] for number in before], [segments[number] for number in run])
        if count:
            parts += [run[:count], run[count:]]
        else:
            parts[-1] += run
    return [part for part in parts if part]


def _count_beside(before: Sequence[Segment], run: Sequence[Segment]) -> int:
    """Return how many segments of a run stand beside what was drawn before; one of them must be a table."""
    top = run[0].base + run[0].size
    beside = [segment for segment in before if segment.base < top]
    if not beside:
        return 0
    left, right = min(segment.x0 for segment in beside), max(segment.x1 for segment in beside)
    is_right = run[0].x0 >= right
    own = list(takewhile(lambda each: each.x0 >= right if is_right else each.x1 <= left, run))
    rows = [_count_drawn(side) >= _MIN_ROWS for side in (beside, own)]
    are_blocks = all(is_table or _is_text(side) for is_table, side in zip(rows, (beside, own), strict=True))
    return len(own) if any(rows) and are_blocks else 0


def _is_text(segments: Sequence[Segment]) -> bool:
    return sum(len(segment.text) >= _LONG for segment in segments) >= _MIN_LONG


def _count_drawn(segments: Sequence[Segment]) -> int:
    """Return how many rows are drawn as words and then figures."""
    rows = groupby(segments, key=lambda segment: round(segment.base))
    return sum(_is_row([segment.text for segment in row]) for _, row in rows)


def _is_row(texts: Sequence[str]) -> bool:
    return any(character.isalpha() for character in texts[0]) and any(is_figure(text) for text in texts[1:])


def find_gutter(region: Sequence[TableLine], columns: Columns) -> float | None:
    """Return where the lines of two tables are parted, or None if they are the rows of one."""
    for column in _label_columns(columns):
        gutter = columns.borders[column - 1]
        sides = _sides(region, gutter)
        is_sure = _have_same_labels(region, gutter) or _have_own_rows(region, gutter)
        if is_sure and sides and all(_count_rows(side, columns) >= _MIN_ROWS for side in sides):
            return gutter
    return None


def band_around(lines: Sequence[TableLine], region: Sequence[TableLine], gutter: float) -> list[TableLine]:
    """Return the lines with those near them that may belong to one of the tables: none of them crosses the gutter."""
    start = next(number for number, line in enumerate(lines) if line is region[0])
    end = start + len(region)
    while start and _may_belong(lines[start - 1], lines[start], lines[start - 1], gutter):
        start -= 1
    while end < len(lines) and _may_belong(lines[end - 1], lines[end], lines[end], gutter):
        end += 1
    return list(lines[start:end])


def part_lines(band: Sequence[TableLine], gutter: float) -> Iterator[set[int]]:
    """Yield the numbers of the segments on either side."""
    yield from ({number for number, _ in side} for side in _sides(band, gutter) or ())


def _may_belong(above: TableLine, below: TableLine, line: TableLine, gutter: float) -> bool:
    is_near = above.low - below.base < _NEAR * max(above.size, below.size)
    return is_near and not any(_crosses(segment, gutter) for segment in line.segments)


def _label_columns(columns: Columns) -> Iterator[int]:
    """Yield the columns of text that have columns of figures before and right after them."""
    kinds = [columns.has_figures(column) for column in range(columns.number)] if columns.figures else []
    for column in range(2, len(kinds) - 1):
        if kinds[column - 1] and not kinds[column] and any(kinds[column + 1 :]):
            yield column


def _crosses(segment: Segment, x: float) -> bool:
    return segment.x0 < x < segment.x1


def _sides(lines: Sequence[TableLine], gutter: float) -> tuple[Numbered, Numbered] | None:
    """Return the segments left and right of the gutter; None if one crosses it."""
    numbered = [each for line in lines for each in zip(line.numbers, line.segments, strict=True)]
    if any(_crosses(segment, gutter) for _, segment in numbered):
        return None
    left = [(number, segment) for number, segment in numbered if segment.x1 <= gutter]
    return left, [(number, segment) for number, segment in numbered if segment.x0 >= gutter]


def _count_rows(side: Numbered, columns: Columns) -> int:
    """Return how many rows begin with words and go on with figures."""
    label = min(columns.of(segment.x0 + 1) for _, segment in side) if side else 0
    named, filled = set(), set()
    for _, segment in side:
        if columns.of(segment.x0 + 1) == label and any(character.isalpha() for character in segment.text):
            named.add(round(segment.base))
        elif columns.has_figures(columns.of(segment.x1 - 1)):
            filled.add(round(segment.base))
    return len(named & filled)


def _have_same_labels(region: Sequence[TableLine], gutter: float) -> bool:
    """Does a line repeat what it says left of the gutter, row labels aside, at its right?"""
    for line in region:
        left, right = (
            [group.text for group in line.groups if (group.x0 < gutter) is is_left] for is_left in (True, False)
        )
        if len(left) > 1 and left[1:] == right[1:] and not any(text.isdecimal() and len(text) < 4 for text in left[1:]):
            return True
    return False


def _have_own_rows(region: Sequence[TableLine], gutter: float) -> bool:
    rows = [line for line in region if len(line.groups) > 1 and line.figures]
    left = sum(line.x1 <= gutter for line in rows)
    right = sum(line.x0 >= gutter for line in rows)
    return min(left, right) > 0 and left + right >= _MIN_ALONE
