"""Tables: fill spans, and tell layout tables from data tables."""

from __future__ import annotations

from typing import NamedTuple

from crosshead.formats.markup.html.page.blocks import BlockWriter
from crosshead.formats.shared import gfm

MAX_COLUMN_SPAN = 100
"""More columns than this mean `the whole width`."""
MAX_ROW_SPAN = 10_000
MAX_FILLED_CELLS = 2_000_000
"""Spans that would make a table larger than this are ignored."""


class Cell(NamedTuple):
    """A finished cell."""

    text: str
    """In which a newline is a line break."""
    sheet: BlockWriter | None
    """Its blocks if it has more than one line of text."""
    columns: int
    rows: int


class TableReader:
    """A table whose cells are being read."""

    __slots__ = ("caption", "has_headings", "has_inner_table", "has_spans", "is_layout", "rows", "span")

    def __init__(self, *, is_layout: bool) -> None:
        self.rows: list[list[Cell | str]] = []
        """A cell that is a single line and spans no other is only its text."""
        self.caption = ""
        self.span = (1, 1)
        """Columns and rows of the open cell."""
        self.is_layout = is_layout
        self.has_headings = False
        """Whether a cell is marked as a heading."""
        self.has_inner_table = False
        self.has_spans = False

    def holds_data(self) -> bool:
        """Return whether the table holds data; tables also lay out pages."""
        if self.is_layout:
            return False
        if self.has_headings:
            return True
        if self.has_inner_table or self.caption:
            return not self.has_inner_table
        rows = [row for row in self.rows if row]
        return len(rows) > 1 and max(map(len, rows)) > 1


def write_table(sheet: BlockWriter, table: TableReader) -> None:
    """Write a finished table: as a table if it holds data, else its cells one after the other."""
    if table.caption:
        sheet.write_paragraph(gfm.escape_start(table.caption))
    if not table.holds_data():
        _write_cells(sheet, table)
        return
    grid = [row for row in _fill_spans(table) if any(row)]
    if grid:
        sheet.write_table(grid)


def _write_cells(sheet: BlockWriter, table: TableReader) -> None:
    for row in table.rows:
        for cell in row:
            if isinstance(cell, str):
                if cell:
                    sheet.write_paragraph(gfm.escape_start(cell))
            elif cell.sheet is not None:
                blocks = cell.sheet.text()
                if blocks:
                    sheet.write(blocks, flat=cell.sheet.flat_text())
            elif cell.text:
                sheet.write_paragraph(gfm.escape_start(cell.text))


def _fill_spans(table: TableReader) -> list[list[str]]:
    """Return the texts row by row; a cell that spans several places fills the first, the others are empty."""
    rows = table.rows
    width = max((sum(_columns(cell, 1) for cell in row) for row in rows), default=0) if table.has_spans else 0
    if not table.has_spans or width * len(rows) > MAX_FILLED_CELLS:
        return [[cell if type(cell) is str else _text(cell) for cell in row] for row in rows]
    hanging: dict[int, int] = {}
    return [_fill_row(row, hanging, width) for row in rows]


def _fill_row(row: list[Cell | str], hanging: dict[int, int], width: int) -> list[str]:
    line: list[str] = []
    for cell in row:
        if hanging:
            _fill_hanging(line, hanging)
        if isinstance(cell, str):
            line.append(cell)
            continue
        columns = max(1, _columns(cell, width - len(line)))
        if cell.rows > 1:
            hanging.update(dict.fromkeys(range(len(line), len(line) + columns), cell.rows - 1))
        line.append(cell.text)
        line.extend([""] * (columns - 1))
    _fill_hanging(line, hanging)
    return line


def _fill_hanging(line: list[str], hanging: dict[int, int]) -> None:
    """Leave the places empty that a cell of an earlier row takes."""
    while len(line) in hanging:
        column = len(line)
        line.append("")
        hanging[column] -= 1
        if not hanging[column]:
            del hanging[column]


def _text(cell: Cell | str) -> str:
    return cell if isinstance(cell, str) else cell.text


def _columns(cell: Cell | str, whole_width: int) -> int:
    if isinstance(cell, str):
        return 1
    return cell.columns if cell.columns <= MAX_COLUMN_SPAN else whole_width
