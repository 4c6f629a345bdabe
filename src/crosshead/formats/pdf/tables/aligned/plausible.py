"""Is an aligned region a table? Every rule has a name; `broken_rule` returns the first that a region breaks.

Columns of figures are judged by their alignment alone. Columns of text have to follow all of `_RULES_OF_TEXT`: prose in
columns, bulleted lists, program listings and definitions are also aligned.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import pairwise
from statistics import mean, median
from typing import Final

from crosshead.formats.pdf.layout.lines import TableLine
from crosshead.formats.pdf.tables.aligned.columns import Columns
from crosshead.formats.pdf.tables.aligned.regions import is_data
from crosshead.formats.pdf.tables.cells import Cell
from crosshead.formats.pdf.text.markers import is_marker

_MIN_ROWS: Final = 2
"""The least rows with several cells."""
_MIN_ROWS_OF_TWO: Final = 3
"""The same for two columns without any rule."""
_FILLED: Final = 0.4
"""The share of rows in which a column must have text to count as filled."""
_PROSE: Final = 32
"""Cells of this many characters on average are prose."""
_SHORT: Final = 15
"""Cells of at most this many characters are never the lines of a column of prose."""
_MIN_DEFINITION: Final = 40
"""The least characters per line of the second column in a list of definitions."""
_DEFINITION_LINES: Final = 1.2
"""The least further lines for each term in a list of definitions."""
_JUMPS: Final = 0.3
"""How often drawing must change the column for each row: columns of prose are drawn one after the other."""
_MIN_JUMPS: Final = 2
_ENOUGH_JUMPS: Final = 4
"""How often it must do so at least, and how often it is enough for any number of rows."""
_ALIGNED_FIGURES: Final = 0.6
"""The share of figures that must share an edge or the center with others of their column."""
_FIGURE_REACH: Final = 0.6
"""How far the edges of aligned figures may be apart, in ems."""
_PROSE_BESIDE_FIGURES: Final = 0.3
"""The most cells of prose in a table of figures, as a share of its cells of text."""
_MOSTLY_DATA: Final = 0.6
"""The share of lines with figures above which prose does not count."""
_ALIGNED: Final = 0.7
"""The share of a column's cells that must be aligned, and of the columns that must be so."""
_TEXT_REACH: Final = 2.5
"""How far the edges of aligned cells may be apart, in points."""


class AlignedRegion:
    """Lines in columns that may be a table."""

    def __init__(
        self, cells: Sequence[Sequence[Cell]], lines: Sequence[TableLine], columns: Columns, rules: int
    ) -> None:
        self.cells, self.lines, self.columns = cells, lines, columns
        self.is_ruled = rules > 0
        self.rows = [row for row in cells if sum(map(bool, row)) > 1]
        """Rows with several cells."""

    @cached_property
    def filled(self) -> list[list[Cell]]:
        """The cells with text of each column, in rows with several cells."""
        return [[row[column] for row in self.rows if row[column]] for column in range(self.columns.number)]

    @cached_property
    def lengths(self) -> list[float]:
        """The mean characters per line of the columns that have text."""
        return [mean([_line_length(cell) for cell in column]) for column in self.filled if column]


def broken_rule(region: AlignedRegion) -> str | None:
    """Return the name of the first rule that the region breaks; None if it is a table."""
    if not _has_enough_rows(region):
        return "enough rows"
    if region.columns.figures and sum(is_data(line) for line in region.lines) > 1:
        return None if _has_aligned_figures(region) else "aligned figures"
    return next((name for name, follows in _RULES_OF_TEXT if not follows(region)), None)


def _has_enough_rows(region: AlignedRegion) -> bool:
    is_clear = region.is_ruled or len(region.columns.borders) > 1
    return len(region.rows) >= (_MIN_ROWS if is_clear else _MIN_ROWS_OF_TWO)


def _has_aligned_figures(region: AlignedRegion) -> bool:
    """Most figures share an edge or their center with others of their column, and few cells are prose."""
    lines, columns = region.lines, region.columns
    found, shared = 0, 0.0
    for left, right in columns.figures:
        own = [unit for line in lines for unit in line.figures if left <= (unit.x0 + unit.x1) / 2 <= right]
        edges = [[u.x0 for u in own], [u.x1 for u in own], [u.x0 + u.x1 for u in own]]
        found += len(own)
        shared += max([len(own) * _share_at_median(values, _FIGURE_REACH * own[0].size) for values in edges])
    texts = [group for line in lines for group in line.groups if columns.of(group.x0 + 1) > 0]
    prose = sum(len(group.text) > _PROSE for group in texts)
    if shared < _ALIGNED_FIGURES * found:
        return False
    return prose <= _PROSE_BESIDE_FIGURES * len(texts) or sum(map(is_data, lines)) > _MOSTLY_DATA * len(lines)


def _has_filled_columns(region: AlignedRegion) -> bool:
    return sum(len(column) >= _FILLED * len(region.rows) for column in region.filled) >= 2


def _has_text_at_edges(region: AlignedRegion) -> bool:
    """The first and the last column are more than bullets."""
    edges = [column for column in (region.filled[0], region.filled[-1]) if column]
    return not any(all(is_marker(part.text) for cell in column for part in cell) for column in edges)


def _is_not_listing(region: AlignedRegion) -> bool:
    """Lines of programs are numbered; tables seldom have only one column beside the numbers."""
    return len(region.columns.borders) > 1 or region.is_ruled or not _counts_up(region.filled[0])


def _is_not_prose(region: AlignedRegion) -> bool:
    return region.is_ruled or sum(length > _PROSE for length in region.lengths) < 2


def _is_not_definitions(region: AlignedRegion) -> bool:
    """Terms with paragraphs beside them are a list of definitions."""
    if region.is_ruled or len(region.lengths) != 2 or region.lengths[1] <= _MIN_DEFINITION:
        return True
    alone = sum(not row[0] for row in region.cells)
    further = sum(max(0, _count_lines(row[1]) - 1) for row in region.cells)
    return alone + further <= _DEFINITION_LINES * (len(region.cells) - alone)


def _is_drawn_across(region: AlignedRegion) -> bool:
    """Tables are drawn row by row, columns of prose one after the other."""
    enough = min(_ENOUGH_JUMPS, max(_MIN_JUMPS, _JUMPS * len(region.rows)))
    return _count_jumps(region) >= enough or max(region.lengths) <= _SHORT


def _is_ruled_or_aligned(region: AlignedRegion) -> bool:
    return region.is_ruled or _are_aligned(region.filled)


_RULES_OF_TEXT: Final[Sequence[tuple[str, Callable[[AlignedRegion], bool]]]] = (
    ("two filled columns", _has_filled_columns),
    ("no column of bullets", _has_text_at_edges),
    ("no program listing", _is_not_listing),
    ("no columns of prose", _is_not_prose),
    ("no list of definitions", _is_not_definitions),
    ("drawn row by row", _is_drawn_across),
    ("rules or aligned columns", _is_ruled_or_aligned),
)


def _counts_up(column: Sequence[Cell]) -> bool:
    numbers = [int(cell[0].text) for cell in column if cell[0].text.isdecimal()]
    return len(numbers) > 2 and all(after == before + 1 for before, after in pairwise(numbers))


def _line_length(cell: Cell) -> float:
    return sum([len(part.text) for part in cell]) / _count_lines(cell)


def _count_lines(cell: Cell) -> int:
    return len({round(part.base) for part in cell})


def _count_jumps(region: AlignedRegion) -> int:
    """Count how often drawing changes the column."""
    drawn = sorted(
        (number, region.columns.of(segment.x0 + 1))
        for line in region.lines
        for number, segment in zip(line.numbers, line.segments, strict=True)
    )
    return sum(first != second for (_, first), (_, second) in pairwise(drawn))


def _are_aligned(columns: Sequence[Sequence[Cell]]) -> bool:
    """Most columns share their left edge, right edge or center."""
    aligned = 0
    filled = [column for column in columns if len(column) > 1]
    for column in filled:
        lefts = [cell[0].x0 for cell in column]
        rights = [cell[-1].x1 for cell in column]
        centers = [(left + right) / 2 for left, right in zip(lefts, rights, strict=True)]
        aligned += any(_share_at_median(values, _TEXT_REACH) >= _ALIGNED for values in (lefts, rights, centers))
    return bool(filled) and aligned >= _ALIGNED * len(filled)


def _share_at_median(values: Sequence[float], reach: float) -> float:
    middle = median(values)
    return sum(abs(value - middle) <= reach for value in values) / len(values)
