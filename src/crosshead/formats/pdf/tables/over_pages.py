"""Tables that continue on the next page, or in the next column of text.

The columns on the next page must be below those on the page before. A column without any text on one of the pages is
not known there, so their number may differ. A repeated header row is dropped.

In the next column of text, all columns of the table are moved by the same distance. Tables side by side look the same,
so lines of text above the first or below the second must show that the page is set in columns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise, takewhile
from typing import Final

from crosshead.formats.pdf.page.shapes import PdfTable, Row
from crosshead.formats.pdf.text.amounts import is_figure, is_year

_SAME: Final = 0.7
"""The share of words that a repeated header row has in common with the first one."""

_EDGE: Final = 3.0
"""How far the edges of a moved column may be from where they should be, in points."""
_NEAR: Final = 4
"""How many lines next to a table show in which column it is."""
_WIDE: Final = 0.8
"""How wide a line of text must be, as a share of the width of the table in its column."""
_MOSTLY: Final = 0.5
"""The share of columns of figures that must have labels in the first row of a table with a header row."""

Span = tuple[float, float]


def continued_rows(
    cells: Sequence[Sequence[str]], spans: Sequence[Span], table: PdfTable, *, is_moved: bool = False
) -> list[list[str]] | None:
    """Return the rows with which a table continues the one before it (`cells`, `spans`); None if it does not.

    `is_moved`: it is in the next column of text.
    """
    columns = _match_moved(spans, table.spans) if is_moved else _match(spans, table.spans)
    if columns is None:
        return None
    rows: list[list[str]] = []
    for row in table.cells:
        placed = [""] * len(spans)
        for column, text in zip(columns, row, strict=True):
            placed[column] = text
        rows.append(placed)
    header = cells[0]
    if not any(rows[0]) or _is_same(rows[0], header):
        return rows[1:]
    return None if _is_labeled(rows) else rows


def mark_continued_columns(items: Sequence[Row | PdfTable]) -> None:
    """Mark the tables of a page that may continue the one at the end of the column before."""
    for number, (before, after) in enumerate(pairwise(items), 1):
        if isinstance(before, PdfTable) and isinstance(after, PdfTable) and before.x1 < after.x0:
            above = items[max(0, number - 1 - _NEAR) : number - 1]
            below = items[number + 1 : number + 1 + _NEAR]
            is_text = _are_lines(above[::-1], before, after) or _are_lines(below, after, before)
            after.follows_in_column = after.top > before.bottom and is_text


def _are_lines(items: Sequence[Row | PdfTable], table: PdfTable, other: PdfTable) -> bool:
    """Return whether the text next to a table is set in its column, and as wide as that."""
    rows = list(takewhile(lambda item: isinstance(item, Row) and not _shares_width(item, other), items))
    return any(row.x1 - row.x0 > _WIDE * (table.x1 - table.x0) for row in rows)


def _shares_width(item: Row | PdfTable, other: PdfTable) -> bool:
    return min(item.x1, other.x1) > max(item.x0, other.x0)


def _match_moved(above: Sequence[Span], below: Sequence[Span]) -> list[int] | None:
    """Return the same for a table in the next column of text: all columns must be as far apart as those above."""
    shift = below[0][0] - above[0][0]
    if len(above) != len(below) or any(
        min(abs(x0 - shift - left), abs(x1 - shift - right)) > _EDGE
        for (left, right), (x0, x1) in zip(above, below, strict=True)
    ):
        return None
    return list(range(len(above)))


def _match(above: Sequence[Span], below: Sequence[Span]) -> list[int] | None:
    """Return the column above for each column below; None if they do not match."""
    found: list[int] = []
    for x0, x1 in below:
        shared = [min(x1, right) - max(x0, left) for left, right in above]
        best = max(range(len(above)), key=lambda column: shared[column], default=-1)
        if best < 0 or shared[best] <= 0 or (found and best <= found[-1]):
            return None
        found.append(best)
    return found if len(found) > 1 else None


def _is_same(row: Sequence[str], header: Sequence[str]) -> bool:
    """Return whether a row repeats the header row, first column aside."""
    own, above = (Counter(" ".join(cells[1:]).split()) for cells in (row, header))
    return bool(own) and (own & above).total() >= _SAME * max(own.total(), above.total())


def _is_labeled(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the first row labels most columns of figures."""
    columns = list(zip(*rows, strict=True))[1:]
    filled = [column for column in columns if any(_is_data(text) for text in column[1:])]
    named = [column for column in filled if column[0] and not _is_data(column[0])]
    return bool(filled) and len(named) > _MOSTLY * len(filled)


def _is_data(text: str) -> bool:
    return is_figure(text) and not is_year(text)
