"""Rows -> a title, a header and rows of the same width."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from crosshead.formats.shared import gfm
from crosshead.formats.shared.tables.dialect import has_header
from crosshead.formats.shared.tables.records import Record
from crosshead.formats.shared.tables.writing import TablePart

_MAX_PREAMBLE: Final = 20


class TableShape(NamedTuple):
    """The layout of a table, inferred from its first rows."""

    preamble: list[Record]
    """Rows of one cell above the table, such as its title."""
    header: Record | None
    rows: list[Record]
    width: int


def find_shape(sample: Sequence[Record]) -> TableShape:
    """Separate the title and the header of a table from its rows."""
    width = _usual_width(sample)
    full = (at for at, record in enumerate(sample[:_MAX_PREAMBLE]) if sum(map(bool, map(str.strip, record.cells))) > 1)
    first = next(full, 0)
    above, table = list(sample[:first]), list(sample[first:])
    if has_header([record.cells for record in table]):
        width = max(width, len(_trimmed(table[0].cells)))
        return TableShape(above, table[0], table[1:], width)
    return TableShape(above, None, table, width)


def _usual_width(sample: Sequence[Record]) -> int:
    """The width that most rows have; cells at the end that are empty everywhere do not count."""
    return Counter(map(_width, sample)).most_common(1)[0][0] if len(sample) > 1 else len(sample[0].cells)


def _width(record: Record) -> int:
    return len(record.cells)


def regular_rows(rows: Iterable[Record], width: int, ragged: list[int]) -> Iterator[Record]:
    """Yield the rows with at most `width` cells; `ragged` gets the lines of those that are not as wide as the table."""
    for record in rows:
        if len(record.cells) == width:
            yield record
            continue
        cells = _trimmed(record.cells) if len(record.cells) > width else record.cells
        if len(cells) > width or len(record.cells) < width:
            ragged.append(record.line)
        yield record._replace(cells=cells if len(cells) <= width else _folded(cells, width))


def _folded(cells: list[str], width: int) -> list[str]:
    """Cells beyond the last column stay with it, so that nothing is lost."""
    return [*cells[: width - 1], ", ".join([cell for cell in cells[width - 1 :] if cell.strip()])]


def _trimmed(cells: list[str]) -> list[str]:
    end = len(cells)
    while end > 1 and not cells[end - 1].strip():
        end -= 1
    return cells[:end]


def filled(cells: Sequence[str], width: int) -> list[str]:
    return [*cells, *[""] * (width - len(cells))]


def preamble_part(record: Record) -> TablePart:
    """A row of one cell as a paragraph."""
    lines = "\n".join(record.cells).split("\n")
    text = "\n".join([gfm.escape_start(gfm.escape(line.strip())) for line in lines if line.strip()])
    return TablePart(text, ((0, record.line),))
