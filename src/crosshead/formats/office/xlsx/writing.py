"""Regions of a sheet -> Markdown: a title as text, the rest as tables, with marks where comments belong."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from crosshead.citation import LineMarks, area_of
from crosshead.errors import TooLarge
from crosshead.formats.office.xlsx.cells import Sheet, column_letters
from crosshead.formats.office.xlsx.regions import Region, find_regions
from crosshead.formats.shared import gfm
from crosshead.formats.shared.tables.records import Record
from crosshead.formats.shared.tables.shape import TableShape, filled, find_shape, preamble_part, regular_rows
from crosshead.formats.shared.tables.writing import TablePart, write_table

SHEET_LEVEL: Final = 2
MAX_GRID: Final = 20_000_000
"""Cells of a table with the empty ones between them."""
_SAMPLE: Final = 200
_DEFAULT_NAME = re.compile(r"(?:Table|Tabelle|Tableau|Tabla|Tabela|Tabell?a?|Tabel|Таблица|テーブル|表)_?\d*", re.I)
_MARK = re.compile("\x01([0-9]+)\x02")

Labels = Mapping[tuple[int, int], str]
"""Labels of footnotes by row and column of their cells."""


def write_sheet(name: str, sheet: Sheet) -> list[TablePart]:
    """Return the blocks of a sheet that has nothing but cells."""
    return under_heading(name, [part for region in find_regions(sheet, []) for part in write_region(name, region, {})])


def under_heading(name: str, parts: Sequence[TablePart]) -> list[TablePart]:
    """Return the blocks of a sheet under its name; nothing if it has none."""
    written = [part for part in parts if part.text]
    return [TablePart(gfm.heading(SHEET_LEVEL, gfm.escape(name))), *written] if written else []


def write_region(sheet: str, region: Region, labels: Labels) -> Iterator[TablePart]:
    """Yield the blocks of a region, with the cells that their lines come from."""
    columns = sorted({column for _, row in region.rows for column in row})
    if len(region.rows) * len(columns) > MAX_GRID:
        raise TooLarge(f"a table has {len(region.rows):,} rows and {len(columns):,} columns: split the workbook")
    records = [Record(number, number, [row.get(column, "") for column in columns]) for number, row in region.rows]
    shape = _find_shape(region, records)
    rows = regular_rows(chain(shape.rows, records[_SAMPLE:]), shape.width, [])
    header = [shape.header] if shape.header else []
    if labels:
        marked = [list(_mark(part, columns, labels)) for part in (shape.preamble, header, rows)]
        shape, header, rows = shape._replace(preamble=marked[0]), marked[1], iter(marked[2])
    parts = [preamble_part(record) for record in shape.preamble]
    if len(columns) == 1:
        parts += [preamble_part(record) for record in chain(header, rows)]
    else:
        names = filled(header[0].cells if header else _hidden_names(region), len(columns))
        given = [name.strip() or column_letters(column) for name, column in zip(names, columns, strict=True)]
        parts += write_table(given, rows, level=SHEET_LEVEL + 1, header_line=header[0].line if header else 0)
    area = area_of(sheet, column_letters(columns[0]), column_letters(columns[-1]))
    yield TablePart(_name(region))
    for part in parts:
        yield TablePart(_MARK.sub(r"[^\1]", part.text) if labels else part.text, _in_area(part, area))


def _in_area(part: TablePart, area: str) -> LineMarks:
    """Return the marks of a block whose lines of the file are rows of an area."""
    end = part.text.count("\n") + 1
    rows = [mark[1] for mark in part.marks if mark[0] >= end] or [part.marks[-1][1] + 1]
    return (*[(mark[0], mark[1], area) for mark in part.marks if mark[0] < end], (end, rows[0], ""))


def _find_shape(region: Region, records: list[Record]) -> TableShape:
    """A declared table has no title inside, and a header unless it is hidden."""
    sample = records[:_SAMPLE]
    if region.table is None:
        return find_shape(sample)
    width = len(records[0].cells)
    if region.table.column_names:
        return TableShape([], None, sample, width)
    return TableShape([], sample[0], sample[1:], width)


def _hidden_names(region: Region) -> list[str]:
    return region.table.column_names if region.table else []


def _name(region: Region) -> str:
    name = region.table.name if region.table else ""
    return "" if _DEFAULT_NAME.fullmatch(name) else gfm.escape_start(gfm.escape(name))


def _mark(records: Iterable[Record], columns: list[int], labels: Labels) -> Iterator[Record]:
    for record in records:
        cells = [
            f"{cell}\x01{label}\x02" if (label := labels.get((record.line, column))) else cell
            for cell, column in zip(record.cells, columns, strict=False)
        ]
        yield record._replace(cells=cells)
