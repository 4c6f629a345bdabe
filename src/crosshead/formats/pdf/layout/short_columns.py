"""Short texts side by side, such as a title in two languages, that look like a table of two columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from crosshead.formats.pdf.layout.rows import make_row
from crosshead.formats.pdf.page.shapes import PdfTable, Row, Segment

_MIN_ROWS: Final = 3
"""The least lines of both texts."""
_RUNNING: Final = 0.6
"""The share of lines that must begin in lowercase."""
_MIN_WORDS: Final = 2
"""The least words per line on average; cells often have one."""


def is_running(table: PdfTable) -> bool:
    """Return whether the cells of each of the two columns read as the lines of one text."""
    if len(table.cells) < _MIN_ROWS or any(len(row) != 2 or not all(row) for row in table.cells):
        return False
    return all(_runs_on([row[column] for row in table.cells]) for column in (0, 1))


def _runs_on(lines: Sequence[str]) -> bool:
    lower = sum(line[0].islower() for line in lines[1:])
    words = sum(len(line.split()) for line in lines)
    return lines[0][0].isupper() and lower >= _RUNNING * (len(lines) - 1) and words >= _MIN_WORDS * len(lines)


def columns_of(table: PdfTable, segments: Sequence[Segment]) -> list[Row]:
    """Return the lines of the table as rows, column by column; nothing if a line is in both columns."""
    inside = [n for n, each in enumerate(segments) if _holds(table, each)]
    middle = (table.spans[0][1] + table.spans[1][0]) / 2
    left = [n for n in inside if segments[n].x1 <= middle]
    right = [n for n in inside if segments[n].x0 >= middle]
    if len(left) + len(right) != len(inside) or len(table.spans) != 2:
        return []
    ordered = [*sorted(left, key=lambda n: -segments[n].base), *sorted(right, key=lambda n: -segments[n].base)]
    return [make_row([segments[n]], table.page, table.order) for n in ordered]


def _holds(table: PdfTable, segment: Segment) -> bool:
    return (
        table.bottom - 1 <= segment.base <= table.top + 1 and table.x0 - 1 <= segment.x0 and segment.x1 <= table.x1 + 1
    )
