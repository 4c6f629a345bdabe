"""Workbooks for tests, written by XlsxWriter."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import xlsxwriter


def book(fill: Callable[[Any], None], **options: Any) -> bytes:
    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True, **options}) as workbook:
        fill(workbook)
    return file.getvalue()


def sheet(*rows: list[Any], name: str = "Prices") -> bytes:
    def fill(workbook: Any) -> None:
        made = workbook.add_worksheet(name)
        for number, row in enumerate(rows):
            made.write_row(number, 0, row)

    return book(fill)


def labeled_sheet(workbook: Any, name: str, areas: list[tuple[int, int, int, int]], width: int = 0) -> None:
    """Fill areas (top, left, rows, columns) with cells that hold their own name."""
    made = workbook.add_worksheet(name)
    for top, left, rows, columns in areas:
        for row in range(top, top + rows):
            for column in range(left, left + columns):
                text = f"Column {column}" if row == top else f"cell {chr(65 + column)}{row + 1} {'words ' * width}"
                made.write(row, column, text)
