"""Lines -> rows of a table without borders.

Every line with figures is a row. In a table without figures, rules separate rows; without rules, rows are further apart
than the lines of a cell; if they are not, a line without a first cell and with only one other continues the row above.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from crosshead.formats.pdf.layout.lines import TableLine
from crosshead.formats.pdf.tables.aligned.columns import Columns
from crosshead.formats.pdf.tables.cells import Cell
from crosshead.formats.pdf.text.markers import LEADER

_FULL: Final = 20
"""The least characters of a line of a label that is broken because it is full."""
_WRAPPED: Final = 1.5
"""The largest distance of two lines of a label, in ems."""
_NEARER: Final = 0.85
"""A line is nearer to the next one if that distance is at most this multiple of the one to the line above."""
_INDENT: Final = 0.5
"""Lines of a label whose left edges differ by more are indented differently, in ems."""
_SPACE: Final = 0.25
"""The width of a space, in ems."""
_SUBSCRIPT: Final = 0.2
"""Baselines closer than this are of one line, in ems."""
_FURTHER: Final = 1.1
"""Rows are further apart than the lines of a cell by at least this factor."""
_MIN_RULES: Final = 3
"""The least rules in a table whose rows are separated by rules."""
_HALF: Final = 0.5
"""The share of continued lines with a first cell and others above which they are rows after all."""
_OPEN_ENDS: Final = (",", "-", " and", " of", " the", " for", " in", " to")


def merge_lines(
    cells: Sequence[Sequence[Cell]], lines: Sequence[TableLine], columns: Columns, rules: Sequence[float]
) -> list[list[Cell]]:
    """Return rows of cells; `rules` are the heights of the rules that cross the table."""
    if columns.figures:
        opens = _opened_by_figures(cells, lines, rules)
    else:
        for opens in (_opened_by_rules(lines, rules), _opened_by_distance(cells, lines), _opened_by_text(cells)):
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


def _opened_by_figures(
    cells: Sequence[Sequence[Cell]], lines: Sequence[TableLine], rules: Sequence[float]
) -> list[bool]:
    """Return which lines open a row: it has one line of figures, but its label may begin above and end below it."""
    start = min([line.figures[0].x0 for line in lines if line.figures], default=0.0)
    right = max([part.x1 for row in cells for part in row[0] if part.x1 < start or any(row[1:])], default=0.0)
    ends = _figures_end_labels(cells, lines)
    opens: list[bool] = []
    waits = False  # for the figures of the row
    for number, (row, line) in enumerate(zip(cells, lines, strict=True)):
        above = lines[number - 1] if number else None
        before = cells[number - 1] if number else row
        near = above is not None and _is_near(above, line, rules)
        goes_on = near and above is not None and _goes_on(before, row, above, right)
        if line.figures:
            is_first = not (waits and near and (goes_on or not row[0] or not before[0]))
            waits = False
        elif row[0] and not any(row[1:]):
            is_first = not goes_on or (ends and not waits)
            waits = is_first or waits
        elif row[0]:
            is_first, waits = True, False
        else:
            is_first = above is None or _is_nearer_to_next(lines, number)
            waits = is_first or waits
        opens.append(is_first)
    return opens


def _is_near(above: TableLine, line: TableLine, rules: Sequence[float]) -> bool:
    """Return whether a line is near enough to be in the same row."""
    return above.low - line.base < _WRAPPED * line.size and not any(line.base < y < above.low for y in rules)


def _figures_end_labels(cells: Sequence[Sequence[Cell]], lines: Sequence[TableLine]) -> bool:
    """Return whether figures are on the last line of a label, not the first, as lowercase letters show."""
    score = 0
    for (above, row), (upper, lower) in zip(pairwise(cells), pairwise(lines), strict=True):
        if above[0] and row[0] and row[0][0].text[:1].islower() and bool(upper.figures) != bool(lower.figures):
            score += 1 if lower.figures else -1
    return score > 0


def _is_nearer_to_next(lines: Sequence[TableLine], number: int) -> bool:
    """Return whether a line is nearer to the one below than to the one above."""
    if number + 1 == len(lines):
        return False
    return lines[number].low - lines[number + 1].base < _NEARER * (lines[number - 1].low - lines[number].base)


def _goes_on(above: Sequence[Cell], row: Sequence[Cell], line: TableLine, right: float) -> bool:
    """Return whether a label continues the one above, which is full or ends in the middle of a phrase."""
    if not above[0] or not row[0]:
        return False
    last, first = above[0][-1], row[0][0]
    if last.text.endswith(":") or first.x0 < above[0][0].x0 - _INDENT * first.size or last.words[0].x0 > first.x1:
        return False
    if LEADER.search(last.text) or (first.x0 > last.x0 + _INDENT * first.size and not first.text[:1].islower()):
        return False
    if first.text[:1].islower() or last.text.endswith(_OPEN_ENDS):
        return True
    if first.text.endswith(":") or len(last.text) < _FULL:
        return False
    word = first.words[0]
    return last.x1 + _SPACE * first.size + word.x1 - word.x0 > right and last.x1 < right + line.size


def _joins_rows(cells: Sequence[Sequence[Cell]], opens: Sequence[bool]) -> bool:
    """Return whether rows were taken for continued lines: those seldom have a first cell and others."""
    further = [row for row, is_first in zip(cells, opens, strict=True) if not is_first]
    whole = [row for row in further if row[0] and sum(map(bool, row)) > 1]
    return len(whole) > _HALF * len(further)


def _opened_by_rules(window: Sequence[TableLine], rules: Sequence[float]) -> list[bool]:
    if len(rules) < _MIN_RULES:
        return []
    return [True, *[any(below.base < y < above.low for y in rules) for above, below in pairwise(window)]]


def _opened_by_distance(cells: Sequence[Sequence[Cell]], window: Sequence[TableLine]) -> list[bool]:
    """Return which lines open a row if rows are further apart than the lines of a cell; nothing if they are not."""
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
            or (min(own) if own else lowest - line.base) > _FURTHER * pitch
        )
        if is_first:
            above = [None] * len(row)
        above = [min(each.base for each in cell) if cell else last for cell, last in zip(row, above, strict=True)]
        opens.append(is_first)
    return opens


def _top(cell: Cell) -> float:
    return max(each.base for each in cell)


def _pitch(cells: Sequence[Sequence[Cell]]) -> float | None:
    """Return the distance of lines within a cell; None if rows have the same."""
    gaps: list[float] = []
    for column in zip(*cells, strict=True):
        bases = sorted([each.base for cell in column for each in cell], reverse=True)
        size = max([each.size for cell in column for each in cell], default=0.0)
        gaps += [upper - lower for upper, lower in pairwise(bases) if upper - lower > _SUBSCRIPT * size]
    if not gaps or max(gaps) < _FURTHER * min(gaps):
        return None
    return min(gaps)


def _opened_by_text(cells: Sequence[Sequence[Cell]]) -> list[bool]:
    return [bool(row[0]) or sum(map(bool, row)) > 1 for row in cells]
