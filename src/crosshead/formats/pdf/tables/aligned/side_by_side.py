"""Two tables side by side that are drawn line by line, so that a line holds rows of both.

Then a column of row labels follows columns of figures, with other figures after it. One wide table may look the same;
but two tables have the same labels above their figures, or rows that only one of them has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from crosshead.formats.pdf.layout.lines import TableLine
from crosshead.formats.pdf.page.shapes import Segment
from crosshead.formats.pdf.tables.aligned.columns import Columns

_MIN_ROWS: Final = 2
"""The least rows of each table."""
_MIN_ALONE: Final = 3
"""The least rows with text on one side only."""
_NEAR: Final = 3.0
"""The largest distance of a line of one of the tables from the rows, in ems."""
_YEAR: Final = 4
"""Numbers with fewer digits may repeat by chance; years are labels."""

_Numbered = list[tuple[int, Segment]]


def find_gutter(region: Sequence[TableLine], columns: Columns) -> float | None:
    """Return the position between two tables; None if the lines are the rows of one."""
    for column in _label_columns(columns):
        gutter = columns.borders[column - 1]
        sides = _sides(region, gutter)
        is_sure = _have_same_labels(region, gutter) or _have_own_rows(region, gutter)
        if is_sure and sides and all(_count_rows(side, columns) >= _MIN_ROWS for side in sides):
            return gutter
    return None


def band_around(lines: Sequence[TableLine], region: Sequence[TableLine], gutter: float) -> list[TableLine]:
    """Return the region with the lines around it that may belong to one of the tables: they do not cross the gutter."""
    start = next(number for number, line in enumerate(lines) if line is region[0])
    end = start + len(region)
    while start and _may_belong(lines[start - 1], lines[start], lines[start - 1], gutter):
        start -= 1
    while end < len(lines) and _may_belong(lines[end - 1], lines[end], lines[end], gutter):
        end += 1
    return list(lines[start:end])


def split_lines(band: Sequence[TableLine], gutter: float) -> Iterator[set[int]]:
    """Yield the numbers of the segments on each side of the gutter."""
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


def _sides(lines: Sequence[TableLine], gutter: float) -> tuple[_Numbered, _Numbered] | None:
    """Return the segments left and right of the gutter; None if one crosses it."""
    numbered = [each for line in lines for each in zip(line.numbers, line.segments, strict=True)]
    if any(_crosses(segment, gutter) for _, segment in numbered):
        return None
    left = [(number, segment) for number, segment in numbered if segment.x1 <= gutter]
    return left, [(number, segment) for number, segment in numbered if segment.x0 >= gutter]


def _count_rows(side: _Numbered, columns: Columns) -> int:
    """Return how many rows begin with words and have figures."""
    label = min(columns.of(segment.x0 + 1) for _, segment in side) if side else 0
    named, filled = set(), set()
    for _, segment in side:
        if columns.of(segment.x0 + 1) == label and any(character.isalpha() for character in segment.text):
            named.add(round(segment.base))
        elif columns.has_figures(columns.of(segment.x1 - 1)):
            filled.add(round(segment.base))
    return len(named & filled)


def _have_same_labels(region: Sequence[TableLine], gutter: float) -> bool:
    """Return whether a line has the same text on both sides of the gutter, row labels aside."""
    for line in region:
        left, right = (
            [group.text for group in line.groups if (group.x0 < gutter) is is_left] for is_left in (True, False)
        )
        if (
            len(left) > 1
            and left[1:] == right[1:]
            and not any(text.isdecimal() and len(text) < _YEAR for text in left[1:])
        ):
            return True
    return False


def _have_own_rows(region: Sequence[TableLine], gutter: float) -> bool:
    """Return whether both tables have rows where the other has none."""
    rows = [line for line in region if len(line.groups) > 1 and line.figures]
    left = sum(line.x1 <= gutter for line in rows)
    right = sum(line.x0 >= gutter for line in rows)
    return min(left, right) > 0 and left + right >= _MIN_ALONE
