"""CSV and TSV -> tables.

1. The dialect is found by trial.
2. Rows above the table that hold one cell, such as a title, become text.
3. The first full row is the header, unless it looks like data.
4. The rows become tables of a size that fits a chunk.

A quote that is never closed or a row of another width is kept, and reported with its line.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, islice
from typing import Final

from crosshead.errors import CorruptFile
from crosshead.formats.base import Extracted
from crosshead.formats.shared.decoding.text import decode
from crosshead.formats.shared.tables.dialect import find_dialect
from crosshead.formats.shared.tables.records import Dialect, RecordSplitter
from crosshead.formats.shared.tables.shape import filled, find_shape, preamble_part, regular_rows
from crosshead.formats.shared.tables.writing import join_parts, write_table
from crosshead.options import ExtractOptions

RECORD_LEVEL: Final = 2
"""Level of the headings of records; level 1 is the file itself."""
_SAMPLE: Final = 200
_SAMPLE_CELLS: Final = 100_000
_NAMED_LINES: Final = 5
"""Lines listed in a warning."""


def read_csv(data: bytes, _options: ExtractOptions) -> Extracted:
    """Read separated values with any common delimiter."""
    warnings: list[str] = []
    text = _text(data, warnings)
    dialect, start = find_dialect(text)
    return _read(text, dialect, start, warnings)


def read_tsv(data: bytes, _options: ExtractOptions) -> Extracted:
    """Read tab-separated values; a file without any tab is read as CSV."""
    warnings: list[str] = []
    text = _text(data, warnings)
    dialect, start = find_dialect(text)
    return _read(text, dialect._replace(delimiter="\t") if "\t" in text else dialect, start, warnings)


def _text(data: bytes, warnings: list[str]) -> str:
    text = decode(data, warnings)
    nulls = text.count("\0")
    if nulls * 100 > len(text):
        raise CorruptFile("not text (many zero bytes): save it as CSV again")
    return text.replace("\0", "\ufffd") if nulls else text


def _read(text: str, dialect: Dialect, start: int, warnings: list[str]) -> Extracted:
    splitter = RecordSplitter(text, dialect, start)
    records = splitter.records()
    sample = list(islice(records, 1))
    sample += islice(records, min(_SAMPLE, _SAMPLE_CELLS // len(sample[0].cells)) if sample else 0)
    if not sample:
        return Extracted("")
    shape = find_shape(sample)
    ragged: list[int] = []
    rows = regular_rows(chain(shape.rows, records), shape.width, ragged)
    header = shape.header.cells if shape.header else []
    labels = [name.strip() or f"Column {number}" for number, name in enumerate(filled(header, shape.width), 1)]
    table = write_table(labels, rows, level=RECORD_LEVEL, header_line=shape.header.line if shape.header else 0)
    found, lines = join_parts(chain(map(preamble_part, shape.preamble), table))
    if splitter.faults:
        warnings.append(_warning("unmatched quotes in", splitter.faults))
    if ragged:
        warnings.append(_warning(f"expected {shape.width} cells in", ragged))
    return Extracted(found, lines=lines, warnings=tuple(warnings))


def _warning(what: str, lines: Sequence[int]) -> str:
    named = ", ".join(map(str, lines[:_NAMED_LINES]))
    more = f" and {len(lines) - _NAMED_LINES} more" if len(lines) > _NAMED_LINES else ""
    return f"{what} line{'s' if len(lines) > 1 else ''} {named}{more}: kept as is"
