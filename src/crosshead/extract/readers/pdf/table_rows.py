"""Lines -> rows of a table without borders.

Rules between rows part them; else rows stand further apart than the lines of a cell; else a line that has no first
cell and only one other goes on with the row above.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from crosshead.extract.readers.pdf.cells import Cell
from crosshead.extract.readers.pdf.lines import Line


def merge_lines(cells: Sequence[Sequence[Cell]], window: Sequence[Line], rules: Sequence[float]) -> list[list[Cell]]:
    """Return rows of cells; `rules` are the heights of those that cross the table."""
    for opens in (_opened_by_rules(window, rules), _opened_by_distance(cells, window), _opened_by_text(cells)):
        if opens and not _joins_rows(cells, opens):
            break
    rows: list[list[Cell]] = []
    for row, is_first in zip(cells, opens, strict=True):
        if is_first or not rows:
            rows.append([list(cell) for cell in row])
        else:
            for index, cell in enumerate(row):
                rows[-1][index] += cell
    return rows


def _joins_rows(cells: Sequence[Sequence[Cell]], opens: Sequence[bool]) -> bool:
    """Lines that go on with cells seldom have a first cell and others, as rows have."""
    further = [row for row, is_first in zip(cells, opens, strict=True) if not is_first]
    whole = [row for row in further if row[0] and sum(map(bool, row)) > 1]
    return len(whole) > 0.5 * len(further)


def _opened_by_rules(window: Sequence[Line], rules: Sequence[float]) -> list[bool]:
    if len(rules) < 3:
        return []
    return [True, *[any(below.base < y < above.low for y in rules) for above, below in pairwise(window)]]


def _opened_by_distance(cells: Sequence[Sequence[Cell]], window: Sequence[Line]) -> list[bool]:
    """Rows stand further apart than the lines of a cell."""
    pitch = _pitch(cells)
    if pitch is None:
        return []
    opens: list[bool] = []
    above: list[float | None] = []
    for row, line, before in zip(cells, window, [None, *window], strict=False):
        own = [last - _top(cell) for last, cell in zip(above, row, strict=False) if cell and last is not None]
        lowest = min([last for last in above if last is not None], default=line.base)
        is_first = (
            before is None
            or line.is_whole
            or bool(before.is_whole and row[0])
            or (min(own) if own else lowest - line.base) > 1.1 * pitch
        )
        if is_first:
            above = [None] * len(row)
        above = [min(each.base for each in cell) if cell else last for cell, last in zip(row, above, strict=True)]
        opens.append(is_first)
    return opens


def _top(cell: Cell) -> float:
    return max(each.base for each in cell)


def _pitch(cells: Sequence[Sequence[Cell]]) -> float | None:
    """The distance of lines within a cell, if it differs from that of rows."""
    gaps: list[float] = []
    for column in zip(*cells, strict=True):
        bases = sorted([each.base for cell in column for each in cell], reverse=True)
        size = max([each.size for cell in column for each in cell], default=0.0)
        gaps += [upper - lower for upper, lower in pairwise(bases) if upper - lower > 0.2 * size]
    if not gaps or max(gaps) < 1.1 * min(gaps):
        return None
    return min(gaps)


def _opened_by_text(cells: Sequence[Sequence[Cell]]) -> list[bool]:
    return [bool(row[0]) or sum(map(bool, row)) > 1 for row in cells]
