"""Guarantee 3 for HTML tables: they are cut only between rows, and every piece is a table with its head.

Only rows of the outermost table count. Its head is `<thead>` or else the first row, with everything before it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Final, NamedTuple

from crosshead.types import Block, Chunk

HTML_TABLE: Final = "html"
"""Value of `Block.lang` for HTML tables."""

_tags = re.compile(r"<!--.*?(?:-->|\Z)|<(?P<end>/?)(?P<name>table|thead|tr)(?=[\s/>])", re.I | re.S).finditer
_blank = re.compile(r"[\s>]*")
_margin = re.compile(r"[ \t>]*").match


class HtmlRows(NamedTuple):
    """The rows of one HTML table, from the end of the previous table on."""

    start: int
    """Where the previous table ends, or the atom begins."""
    tag: int
    head_end: int
    """The head is between the tag `<table>` and the next row."""
    starts: Sequence[int]
    """Where the rows after the head begin, indentation included."""
    end: int

    def around(self, at: int) -> tuple[int, int]:
        """Return the bounds of the row or head at an offset."""
        row = bisect_right(self.starts, at) - 1
        if row < 0:
            return self.start, self.head_end
        return self.starts[row], self.starts[row + 1] if row + 1 < len(self.starts) else self.end


def read_rows(text: str, atom: Block) -> list[HtmlRows]:
    """Return the rows of every table in an atom."""
    found: list[HtmlRows] = []
    starts: list[int] = []
    depth, in_head, seen, opened = 0, False, 0, atom.start
    for tag in _tags(text, atom.start, atom.end):
        name, closes = (tag["name"] or "").lower(), bool(tag["end"])
        if name == "table":
            depth += -1 if closes else 1
            if not closes and depth == 1:
                opened, starts, seen = tag.start(), [], 0
            elif closes and depth == 0:
                end = text.find(">", tag.end(), atom.end) + 1 or atom.end
                before = found[-1].end if found else atom.start
                found.append(HtmlRows(before, opened, starts[0] if starts else end, starts, end))
        elif name == "thead" and depth == 1:
            in_head = not closes
        elif name == "tr" and depth == 1 and not closes:
            seen += 1
            if seen > 1 and not in_head:
                starts.append(_with_margin(text, tag.start()))
    if not found:
        return [HtmlRows(atom.start, atom.start, atom.end, (), atom.end)]
    found[-1] = found[-1]._replace(end=atom.end, head_end=found[-1].head_end if found[-1].starts else atom.end)
    return found


def rows_at(tables: Sequence[HtmlRows], at: int) -> HtmlRows:
    """Return the table at an offset."""
    return tables[max(0, bisect_right(tables, at, key=lambda table: table.start) - 1)]


def begins_row(text: str, table: HtmlRows, at: int) -> bool:
    """Does a row, or another table, begin here, after white space and quote marks?"""
    blank = _blank.match(text, at)
    after = blank.end() if blank else at
    row = bisect_right(table.starts, after) - 1
    if row < 0:
        return at == table.start
    ink = _blank.match(text, table.starts[row])
    return ink is not None and ink.end() == after


def piece_problem(text: str, table: HtmlRows, chunk: Chunk, rendered: str, shown: Sequence[Block]) -> str:
    """Return what is wrong with a piece that begins or ends between two rows."""
    head = text[table.tag : table.head_end]
    if chunk.start > table.tag and _blank.sub("", head) not in _blank.sub("", chunk.prefix):
        return "without its header rows"
    start = max(table.tag, chunk.start) + len(chunk.prefix) - chunk.start
    tables = [each for each in shown if each.kind == "table" and each.lang == HTML_TABLE]
    if table.tag < chunk.end and not any(each.start <= start < each.end for each in tables):
        return "that does not render as a table"
    opened = [tag for tag in _tags(rendered, 0, len(rendered)) if (tag["name"] or "").lower() == "table"]
    return "" if sum(-1 if tag["end"] else 1 for tag in opened) == 0 else "with tables that are not closed"


def _with_margin(text: str, at: int) -> int:
    """Return the start of the line, if only indentation and quote marks precede an offset."""
    line = text.rfind("\n", 0, at) + 1
    margin = _margin(text, line)
    return line if margin and margin.end() == at else at
