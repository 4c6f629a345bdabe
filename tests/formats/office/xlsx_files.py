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
