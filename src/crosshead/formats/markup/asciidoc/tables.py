"""Tables of AsciiDoc -> tables of Markdown.

Cells follow one another, on one line or many; the number of columns makes rows of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

from crosshead.formats.markup.asciidoc.inline import AsciidocInline
from crosshead.formats.shared import gfm
from crosshead.formats.shared.source_lines import Block
from crosshead.formats.shared.tables.dialect import find_dialect
from crosshead.formats.shared.tables.records import RecordSplitter

MAX_COLUMNS: Final = 200
MAX_SPAN: Final = 1_000

_BAR: Final = (
    r"(?:(?:(?<=\s)|^)(?:(?P<copies>\d{{1,3}})\*|(?P<columns>\d{{1,3}})?(?:\.(?P<rows>\d{{1,3}}))?\+)?"
    r"[<^>]?(?:\.[<^>])?[adehlmsv]?)?(?<!\\){0}"
)
_BARS: Final = {sign: re.compile(_BAR.format(re.escape(sign)), re.M) for sign in "|!"}
_COLUMNS = re.compile(r"cols\s*=\s*(?:\"([^\"]{1,400})\"|'([^']{1,400})'|([^\s,\]]{1,40}))")
_REPEATED = re.compile(r"(\d{1,3})\*")
_HEADER = re.compile(r"%[\w%]*header|options\s*=\s*[\"']?[\w,]*header|opts\s*=\s*[\"']?[\w,]*header")


class _AsciidocCell(NamedTuple):
    text: str
    line: int
    columns: int = 1
    rows: int = 1


def write_table(lines: Sequence[str], start: int, end: int, sign: str, named: str, inline: AsciidocInline) -> Block:
    """Write the lines between two delimiters; `named` are the attributes of the table."""
    text = "\n".join(lines[start:end])
    if sign in ",:" or "format=csv" in named or "format=dsv" in named:
        rows = list(_separated(text, start))
    else:
        cells = list(_cells(text, start, sign))
        rows = list(_rows(cells, _width(named, lines, start, end, sign)))
    if not rows:
        return []
    width = max(len(row) for row in rows)
    has_header = bool(_HEADER.search(named)) or _has_blank_after_first(lines, start, end)
    if not has_header and len(rows) > 1:
        rows.insert(0, [_AsciidocCell("", rows[0][0].line)] * width)
    written = [[gfm.cell(inline.write(cell.text)) for cell in row] for row in rows]
    table = gfm.table(written).split("\n")
    sources = [row[0].line for row in rows]
    return list(zip(table, [sources[0], *sources], strict=True))


def _cells(text: str, start: int, sign: str) -> Iterator[_AsciidocCell]:
    """Split a text at the bars; a specifier before a bar, after a space, gives the span of its cell."""
    found = list(_BARS[sign].finditer(text))
    line, at = start + 1, 0
    for number, bar in enumerate(found):
        after = found[number + 1].start() if number + 1 < len(found) else len(text)
        line, at = line + text.count("\n", at, bar.end()), bar.end()
        content = "\n".join(each.strip() for each in text[at:after].strip().split("\n")).replace(f"\\{sign}", sign)
        columns, rows = int(bar["columns"] or 1), int(bar["rows"] or 1)
        cell = _AsciidocCell(content, line, max(1, min(columns, MAX_COLUMNS)), max(1, min(rows, MAX_SPAN)))
        yield from [cell] * max(1, min(int(bar["copies"] or 1), MAX_COLUMNS))


def _width(named: str, lines: Sequence[str], start: int, end: int, sign: str) -> int:
    """Return the number of columns: as stated, or of the first line."""
    if found := _COLUMNS.search(named):
        stated = (found[1] or found[2] or found[3]).replace(";", ",")
        if stated.isdigit() and "," not in stated:
            return 1
        parts = [_REPEATED.match(part.strip()) for part in stated.split(",")]
        return max(1, min(sum(int(part[1]) if part else 1 for part in parts), MAX_COLUMNS))
    first = next((line for line in lines[start:end] if line.strip()), "")
    return max(1, min(sum(cell.columns for cell in _cells(first, 0, sign)), MAX_COLUMNS))


def _rows(cells: Sequence[_AsciidocCell], width: int) -> Iterator[list[_AsciidocCell]]:
    """Fill rows; a cell that spans others fills the first place, the rest is empty."""
    taken = [0] * width
    waiting = iter(cells)
    while True:
        row: list[_AsciidocCell] = []
        empty = 0
        while len(row) < width:
            at = len(row)
            if taken[at]:
                taken[at] -= 1
                row.append(_AsciidocCell("", 0))
                empty += 1
                continue
            cell = next(waiting, None)
            if cell is None:
                break
            columns = min(cell.columns, width - at)
            row += [cell, *[_AsciidocCell("", cell.line)] * (columns - 1)]
            taken[at : at + columns] = [cell.rows - 1] * columns
        filled = [cell.line for cell in row if cell.line]
        if not filled:
            return
        yield [cell._replace(line=filled[0]) for cell in row]


def _separated(text: str, start: int) -> Iterator[list[_AsciidocCell]]:
    dialect, offset = find_dialect(text)
    for record in islice(RecordSplitter(text, dialect, offset).records(), 100_000):
        yield [_AsciidocCell(cell.strip(), start + record.line) for cell in record.cells]


def _has_blank_after_first(lines: Sequence[str], start: int, end: int) -> bool:
    """A first line with a blank one below it is the header."""
    return end - start > 2 and bool(lines[start].strip()) and not lines[start + 1].strip()
