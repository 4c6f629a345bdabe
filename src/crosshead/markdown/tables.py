"""HTML tables: the lines from `<table>` to its `</table>` are one block, whatever is between them.

CommonMark ends most HTML at a blank line, and MDX knows only lines of tags, so the blocks of an HTML table are HTML,
components, paragraphs and code. Readers see one table.

1. the tags of tables are followed through the blocks that show them; code and comments do not
2. a table that is never closed is not one, and neither is one that a heading interrupts: it lays out the sections of
   a page, which must stay apart
3. lines that hold nothing but the tags of an element around a table belong to it: `<div align="center">`
4. the lines of a table replace the blocks between them; inside a list, quote or footnote they are an atom of it
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from crosshead.markdown.syntax import last_filled
from crosshead.types import Block

HTML_TABLE: Final = "html"
"""`Block.lang` of an HTML table."""

_CONTAINERS: Final = ("list", "quote", "footnote")
_SHOWN: Final = ("html", "component", "paragraph")
_NO_TABLE = r"<!--.*?(?:-->|\Z)|<(?P<raw>pre|script|style|textarea)\b.*?(?:</(?P=raw)\b|\Z)"
_TABLE = r"(?<!\\)<(?P<end>/?)table(?=[\s>])"
_IN_HTML = re.compile(rf"{_NO_TABLE}|{_TABLE}", re.I | re.S).finditer
_IN_TEXT = re.compile(rf"{_NO_TABLE}|`++[^`\n]*+`++|{_TABLE}", re.I | re.S).finditer
_IN_MDX = re.compile(rf"`++[^`\n]*+`++|{_TABLE}", re.S).finditer
"""In MDX, `<Table>` is a component, and the content of braces is not shown."""

_OPENING_LINE = re.compile(r"\s*<([A-Za-z][\w-]*)(?:\s[^<>]*)?(?<!/)>\s*").fullmatch
_CLOSING_LINE = re.compile(r"\s*</([A-Za-z][\w-]*)\s*>\s*").fullmatch


class _Tag(NamedTuple):
    """A tag that begins or ends a table."""

    at: int
    closes: bool


class _Table(NamedTuple):
    """The lines of a table, 0-based and half-open, and the blocks that they belong to."""

    first: int
    end: int
    first_block: int
    last_block: int


def join_tables(text: str, lines: list[str], offsets: Sequence[int], blocks: list[Block], *, mdx: bool) -> None:
    """Replace the blocks of each HTML table by the table; `lines` begin at `offsets`."""
    if "<table" in text or (not mdx and ("<TABLE" in text or "<Table" in text)):
        joiner = _TableJoiner(text, lines, offsets, blocks, mdx=mdx)
        joiner.join_nested()
        joiner.join()


class _TableJoiner:
    def __init__(self, text: str, lines: list[str], offsets: Sequence[int], blocks: list[Block], *, mdx: bool) -> None:
        self.text = text
        self.lines = lines
        self.offsets = offsets
        self.blocks = blocks
        self.mdx = mdx

    def join(self) -> None:
        for table in reversed(list(map(self.widen, _outermost(self.tables())))):
            self.blocks[table.first_block : table.last_block + 1] = self.parts(table)

    def tables(self) -> Iterator[_Table]:
        """Yield the tables outside lists and quotes in the order of their ends: inner tables first."""
        opened: list[tuple[int, int]] = []
        for number, block in enumerate(self.blocks):
            if block.kind == "heading":
                opened.clear()
            elif opened and block.kind in _CONTAINERS:
                for _ in range(min(self.left_open(block), len(opened))):
                    first, first_block = opened.pop()
                    yield _Table(first, block.end_line, first_block, number)
            for tag in self.tags(block) if block.kind in _SHOWN else ():
                line = self.line_of(tag.at)
                if not tag.closes and self.may_open(block, line):
                    opened.append((line, number))
                elif tag.closes and opened:
                    first, first_block = opened.pop()
                    yield _Table(first, line + 1, first_block, number)

    def left_open(self, block: Block) -> int:
        """Return how many tables a container closes that begin before it."""
        depth = lowest = 0
        for tag in self.tags(block):
            depth += -1 if tag.closes else 1
            lowest = min(lowest, depth)
        return -lowest

    def may_open(self, block: Block, line: int) -> bool:
        """Does the tag begin its line? In the middle of a line in a paragraph, it is only mentioned."""
        return block.kind != "paragraph" or self.lines[line].lstrip()[:1] == "<"

    def widen(self, table: _Table) -> _Table:
        """Include the lines that hold only the tags of elements around a table."""
        first, end, first_block, last_block = table
        while True:
            above, below = self.filled_line(first - 1, -1), self.filled_line(end, 1)
            opening = _OPENING_LINE(self.lines[above]) if above >= 0 else None
            closing = _CLOSING_LINE(self.lines[below]) if below < len(self.lines) else None
            if not opening or not closing or opening[1].lower() != closing[1].lower():
                return _Table(first, end, first_block, last_block)
            block_above, block_below = self.block_at(above, first_block), self.block_at(below, last_block)
            if not {self.blocks[block_above].kind, self.blocks[block_below].kind} <= set(_SHOWN):
                return _Table(first, end, first_block, last_block)
            first, end, first_block, last_block = above, below + 1, block_above, block_below

    def filled_line(self, line: int, step: int) -> int:
        while 0 <= line < len(self.lines) and not self.lines[line].strip():
            line += step
        return line

    def block_at(self, line: int, number: int) -> int:
        """Return the number of the block that holds a line, which is near to that of `number`."""
        while line + 1 < self.blocks[number].start_line:
            number -= 1
        while line + 1 > self.blocks[number].end_line:
            number += 1
        return number

    def parts(self, table: _Table) -> list[Block]:
        """Return a table as a block, with the rests of the blocks that it begins and ends in."""
        first, last = self.blocks[table.first_block], self.blocks[table.last_block]
        inside = self.blocks[table.first_block : table.last_block + 1]
        code = [atom for block in inside for atom in (block, *block.atoms) if atom.kind == "code"]
        found = [self.block(table.first, table.end, code)]
        if first.start_line <= table.first:
            end = last_filled(self.lines, first.start_line - 1, table.first)
            found.insert(0, first._replace(end_line=end, end=self.end_of(end - 1)))
        if table.end < last.end_line:
            found.append(last._replace(start_line=table.end + 1, start=self.offsets[table.end]))
        return found

    def block(self, first: int, end: int, code: Sequence[Block] = ()) -> Block:
        start, stop = self.offsets[first], self.end_of(end - 1)
        return Block("table", start, stop, first + 1, end, lang=HTML_TABLE, atoms=tuple(code))

    # ------------------------------------------------------------------ lists, quotes and footnotes

    def join_nested(self) -> None:
        for number, block in enumerate(self.blocks):
            if block.kind in _CONTAINERS:
                tables = [self.block(each.first, each.end) for each in _outermost(self.nested(block, number))]
                if tables:
                    self.blocks[number] = block._replace(atoms=_with_tables(block.atoms, tables))

    def nested(self, block: Block, number: int) -> Iterator[_Table]:
        """Yield the tables in a container, each inside one item of a list."""
        ends = [last for _, last in block.items]
        opened: list[int] = []
        item = -1
        for tag in self.tags(block):
            line = self.line_of(tag.at)
            item, before = bisect_right(ends, line), item
            if item != before:
                opened.clear()
            if not tag.closes:
                opened.append(line)
            elif opened:
                yield _Table(opened.pop(), line + 1, number, number)

    # ------------------------------------------------------------------ tags

    def tags(self, block: Block) -> Iterator[_Tag]:
        """Yield the tags of tables that a block shows."""
        find = _IN_MDX if self.mdx else _IN_HTML if block.kind == "html" else _IN_TEXT
        code = [atom for atom in block.atoms if atom.kind in ("code", "math")]
        starts = [atom.start for atom in code]
        for found in find(self.text, block.start, block.end):
            before = bisect_right(starts, found.start()) - 1
            is_code = before >= 0 and found.start() < code[before].end
            if found["end"] is not None and not is_code:
                yield _Tag(found.start(), found["end"] != "")

    def line_of(self, offset: int) -> int:
        return bisect_right(self.offsets, offset) - 1

    def end_of(self, line: int) -> int:
        return self.offsets[line] + len(self.lines[line])


def _outermost(tables: Iterable[_Table]) -> Iterator[_Table]:
    """Yield the outermost tables in order; tables that share a line are one."""
    held: _Table | None = None
    for table in sorted(tables, key=lambda each: (each.first, -each.end)):
        if held and table.first < held.end:
            if table.end > held.end:
                held = held._replace(end=table.end, last_block=table.last_block)
        else:
            if held:
                yield held
            held = table
    if held:
        yield held


def _with_tables(atoms: Sequence[Block], tables: Sequence[Block]) -> tuple[Block, ...]:
    """Put tables among the atoms of a container, replacing those that share a line with them."""
    ends = [each.end for each in tables]
    kept = []
    for atom in atoms:
        table = bisect_right(ends, atom.start)
        if table == len(tables) or atom.end < tables[table].start:
            kept.append(atom)
    return tuple(sorted([*kept, *tables], key=lambda each: each.start))
