"""Tables that go on over the page.

The columns of the next page must stand below those of the last one. A column without any text on one of the pages is
not known there, so that their numbers may differ. A header that is repeated goes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from crosshead.extract.readers.pdf.figures import is_figure, is_year
from crosshead.extract.readers.pdf.shapes import Table

_SAME: Final = 0.7
"""The share of its words by which a header is known again."""

Span = tuple[float, float]


def rows_that_go_on(cells: Sequence[Sequence[str]], spans: Sequence[Span], table: Table) -> list[list[str]] | None:
    """Return the rows of the table in the columns of another one that ends on the page before; None if it is new."""
    columns = _match(spans, table.spans)
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


def _match(above: Sequence[Span], below: Sequence[Span]) -> list[int] | None:
    """Return which of the columns above each column below belongs to."""
    found: list[int] = []
    for x0, x1 in below:
        shared = [min(x1, right) - max(x0, left) for left, right in above]
        best = max(range(len(above)), key=lambda column: shared[column], default=-1)
        if best < 0 or shared[best] <= 0 or (found and best <= found[-1]):
            return None
        found.append(best)
    return found if len(found) > 1 else None


def _is_same(row: Sequence[str], header: Sequence[str]) -> bool:
    """Is it the header once more, give or take what stands in the first column?"""
    own, above = (Counter(" ".join(cells[1:]).split()) for cells in (row, header))
    return bool(own) and (own & above).total() >= _SAME * max(own.total(), above.total())


def _is_labeled(rows: Sequence[Sequence[str]]) -> bool:
    """Do figures stand below texts that are none?"""
    columns = list(zip(*rows, strict=True))[1:]
    having = [column for column in columns if any(_is_data(text) for text in column[1:])]
    named = [column for column in having if column[0] and not _is_data(column[0])]
    return bool(having) and len(named) > 0.5 * len(having)


def _is_data(text: str) -> bool:
    return is_figure(text) and not is_year(text)
