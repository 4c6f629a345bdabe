"""Sheets of a workbook -> tables. Blank rows part them; a row of one cell above a table is its title."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final, NamedTuple

from crosshead.errors import TooLarge
from crosshead.extract.shared.records import Record
from crosshead.extract.shared.shape import filled, find_shape, preamble_part, regular_rows
from crosshead.extract.shared.tables import write_table

SHEET_LEVEL: Final = 2
MAX_CELLS: Final = 250_000
MAX_COLUMNS: Final = 16_384
MAX_GRID: Final = 20_000_000
"""Cells of a table with the empty ones between them."""
_SAMPLE: Final = 200

Row = dict[int, str]
"""The cells that are not empty, by column."""


class Merge(NamedTuple):
    """A cell that covers others."""

    top: int
    left: int
    bottom: int
    right: int


def too_many_cells() -> TooLarge:
    """Return the error for a workbook that is too large."""
    return TooLarge(f"more than {MAX_CELLS:,} cells: split the workbook, or save its large sheets as CSV")


def fill_merges(rows: Sequence[tuple[int, Row]], merges: Sequence[Merge]) -> None:
    """Every row of a merged cell gets its value, every column only if the row holds more than this cell."""
    by_number = dict(rows)
    budget = MAX_CELLS
    for merge in merges:
        value = by_number.get(merge.top, {}).get(merge.left)
        numbers = range(merge.top, min(merge.bottom, merge.top + len(rows)) + 1)
        budget -= len(numbers) * (merge.right - merge.left + 1)
        if value is None or budget < 0:
            continue
        for row in [by_number[number] for number in numbers if number in by_number]:
            inside = range(merge.left, merge.right + 1)
            alone = not any(column not in inside for column in row)
            for column in inside[:1] if alone else inside:
                row.setdefault(column, value)


def sheet_blocks(rows: Sequence[tuple[int, Row]]) -> Iterator[str]:
    """Return the blocks of a sheet."""
    for region in _regions(rows):
        yield from _region_blocks(region)


def _regions(rows: Sequence[tuple[int, Row]]) -> Iterator[list[tuple[int, Row]]]:
    """A blank row ends a table, unless what follows goes on in the same columns without a new header."""
    region: list[tuple[int, Row]] = []
    for number, row in rows:
        if region and number > region[-1][0] + 1 and not (len(region) > 1 and _goes_on(region[-1][1], row)):
            yield region
            region = []
        region.append((number, row))
    if region:
        yield region


def _goes_on(last: Row, row: Row) -> bool:
    """Rows of one table have the same kinds of values in the same columns."""
    return (
        last.keys() == row.keys()
        and any(map(str.isdigit, "".join(row.values())))
        and [value[:1].isdigit() for value in last.values()] == [value[:1].isdigit() for value in row.values()]
    )


def _region_blocks(region: Sequence[tuple[int, Row]]) -> Iterator[str]:
    columns = sorted({column for _, row in region for column in row})
    if len(region) * len(columns) > MAX_GRID:
        raise TooLarge(f"a table of {len(region):,} rows and {len(columns):,} columns: split the workbook")
    records = [Record(number, number, [row.get(column, "") for column in columns]) for number, row in region]
    shape = find_shape(records[:_SAMPLE])
    yield from [preamble_part(record).text for record in shape.preamble]
    rows = regular_rows(chain(shape.rows, records[_SAMPLE:]), shape.width, [])
    if len(columns) == 1 or (len(records) - len(shape.preamble) == 1 and len(columns) < 2):
        yield from [preamble_part(record).text for record in chain([shape.header] if shape.header else [], rows)]
        return
    names = filled(shape.header.cells if shape.header else [], len(columns))
    labels = [name.strip() or _letters(column) for name, column in zip(names, columns, strict=True)]
    parts = write_table(labels, rows, level=SHEET_LEVEL + 1, header_line=1 if shape.header else 0)
    yield from [part.text for part in parts]


def _letters(column: int) -> str:
    letters, number = "", column + 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters
