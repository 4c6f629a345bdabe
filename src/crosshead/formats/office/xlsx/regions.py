"""The cells of a sheet -> tables.

1. An area that the file itself calls a table is one, with its name.
2. Of the other cells, a blank row ends a table, unless what follows goes on in the same columns without a new header.
3. Blank columns part two tables that stand side by side. Columns are often set apart only to look better, so that what
   is right of them must look like a separate table: with a header, without holes, and either with labels in its
   first column or in other rows than the left one. Each of the two is parted again, as far as that goes.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Final, NamedTuple

from crosshead.formats.office.xlsx.cells import MAX_CELLS, Area, Row, Rows, Sheet
from crosshead.formats.shared.tables.dialect import has_header, is_value

_MAX_PARTING: Final = 8
"""Maximum depth of splitting."""
_MAX_RUNS: Final = 50
"""More columns that are set apart are a pattern, not tables side by side."""
_SAMPLE: Final = 50
_HOLES: Final = 3
"""Rows of a table per blank row in it."""
_MIN_LIST: Final = 3
"""Minimum cells of a single column next to a table that is a separate list."""


class SheetTable(NamedTuple):
    """An area that the file calls a table."""

    name: str
    area: Area
    column_names: list[str]
    """Whether the header is hidden."""


class Region(NamedTuple):
    """Cells that belong together."""

    rows: Rows
    table: SheetTable | None = None

    @property
    def place(self) -> tuple[int, int]:
        """Its first row and column."""
        return self.rows[0][0], min(self.rows[0][1])


def find_regions(sheet: Sheet, tables: Sequence[SheetTable]) -> list[Region]:
    """Return the regions of a sheet, from top to bottom and from left to right."""
    rows = sheet.rows
    found = []
    if tables:
        rows = [(number, dict(row)) for number, row in rows]
        found = list(_take_tables(rows, tables))
        rows = [(number, row) for number, row in rows if row]
    merges: dict[int, list[Area]] = {}
    for merge in sheet.merges:
        merges.setdefault(merge.top, []).append(merge)
    found += [Region(_without_title_merges(part, merges)) for part in _part(rows)]
    return sorted(found, key=lambda region: region.place)


def _take_tables(rows: Rows, tables: Sequence[SheetTable]) -> Iterator[Region]:
    """Take the cells of tables out of the rows."""
    numbers = [number for number, _ in rows]
    budget = 4 * MAX_CELLS
    for table in tables:
        first, last = bisect_left(numbers, table.area.top), bisect_left(numbers, table.area.bottom + 1)
        budget -= last - first
        if budget < 0:
            return
        columns = range(table.area.left, table.area.right + 1)
        taken = [
            (number, {column: row.pop(column) for column in sorted(row) if column in columns})
            for number, row in rows[first:last]
        ]
        taken = [(number, row) for number, row in taken if row]
        if taken:
            yield Region(taken, table)


def _part(rows: Rows) -> Iterator[Rows]:
    stack = [(rows, 0)]
    while stack:
        given, depth = stack.pop()
        parts: list[Rows] = []
        for block in _blocks(given):
            sides = _sides(block) if depth < _MAX_PARTING else [block]
            if len(sides) > 1:
                stack += [(side, depth + 1) for side in sides]
            else:
                parts.append(block)
        yield from parts


def _blocks(rows: Rows) -> Iterator[Rows]:
    """A blank row ends a table, unless the rows below continue in the same columns without a new header."""
    block: Rows = []
    for number, row in rows:
        if block and number > block[-1][0] + 1 and not (len(block) > 1 and _goes_on(block[-1][1], row)):
            yield block
            block = []
        block.append((number, row))
    if block:
        yield block


def _goes_on(last: Row, row: Row) -> bool:
    """Rows of one table have the same kinds of values in the same columns."""
    return (
        last.keys() == row.keys()
        and any(map(str.isdigit, "".join(row.values())))
        and [value[:1].isdigit() for value in last.values()] == [value[:1].isdigit() for value in row.values()]
    )


def _sides(block: Rows) -> list[Rows]:
    """Split a block at blank columns if the parts are separate tables."""
    runs = _runs(sorted({column for _, row in block for column in row}))
    if not 1 < len(runs) <= _MAX_RUNS:
        return [block]
    sides = [runs[0]]
    for run in runs[1:]:
        if _stands_apart(_Side(block, sides[-1]), _Side(block, run)):
            sides.append(run)
        else:
            sides[-1] = [*sides[-1], *run]
    return [_cut(block, side) for side in sides] if len(sides) > 1 else [block]


def _runs(columns: Sequence[int]) -> list[list[int]]:
    """Return the columns with nothing blank between them."""
    runs = [[*columns[:1]]]
    for before, column in pairwise(columns):
        if column > before + 1:
            runs.append([])
        runs[-1].append(column)
    return runs


def _cut(block: Rows, columns: Sequence[int]) -> Rows:
    cut = [(number, {column: row[column] for column in columns if column in row}) for number, row in block]
    return [(number, row) for number, row in cut if row]


class _Side:
    """The cells on one side of a blank column, without rows that hold only a title."""

    def __init__(self, block: Rows, columns: Sequence[int]) -> None:
        self._block = block
        self.columns = columns

    @cached_property
    def top(self) -> int:
        return next((number for number, row in self._block if self._is_full(row)), 0)

    @cached_property
    def bottom(self) -> int:
        return next((number for number, row in reversed(self._block) if self._is_full(row)), 0)

    @cached_property
    def rows(self) -> Rows:
        return [(number, row) for number, row in self._block if self._is_full(row)]

    def is_table(self) -> bool:
        """It has a header, and few holes."""
        rows = self.rows
        if len(rows) < 2 or (self.bottom - self.top + 1 - len(rows)) * _HOLES > len(rows):
            return False
        return has_header([[row.get(column, "") for column in self.columns] for _, row in rows[:_SAMPLE]])

    def has_labels(self) -> bool:
        """Its first column names the rows."""
        below = [row.get(self.columns[0], "") for _, row in self.rows[1:_SAMPLE]]
        return sum(bool(cell) and not is_value(cell) for cell in below) * 2 > len(below)

    def _is_full(self, row: Row) -> bool:
        return sum(column in row for column in self.columns) >= min(2, len(self.columns))


def _stands_apart(left: _Side, right: _Side) -> bool:
    if not right.is_table() or not left.top:
        return False
    has_other_rows = left.bottom != right.bottom or abs(left.top - right.top) > 1
    if min(len(left.columns), len(right.columns)) > 1:
        return has_other_rows or right.has_labels()
    return has_other_rows and right.has_labels() and len(right.rows) >= _MIN_LIST


def _without_title_merges(rows: Rows, merges: Mapping[int, Sequence[Area]]) -> Rows:
    """A merged cell over the whole width of a table is its title, however often it was filled in."""
    columns = {column for _, row in rows for column in row}
    left, right = min(columns), max(columns)

    def is_title(number: int) -> bool:
        return any(merge.left <= left < right <= merge.right for merge in merges.get(number, ()))

    return [(number, {left: row[left]} if left in row and is_title(number) else row) for number, row in rows]
