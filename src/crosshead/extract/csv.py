"""CSV and TSV -> tables.

1. The dialect is found by trial.
2. Rows above the table that hold one cell, such as a title, become text.
3. The first full row is the header, unless it looks like data.
4. The rows become tables of a size that fits a chunk.

What does not fit, a quote that is never closed or a row of another width, is reported with its line and kept.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Final, NamedTuple

from crosshead.errors import CorruptFile, TooLarge
from crosshead.extract import gfm
from crosshead.extract.base import Extracted
from crosshead.extract.dialect import find_dialect, has_header
from crosshead.extract.records import Dialect, Record, Splitter
from crosshead.extract.tables import Part, join_parts, write_table
from crosshead.extract.text import decode, normalize
from crosshead.options import ExtractOptions

logger = logging.getLogger("crosshead")

MAX_BYTES: Final = 64 << 20
RECORD_LEVEL: Final = 2
"""Of the headings of records: the first level is the file itself."""
_SAMPLE: Final = 200
_SAMPLE_CELLS: Final = 100_000
_MAX_PREAMBLE: Final = 20
_NAMED_LINES: Final = 5
"""Lines that a warning names."""


class _Shape(NamedTuple):
    """What the first records say about the table."""

    preamble: list[Record]
    header: Record | None
    rows: list[Record]
    width: int


def read_csv(data: bytes, _options: ExtractOptions) -> Extracted:
    """Read comma-separated values, or those with any other usual delimiter."""
    text = _text(data)
    dialect, start = find_dialect(text)
    return _read(text, dialect, start)


def read_tsv(data: bytes, _options: ExtractOptions) -> Extracted:
    """Read tab-separated values; a file without any tab is read as CSV."""
    text = _text(data)
    dialect, start = find_dialect(text)
    return _read(text, dialect._replace(delimiter="\t") if "\t" in text else dialect, start)


def _text(data: bytes) -> str:
    if len(data) > MAX_BYTES:
        raise TooLarge(f"more than {MAX_BYTES >> 20} MiB: split the file, or keep it in a database")
    text = normalize(decode(data))
    nulls = text.count("\0")
    if nulls * 100 > len(text):
        raise CorruptFile("not text, because it holds many zero bytes: save it as CSV again")
    return text.replace("\0", "\ufffd") if nulls else text


def _read(text: str, dialect: Dialect, start: int) -> Extracted:
    splitter = Splitter(text[start:] if start else text, dialect)
    shift = text.count("\n", 0, start)
    records = (record._replace(line=record.line + shift, last_line=record.last_line + shift) for record in
               splitter.records()) if shift else splitter.records()  # fmt: skip
    sample = list(islice(records, 1))
    sample += islice(records, min(_SAMPLE, _SAMPLE_CELLS // len(sample[0].cells)) if sample else 0)
    if not sample:
        return Extracted("")
    shape = _shape(sample)
    ragged: list[int] = []
    rows = _regular(chain(shape.rows, records), shape.width, ragged)
    header = shape.header.cells if shape.header else []
    labels = [name.strip() or f"Column {number}" for number, name in enumerate(_filled(header, shape.width), 1)]
    table = write_table(labels, rows, level=RECORD_LEVEL, header_line=shape.header.line if shape.header else 0)
    found, lines = join_parts(chain(map(_preamble_part, shape.preamble), table))
    _warn("quotes do not match in", splitter.faults)
    _warn(f"there are not {shape.width} cells in", ragged)
    return Extracted(found, lines=lines)


def _shape(sample: Sequence[Record]) -> _Shape:
    width = _usual_width(sample)
    first = next(at for at, record in enumerate(sample) if _width(record) == width or at == _MAX_PREAMBLE)
    above, table = list(sample[:first]), list(sample[first:])
    if any(_width(record) > 1 for record in above):
        above, table = [], list(sample)
    if has_header([record.cells for record in table]):
        width = max(width, len(_trimmed(table[0].cells)))
        return _Shape(above, table[0], table[1:], width)
    return _Shape(above, None, table, width)


def _usual_width(sample: Sequence[Record]) -> int:
    """The width that most rows have; cells at the end that are empty everywhere do not count."""
    return Counter(map(_width, sample)).most_common(1)[0][0] if len(sample) > 1 else len(sample[0].cells)


def _width(record: Record) -> int:
    return len(record.cells)


def _regular(rows: Iterable[Record], width: int, ragged: list[int]) -> Iterator[Record]:
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


def _filled(cells: Sequence[str], width: int) -> list[str]:
    return [*cells, *[""] * (width - len(cells))]


def _preamble_part(record: Record) -> Part:
    text = "\n".join(
        [gfm.escape_start(gfm.escape(line.strip())) for line in record.cells[0].split("\n") if line.strip()]
    )
    return Part(text, ((0, record.line),))


def _warn(what: str, lines: Sequence[int]) -> None:
    if not lines:
        return
    named = ", ".join(map(str, lines[:_NAMED_LINES]))
    more = f" and {len(lines) - _NAMED_LINES} more" if len(lines) > _NAMED_LINES else ""
    logger.warning("%s line%s %s%s: kept as they are", what, "s" if len(lines) > 1 else "", named, more)
