"""Tables of any size -> Markdown that can be cut into chunks.

The chunker never cuts a table, so a long one is written as several, each with the header and of a size that fits a
chunk of the default budget. Rows too wide for that become records: a heading with the row's key, and a list in which
every value stands beside the name of its column. So a chunk always says what its values mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from statistics import median
from typing import Final, NamedTuple

from crosshead.citation import LineMark, LineMarks
from crosshead.errors import TooLarge
from crosshead.formats.shared import gfm
from crosshead.formats.shared.tables.records import Record
from crosshead.options import DEFAULT_MAX_TOKENS
from crosshead.tokens import Count, get_counter

PART_TOKENS: Final = DEFAULT_MAX_TOKENS - 16
"""Leaves room for a heading."""
MIN_ROWS: Final = 2
"""If fewer rows fit below a header, rows become records."""
MAX_LABEL: Final = 80
"""Maximum length of a column's name in a record, and of a key in a heading."""
MAX_CHARACTERS: Final = 64 << 20
_SAMPLE: Final = 100
_LONG: Final = 20_000
"""Characters of a row that is too long for any part, whatever its tokens."""
_SEPARATOR: Final = "\x1f"
_SPECIAL = re.compile(r"[\\`*\[\]<_~&|\n]")
_ITEM_SPECIAL = re.compile(r"[\\`*\[\]<_~&|\n]|^\s|\s$|^[-+#>=:|$]")
_RECORD_SPECIAL = re.compile(r"[\\`*\[\]<_~&|\n]|(?:^|\x1f)[^\S\x1f]*[-+#>=:|$]")


class TablePart(NamedTuple):
    """A block of Markdown and the lines that it comes from."""

    text: str
    marks: LineMarks = ()
    """(Line of the block, counted from 0, line of the file); lines between two marks follow one another."""


def write_table(
    header: Sequence[str], rows: Iterable[Record], *, level: int, header_line: int = 0
) -> Iterator[TablePart]:
    """Write a table with a header; headings of records are of `level`, `header_line` is the line of the header."""
    rows = iter(rows)
    sample = list(islice(rows, _SAMPLE))
    writer = _TableWriter(header, header_line)
    everything = chain(sample, rows)
    if not writer.is_wide(sample):
        yield from _within_limit(writer.parts(everything))
    else:
        yield from _within_limit(_record_parts(header, everything, _key_column(sample), level, header_line))


def join_parts(parts: Iterable[TablePart]) -> tuple[str, LineMarks]:
    """Return the text of all parts, and where its lines come from."""
    texts: list[str] = []
    marks: list[LineMark] = []
    line = 1
    for part in parts:
        texts.append(part.text)
        marks += [(line + mark[0], *mark[1:]) for mark in part.marks]
        line += part.text.count("\n") + 2
    return gfm.join_blocks(texts), tuple(marks)


def write_row(cells: Sequence[str]) -> str:
    """Return a row of a table; most rows hold nothing that needs an escape."""
    joined = _SEPARATOR.join(cells)
    if not _SPECIAL.search(joined) and joined.count(_SEPARATOR) == len(cells) - 1:
        return f"| {joined.replace(_SEPARATOR, ' | ')} |"
    escaped = gfm.escape(gfm.BOUNDARY.join(cells)).split(gfm.BOUNDARY)
    return f"| {' | '.join(map(gfm.cell, escaped))} |"


class _TableWriter:
    """Fills parts with rows."""

    def __init__(self, header: Sequence[str], header_line: int) -> None:
        self.width = len(header)
        self.header = f"{write_row(header)}\n|{' --- |' * self.width}"
        self.labels = _labels(header)
        self.header_line = header_line
        self.count: Count = get_counter("cl100k_base").slices("").prose
        self.header_tokens = self.count(f"{self.header}\n")

    def is_wide(self, sample: Sequence[Record]) -> bool:
        tokens = [self.count(f"{self.row(record)[:_LONG]}\n") for record in sample]
        return self.header_tokens + MIN_ROWS * (median(tokens) if tokens else 0) > PART_TOKENS

    def row(self, record: Record) -> str:
        cells = record.cells
        missing = self.width - len(cells)
        return write_row([*cells, *[""] * missing] if missing else cells)

    def parts(self, rows: Iterable[Record]) -> Iterator[TablePart]:
        kept: list[tuple[Record, str]] = []
        tokens, count, row = self.header_tokens, self.count, self.row
        for record in rows:
            text = row(record)
            more = count(f"{text}\n") if len(text) < _LONG else PART_TOKENS
            if kept and tokens + more > PART_TOKENS:
                yield self.part(kept)
                kept, tokens = [], self.header_tokens
            if tokens + more > PART_TOKENS:
                yield _record_part(self.labels, record)
                continue
            kept.append((record, text))
            tokens += more
        if kept or self.header_line:
            yield self.part(kept)

    def part(self, rows: Sequence[tuple[Record, str]]) -> TablePart:
        first = self.header_line or (rows[0][0].line if rows else 0)
        self.header_line = 0
        marks = [(0, first), (1, first)]
        expected = 0
        for at, (record, _) in enumerate(rows, 2):
            if record.line != expected:
                marks.append((at, record.line))
            expected = record.line + 1
        if rows:
            marks.append((len(rows) + 2, rows[-1][0].last_line + 1))
        return TablePart("\n".join([self.header, *[text for _, text in rows]]), tuple(marks))


def _record_parts(
    header: Sequence[str], rows: Iterable[Record], key: int, level: int, header_line: int
) -> Iterator[TablePart]:
    labels = _labels(header)
    rows = iter(rows)
    first = next(rows, None)
    if first is None or any(len(name) > MAX_LABEL for name in header):
        yield TablePart("\n".join([_item("Column", name) for name in header]), ((0, header_line or 1),))
    rows = chain([first] if first else [], rows)
    for number, record in enumerate(rows, 1):
        name = record.cells[key] if key < len(record.cells) else ""
        title = gfm.heading(level, gfm.escape(_shorten(name) or f"Row {number}"))
        yield _record_part(labels, record, title)


def _record_part(labels: Sequence[str], record: Record, title: str = "") -> TablePart:
    """A row as a list, under a heading if the whole table is written so."""
    cells = [cell.strip() for cell in record.cells]
    if _RECORD_SPECIAL.search(_SEPARATOR.join(cells)):
        found = [_item(label, cell) for label, cell in zip(labels, cells, strict=False) if cell]
    else:
        found = [f"- {label}: {cell}" for label, cell in zip(labels, cells, strict=False) if cell]
    items = "\n".join(found)
    text = "\n\n".join([each for each in (title, items) if each])
    return TablePart(text, ((0, record.line), (text.count("\n") + 1, record.last_line + 1)))


def _labels(header: Sequence[str]) -> list[str]:
    return [gfm.escape(_shorten(name)) or f"Column {number}" for number, name in enumerate(header, 1)]


def _item(label: str, cell: str) -> str:
    if not _ITEM_SPECIAL.search(cell):
        return f"- {label}: {cell}"
    value = "\n".join([gfm.escape_start(gfm.escape(line.strip())) for line in cell.strip().split("\n")])
    return gfm.item("-", f"{label}: {value}")


def _key_column(sample: Sequence[Record]) -> int:
    """Return the first column that names its rows: always filled, never twice the same, short."""
    for column in range(max((len(record.cells) for record in sample), default=0)):
        values = [record.cells[column].strip() if column < len(record.cells) else "" for record in sample]
        if all(values) and len(set(values)) == len(values) and max(map(len, values)) <= MAX_LABEL:
            return column
    return 0


def _shorten(name: str) -> str:
    name = " ".join(name.split())
    return name if len(name) <= MAX_LABEL else f"{name[: MAX_LABEL - 1]}…"


def _within_limit(parts: Iterable[TablePart]) -> Iterator[TablePart]:
    total = 0
    for part in parts:
        total += len(part.text)
        if total > MAX_CHARACTERS:
            raise TooLarge(f"the table is more than {MAX_CHARACTERS >> 20} million characters of Markdown: split it")
        yield part
