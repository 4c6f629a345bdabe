"""Chunks of a workbook cite the cells that they hold."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.formats.office.xlsx_files import book, labeled_sheet

import crosshead
from crosshead.types import Chunk

LABELED = re.compile(r"\bcell ([A-Z]+\d+)\b")


def cited_cells(chunk: Chunk) -> tuple[str, set[str]]:
    """Return the sheet of a citation, and the names of all cells that it covers."""
    found = re.fullmatch(r"book\.xlsx (.+)!([A-Z])(\d+)(?::([A-Z])(\d+))?", chunk.citation)
    assert found, chunk.citation
    sheet, left, top, right, bottom = found.groups()
    columns = range(ord(left), ord(right or left) + 1)
    return sheet, {f"{chr(column)}{row}" for column in columns for row in range(int(top), int(bottom or top) + 1)}


def chunks_of(data: bytes, **options: Any) -> list[Chunk]:
    return crosshead.chunk(crosshead.read(data, "xlsx", source="book.xlsx"), **options)


@pytest.mark.parametrize("width", [0, 4, 60], ids=["narrow rows", "wide rows", "records"])
def test_each_chunk_cites_the_rows_that_it_holds(width: int) -> None:
    chunks = chunks_of(book(lambda workbook: labeled_sheet(workbook, "Data", [(2, 1, 90, 4)], width)))
    assert len(chunks) > 1
    for chunk in chunks:
        sheet, cells = cited_cells(chunk)
        labels = set(LABELED.findall(chunk.content))
        assert sheet == "Data"
        header = {f"{column}3" for column in "BCDE"}
        assert labels <= cells <= labels | header, chunk.citation
    assert len({chunk.citation for chunk in chunks}) == len(chunks)


def test_tables_side_by_side_are_cited_together() -> None:
    data = book(lambda workbook: labeled_sheet(workbook, "Both", [(0, 0, 4, 2), (0, 4, 9, 2)]))
    [chunk] = chunks_of(data)
    assert chunk.citation == "book.xlsx Both!A1:F9"


def test_sheet_names_are_quoted_as_in_a_formula() -> None:
    names = ["Revenue", "Q1 2026", "it's", "A1", "Umsätze", "2026"]

    def fill(workbook: Any) -> None:
        for name in names:
            labeled_sheet(workbook, name, [(0, 0, 2, 2)])

    chunks = chunks_of(book(fill), max_tokens=30, min_tokens=1)
    assert [chunk.citation.removeprefix("book.xlsx ") for chunk in chunks] == [
        "Revenue!A1:B2", "'Q1 2026'!A1:B2", "'it''s'!A1:B2", "'A1'!A1:B2", "Umsätze!A1:B2", "'2026'!A1:B2",
    ]  # fmt: skip


def test_a_sheet_without_cells_is_cited_as_a_section() -> None:
    def fill(workbook: Any) -> None:
        workbook.add_worksheet("Note").insert_textbox(0, 0, "Only a text box.")

    [chunk] = chunks_of(book(fill))
    assert chunk.citation == "book.xlsx (Note)"


def test_fields_of_a_chunk_hold_rows_sheet_and_columns() -> None:
    [chunk] = chunks_of(book(lambda workbook: labeled_sheet(workbook, "Data", [(4, 1, 3, 2)])))
    assert (chunk.source_start_line, chunk.source_end_line, chunk.source_file) == (5, 7, "Data!B:C")
    without = Chunk.from_json({**chunk.to_json(), "source_start_line": None, "source_end_line": None})
    assert without.citation == "book.xlsx (Data)", "an index from before rows were known"
