"""Tables: spans filled, and tables that only lay out a page told from those that hold data."""

from __future__ import annotations

from typing import NamedTuple

from crosshead.extract import gfm
from crosshead.extract.html.blocks import Sheet

MAX_COLUMN_SPAN = 100
"""More columns than this mean `the whole width`."""
MAX_ROW_SPAN = 10_000
MAX_FILLED_CELLS = 2_000_000
"""Spans that would make a table larger than this are ignored."""


class Cell(NamedTuple):
    """A finished cell."""

    text: str
    """In which a newline is a line break."""
    sheet: Sheet | None
    """Its blocks if it has more than one line of text."""
    columns: int
    rows: int


class Table:
    """A table whose cells are being read."""

    __slots__ = ("caption", "has_headings", "has_inner_table", "is_layout", "rows", "span")

    def __init__(self, *, is_layout: bool) -> None:
        self.rows: list[list[Cell]] = []
        self.caption = ""
        self.span = (1, 1)
        """Columns and rows of the open cell."""
        self.is_layout = is_layout
        self.has_headings = False
        """Is there a cell that says that it is a heading?"""
        self.has_inner_table = False

    def holds_data(self) -> bool:
        """Tables also lay out pages: their cells are no rows and columns of anything."""
        if self.is_layout:
            return False
        if self.has_headings:
            return True
        if self.has_inner_table or self.caption:
            return not self.has_inner_table
        rows = [row for row in self.rows if row]
        return len(rows) > 1 and max(map(len, rows)) > 1


def write_table(sheet: Sheet, table: Table) -> None:
    """Write a finished table: as a table if it holds data, else its cells one after the other."""
    if table.caption:
        sheet.write_paragraph(gfm.escape_start(table.caption))
    if not table.holds_data():
        _write_cells(sheet, table)
        return
    grid = [row for row in _fill_spans(table.rows) if any(row)]
    if not grid:
        return
    finished = gfm.table([[gfm.cell(cell) if cell else "" for cell in row] for row in grid])
    sheet.write(finished, flat="\n".join([" | ".join([cell.replace("\n", " ") for cell in row]) for row in grid]))


def _write_cells(sheet: Sheet, table: Table) -> None:
    for row in table.rows:
        for cell in row:
            if cell.sheet is not None:
                blocks = cell.sheet.text()
                if blocks:
                    sheet.write(blocks, flat=cell.sheet.flat_text())
            elif cell.text:
                sheet.write_paragraph(gfm.escape_start(cell.text))


def _fill_spans(rows: list[list[Cell]]) -> list[list[str]]:
    """Return the texts row by row; a cell that spans several places fills the first, the others are empty."""
    if not any(cell.columns > 1 or cell.rows > 1 for row in rows for cell in row):
        return [[cell.text for cell in row] for row in rows]
    width = max((sum(_columns(cell, 1) for cell in row) for row in rows), default=0)
    if width * len(rows) > MAX_FILLED_CELLS:
        return [[cell.text for cell in row] for row in rows]
    hanging: dict[int, int] = {}
    return [_fill_row(row, hanging, width) for row in rows]


def _fill_row(row: list[Cell], hanging: dict[int, int], width: int) -> list[str]:
    line: list[str] = []
    waiting = iter(row)
    cell = next(waiting, None)
    while cell is not None or len(line) in hanging:
        column = len(line)
        if column in hanging:
            line.append("")
            hanging[column] -= 1
            if not hanging[column]:
                del hanging[column]
        elif cell is not None:
            columns = max(1, _columns(cell, width - column))
            line.append(cell.text)
            line.extend([""] * (columns - 1))
            if cell.rows > 1:
                hanging.update(dict.fromkeys(range(column, column + columns), cell.rows - 1))
            cell = next(waiting, None)
    return line


def _columns(cell: Cell, whole_width: int) -> int:
    return cell.columns if cell.columns <= MAX_COLUMN_SPAN else whole_width
