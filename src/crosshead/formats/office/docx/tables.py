"""Tables: rows, merged cells and tables inside cells -> a grid of texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from lxml import etree

from crosshead.errors import TooLarge
from crosshead.formats.office.docx.names import (
    NOT_TEXT,
    PARAGRAPH,
    TABLE,
    VAL,
    W,
    child_value,
    first_child,
    whole_number,
)
from crosshead.formats.office.openxml.drawing import ALTERNATE_CONTENT, chosen_alternative
from crosshead.formats.shared import gfm

MAX_COLUMNS: Final = 63
"""Word's limit; a wider table must really have the cells."""
MAX_CELLS: Final = 5_000_000

_ROW = f"{W}tr"
_CELL = f"{W}tc"

CellText = Callable[[etree._Element, bool], list[str]]
"""Gives the lines of a paragraph in a cell; True where the cell is in the first row."""


def render_table(table: etree._Element, read: CellText) -> str:
    """Return a table as Markdown. Tables inside it become lines in their cell, the innermost first."""
    inner: dict[etree._Element, list[str]] = {}
    for each in reversed(list(table.iter(TABLE))):
        grid = _read_grid(each, read, inner)
        if each is table:
            return gfm.table([[gfm.cell(text) for text in row] for row in grid])
        inner[each] = [line for row in grid if (line := " | ".join([text for text in row if text]))]
    raise AssertionError("a table holds itself")


def only_cell(table: etree._Element) -> etree._Element | None:
    """Return the cell of a table that has just one: a frame around text, not a table."""
    rows = content_of(table, _ROW)
    first = next(rows, None)
    if first is None or next(rows, None) is not None:
        return None
    cells = content_of(first, _CELL)
    cell = next(cells, None)
    return None if next(cells, None) is not None else cell


def table_indent(table: etree._Element) -> int:
    """Return the indentation of a table, in twentieths of a point."""
    found = table.find(f"{W}tblPr/{W}tblInd")
    return 0 if found is None else whole_number(found.get(f"{W}w"), 0)


def _read_grid(table: etree._Element, read: CellText, inner: dict[etree._Element, list[str]]) -> list[list[str]]:
    rows: list[list[str]] = []
    most = max(MAX_COLUMNS, len(table.findall(f"{W}tblGrid/{W}gridCol")))
    width = 0
    for row in content_of(table, _ROW):
        if _is_deleted(row):
            continue
        texts = _read_row(row, read, inner, most, is_first=not rows)
        if texts:
            rows.append(texts)
            width = max(width, len(texts))
        if len(rows) * width > MAX_CELLS:
            raise TooLarge(f"a table has more than {MAX_CELLS:,} cells: split the DOCX file")
    return rows


def _read_row(
    row: etree._Element, read: CellText, inner: dict[etree._Element, list[str]], most: int, *, is_first: bool
) -> list[str]:
    texts = [""] * min(whole_number(child_value(first_child(row, f"{W}trPr"), f"{W}gridBefore"), 0), most)
    for cell in content_of(row, _CELL):
        span, is_continued = _merging(first_child(cell, f"{W}tcPr"))
        texts.append("" if is_continued else "\n".join(_cell_lines(cell, read, inner, is_first)))
        texts.extend([""] * (min(span, most) - 1))
    return texts


def _merging(properties: etree._Element | None) -> tuple[int, bool]:
    """Return how many columns a cell spans, and whether it continues the cell above."""
    if properties is None:
        return 1, False
    merged = first_child(properties, f"{W}vMerge")
    is_continued = merged is not None and merged.get(VAL) != "restart"
    return max(1, whole_number(child_value(properties, f"{W}gridSpan"), 1)), is_continued


def _cell_lines(
    cell: etree._Element, read: CellText, inner: dict[etree._Element, list[str]], is_first: bool
) -> list[str]:
    lines: list[str] = []
    for each in content_of(cell, PARAGRAPH, TABLE):
        lines += read(each, is_first) if each.tag == PARAGRAPH else inner.pop(each, [])
    return lines


def _is_deleted(row: etree._Element) -> bool:
    return first_child(first_child(row, f"{W}trPr"), f"{W}del") is not None


def content_of(element: etree._Element, *wanted: str) -> Iterator[etree._Element]:
    """Yield the elements of a kind that belong to this one, also from inside controls and insertions."""
    stack = element[::-1]
    while stack:
        each = stack.pop()
        tag = each.tag
        if tag in wanted:
            yield each
        elif tag == ALTERNATE_CONTENT:
            chosen = chosen_alternative(each)
            stack += [] if chosen is None else chosen[::-1]
        elif tag not in NOT_TEXT:
            stack += each[::-1]
