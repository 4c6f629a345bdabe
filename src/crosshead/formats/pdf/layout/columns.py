"""The edges of the columns of text, and the typical distance of rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from crosshead.formats.pdf.page.shapes import PdfPage, PdfTable, Row

_REACH: Final = 8
"""How many rows above and below a row show where its column ends."""
_COMMON: Final = 0.15
"""The least share of all rows that begin at the left edge of a column."""
_MAX_INDENT: Final = 90.0
"""How far all rows of a column may be indented, in points."""
_MIN_LEADING: Final = 0.9
_MAX_LEADING: Final = 2.5
"""The least and the largest distance of two rows of a paragraph, in ems."""
_MIN_ROWS: Final = 8
"""The fewest rows that show the typical distance."""
_DEFAULT_LEADING: Final = 1.2
"""The distance in a document with fewer rows, in ems."""


def measure_columns(pages: Sequence[PdfPage]) -> None:
    """Set where the column of every row begins and ends."""
    runs = [run for page in pages for run in _runs(page)]
    lefts: Counter[int] = Counter()
    for run in runs:
        lefts[round(min(item.x0 for item in run))] += len(run)
    total = sum(lefts.values())
    for run in runs:
        left = _column_left(round(min(item.x0 for item in run)), lefts, total)
        rows = [item for item in run if isinstance(item, Row)]
        for item in run:
            item.left = left
        for number, row in enumerate(rows):
            around = rows[max(0, number - _REACH) : number + _REACH + 1]
            row.right = max([each.x1 for each in around])


def _runs(page: PdfPage) -> Iterator[list[Row | PdfTable]]:
    run: list[Row | PdfTable] = []
    for item in page.items:
        if run and isinstance(item, Row) and item.starts_column:
            yield run
            run = []
        run.append(item)
    if run:
        yield run


def _column_left(own: int, lefts: Counter[int], total: int) -> float:
    """Return the left edge of a column; one with indented rows only begins where others do."""
    if lefts[own] >= _COMMON * total:
        return float(own)
    near = [left for left in lefts if own - _MAX_INDENT <= left <= own + 1 and lefts[left] >= _COMMON * total]
    return float(max(near, key=lambda left: lefts[left], default=own))


def usual_leading(pages: Sequence[PdfPage]) -> float:
    """Return the most common distance of two rows, in ems."""
    found: Counter[float] = Counter()
    for page in pages:
        for first, second in zip(page.items, page.items[1:], strict=False):
            if isinstance(first, Row) and isinstance(second, Row) and first.style.size == second.style.size > 0:
                ratio = round((first.base - second.base) / first.style.size, 1)
                if _MIN_LEADING <= ratio <= _MAX_LEADING:
                    found[ratio] += 1
    if found.total() < _MIN_ROWS:
        return _DEFAULT_LEADING
    return max(found, key=lambda ratio: (found[ratio], -ratio), default=_DEFAULT_LEADING)
