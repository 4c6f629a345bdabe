"""Tables of reStructuredText -> tables of Markdown: grids, simple tables, and those that directives make.

A cell holds blocks. They become one line: text as it is, and `<br>` between blocks, items and lines of code.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from crosshead.formats.markup.rst.lines import Lines, indent_of
from crosshead.formats.shared import gfm
from crosshead.formats.shared.source_lines import Block
from crosshead.formats.shared.tables.records import Dialect, RecordSplitter

if TYPE_CHECKING:
    from crosshead.formats.markup.rst.blocks import RstParser, Scope

MAX_COLUMNS: Final = 200

_GRID_TOP = re.compile(r"\+-[-+]*-\+$")
_SIMPLE_TOP = re.compile(r"=+(?: +=+)+$")
_SIMPLE_LINE = re.compile(r"[=-]+(?: +[=-]+)*$")
_FENCE = re.compile(r"(`{3,})[\w+#.-]*$")


class _RstRow(NamedTuple):
    cells: list[Lines]
    line: int


def grid_end(lines: Lines, at: int) -> int:
    """Return the line after a table with borders, or 0."""
    if not _GRID_TOP.match(lines.texts[at]):
        return 0
    end = at
    while end < len(lines.texts) and lines.texts[end][:1] in ("+", "|"):
        end += 1
    return end


def write_grid(parser: RstParser, lines: Lines, at: int, end: int, scope: Scope) -> Block | None:
    """Write a table with borders: a column ends a cell where its part of a line is a border."""
    texts = lines.texts[at:end]
    width = len(texts[0])
    if not _GRID_TOP.match(texts[-1].replace("=", "-")) or any(len(text) != width for text in texts):
        return None
    texts = [text.ljust(width) for text in texts]
    edges = sorted({place for text in texts if text[0] == "+" or "+-" in text for place, sign in enumerate(text[:width])
                    if sign == "+"})  # fmt: skip
    if len(edges) - 1 > MAX_COLUMNS or len(edges) < 2:
        return None
    columns = list(pairwise(edges))
    rows: list[_RstRow] = []
    header = 0
    opened: list[list[tuple[int, str]]] = [[] for _ in columns]
    for number, text in enumerate(texts):
        borders = [not text[left + 1 : right].strip("-=+") and text[left + 1] in "-=" for left, right in columns]
        if any(borders) and number:
            _close_cells(rows, opened, borders, lines, at, columns, texts)
            if all(borders) and "=" in text and not header:
                header = len(rows)
        for column, is_border in enumerate(borders):
            if not is_border:
                opened[column].append((number, text))
    return _write_rows(parser, rows, header, scope)


def _close_cells(
    rows: list[_RstRow],
    opened: list[list[tuple[int, str]]],
    borders: Sequence[bool],
    lines: Lines,
    at: int,
    columns: Sequence[tuple[int, int]],
    texts: Sequence[str],
) -> None:
    """End the cells above a border. A spanning cell continues where no separator is between columns."""
    cells = [Lines([], 0)] * len(columns)
    column, first = 0, 0
    while column < len(columns):
        part = opened[column]
        last = column
        if borders[column] and part:
            while last + 1 < len(columns) and all(text[columns[last][1]] not in "|+" for _, text in part):
                last += 1
            left, right = columns[column][0] + 1, columns[last][1]
            cells[column] = Lines([text[left:right].rstrip() for _, text in part], lines.number(at + part[0][0]))
            first = first or cells[column].first
            for each in range(column, last + 1):
                opened[each] = []
        column = last + 1
    if first:
        rows.append(_RstRow(cells, first))


def simple_end(lines: Lines, at: int) -> int:
    """Return the line after a table without borders, or 0: it ends with its second or third line of equals signs."""
    if not _SIMPLE_TOP.match(lines.texts[at]):
        return 0
    seen = 0
    for number in range(at + 1, len(lines.texts)):
        text = lines.texts[number]
        if text[:1] == "=" and _SIMPLE_LINE.match(text):
            seen += 1
            if seen == 2 or not (lines.texts[number + 1 : number + 2] or [""])[0]:
                return number + 1
    return 0


def write_simple(parser: RstParser, lines: Lines, at: int, end: int, scope: Scope) -> Block | None:
    """Write a table without borders: a row begins where its first column has text."""
    columns = [found.span() for found in re.finditer("=+", lines.texts[at])]
    if len(columns) > MAX_COLUMNS:
        return None
    rows: list[_RstRow] = []
    header = 0
    parts: list[list[str]] = []
    start = 0
    for number in range(at + 1, end):
        text = lines.texts[number]
        is_line = text[:1] in ("=", "-") and _SIMPLE_LINE.match(text) is not None
        if parts and (is_line or text[: columns[0][1]].strip()):
            rows.append(_RstRow([Lines(part, lines.number(start)) for part in parts], lines.number(start)))
            parts = []
        if is_line:
            if text[0] == "-" and rows:
                rows[-1] = _spanned(rows[-1], text, columns)
            header = header or (len(rows) if text[0] == "=" and number < end - 1 else 0)
            continue
        if not parts:
            if not text:
                continue
            parts, start = [[] for _ in columns], number
        for part, cell in zip(parts, _cut(text, columns), strict=True):
            part.append(cell)
    return _write_rows(parser, rows, header, scope)


def _spanned(row: _RstRow, line: str, columns: Sequence[tuple[int, int]]) -> _RstRow:
    """Join the cells of a row that one line of dashes below it holds together."""
    cells = list(row.cells)
    for dashes in re.finditer("-+", line):
        first, *others = [n for n, (left, _) in enumerate(columns) if dashes.start() <= left < dashes.end()] or [0]
        for other in others:
            joined = [
                f"{text} {more}".strip() for text, more in zip(cells[first].texts, cells[other].texts, strict=True)
            ]
            cells[first], cells[other] = Lines(joined, row.line), Lines([""] * len(joined), row.line)
    return row._replace(cells=cells)


def _cut(text: str, columns: Sequence[tuple[int, int]]) -> list[str]:
    """Cut a line at its columns; text that runs over the space between columns is that of the first of them."""
    found = [""] * len(columns)
    first = 0
    for number, (_, right) in enumerate(columns):
        following = columns[number + 1][0] if number + 1 < len(columns) else max(len(text), right)
        if number + 1 < len(columns) and text[right:following].strip():
            continue
        found[first] = text[columns[first][0] : following].rstrip()
        first = number + 1
    return found


def list_table(parser: RstParser, items: Sequence[Sequence[Lines]], header: int, scope: Scope) -> Block:
    """Write a table that is given as a list of lists."""
    rows = [_RstRow(list(row), row[0].first) for row in items if row]
    return _write_rows(parser, rows, header, scope) or []


def csv_table(parser: RstParser, lines: Lines, header: str, header_rows: int, delimiter: str, scope: Scope) -> Block:
    """Write a table that is given as comma-separated values."""
    text = "\n".join(lines.texts)
    rows = []
    for extra, part in ((True, header), (False, text)):
        if not part.strip():
            continue
        for record in islice(RecordSplitter(part, Dialect(delimiter)).records(), 100_000):
            line = lines.first if extra else lines.number(record.line - 1)
            rows.append(_RstRow([Lines(cell.strip().split("\n"), line) for cell in record.cells], line))
        header_rows += extra
    return _write_rows(parser, rows, header_rows, scope) or []


def _write_rows(parser: RstParser, rows: Sequence[_RstRow], header: int, scope: Scope) -> Block | None:
    """Write rows; several rows of a header become one, and a table without one gets an empty one."""
    if not rows:
        return None
    width = max(len(row.cells) for row in rows)
    written = [[_cell(parser, cell, scope) for cell in row.cells] + [""] * (width - len(row.cells)) for row in rows]
    heads, lines = written[:header], [row.line for row in rows]
    head = ["<br>".join(filter(None, column)) for column in zip(*heads, strict=True)] if heads else [""] * width
    table = gfm.table([head, *written[header:]]).split("\n")
    return list(zip(table, [lines[0], lines[0], *lines[header:]], strict=True))


def _cell(parser: RstParser, lines: Lines, scope: Scope) -> str:
    if not any(lines.texts):
        return ""
    margin = min(indent_of(text) for text in lines.texts if text)
    blocks = parser.blocks(Lines([text[margin:] for text in lines.texts], lines.first).trimmed(), scope.inside())
    return gfm.cell("<br>".join(filter(None, (_one_line([text for text, _ in block]) for block in blocks))))


def _one_line(texts: Sequence[str]) -> str:
    if fence := _FENCE.match(texts[0]):
        return "<br>".join(gfm.code_span(text) for text in texts[1:-1] if text and text != fence[1])
    if texts[0].startswith("|"):
        return "<br>".join(text.strip("| ") for text in texts if not text.startswith("| ---"))
    if re.match(r"- |\d+\. |> ", texts[0]):
        return "<br>".join(text.strip() for text in texts if text)
    return " ".join(text.strip() for text in texts if text)
