"""ODS -> Markdown: every sheet is a section, and its tables are written as those of other workbooks.

Cells show what the program showed, but for dates, which are written as ISO dates.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lxml import etree

from crosshead.formats.base import Extracted
from crosshead.formats.office.opendocument.package import OFFICE, TABLE, TEXT, OdfPackage, whole_number
from crosshead.formats.office.xlsx.cells import (
    MAX_CELLS,
    MAX_COLUMNS,
    Area,
    Rows,
    Sheet,
    add_characters,
    fill_merges,
    too_many_cells,
)
from crosshead.formats.office.xlsx.writing import write_sheet
from crosshead.formats.shared.tables.writing import TablePart, join_parts
from crosshead.options import ExtractOptions

_ROW: Final = f"{TABLE}table-row"
_CELL: Final = f"{TABLE}table-cell"
_MIDNIGHT: Final = "T00:00:00"


def read_ods(data: bytes, _options: ExtractOptions) -> Extracted:
    """Read a spreadsheet."""
    package = OdfPackage(data, what="OpenDocument spreadsheet", kind="spreadsheet")
    parts: list[TablePart] = []
    count = characters = 0
    for sheet in package.body.iterchildren(f"{TABLE}table"):
        cells = _read_sheet(sheet, MAX_CELLS - count)
        count += sum(len(row) for _, row in cells.rows)
        characters = add_characters(characters, *(row for _, row in cells.rows))
        parts += write_sheet(sheet.get(f"{TABLE}name") or "Sheet", cells)
    text, lines = join_parts(parts)
    return Extracted(text, title=package.title(), lines=lines)


def _read_sheet(sheet: etree._Element, cells_left: int) -> Sheet:
    rows: Rows = []
    merges: list[Area] = []
    number = 1
    for element in sheet.iter(_ROW):
        row = dict(_cells(element, number, merges))
        repeated = whole_number(element.get(f"{TABLE}number-rows-repeated"))
        cells_left -= len(row) * repeated
        if cells_left < 0:
            raise too_many_cells()
        if row:
            rows += [(number + at, dict(row)) for at in range(repeated)]
        number += repeated
    fill_merges(rows, merges)
    return Sheet(rows, merges)


def _cells(row: etree._Element, number: int, merges: list[Area]) -> Iterator[tuple[int, str]]:
    column = 0
    for cell in row.iterchildren(_CELL, f"{TABLE}covered-table-cell"):
        repeated = min(whole_number(cell.get(f"{TABLE}number-columns-repeated")), MAX_COLUMNS)
        text = _shown(cell) if cell.tag == _CELL else ""
        if text:
            yield from ((each, text) for each in range(column, min(column + repeated, MAX_COLUMNS)))
            columns = whole_number(cell.get(f"{TABLE}number-columns-spanned"))
            rows = whole_number(cell.get(f"{TABLE}number-rows-spanned"))
            if (columns, rows) != (1, 1):
                merges.append(Area(number, column, number + rows - 1, min(column + columns, MAX_COLUMNS) - 1))
        column += repeated


def _shown(cell: etree._Element) -> str:
    date = cell.get(f"{OFFICE}date-value") or ""
    if date:
        return date.removesuffix(_MIDNIGHT).replace("T", " ")
    lines = ["".join(_texts(each)) for each in cell.iterchildren(f"{TEXT}p")]
    return "\n".join(lines).strip() or cell.get(f"{OFFICE}value") or cell.get(f"{OFFICE}string-value") or ""


def _texts(paragraph: etree._Element) -> Iterator[str]:
    for each in paragraph.iter():
        if each.tag == f"{TEXT}s":
            yield " " * min(whole_number(each.get(f"{TEXT}c")), 1000)
        elif each.tag in (f"{TEXT}tab", f"{TEXT}line-break"):
            yield " "
        else:
            yield each.text or ""
        if each is not paragraph:
            yield each.tail or ""
