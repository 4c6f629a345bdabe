"""Lists of AsciiDoc -> lists of Markdown: marks name the level, and `+` attaches blocks to an item."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from crosshead.formats.shared import gfm
from crosshead.formats.shared.source_lines import Block, indent_block, join_blocks

if TYPE_CHECKING:
    from crosshead.formats.markup.asciidoc.blocks import AsciidocParser

MAX_LEVELS: Final = 12
MAX_DEPTH: Final = 20
"""Of blocks that are attached to items inside blocks."""

_ITEM = re.compile(r"\s*(\*{1,6}|-|\.{1,6}|\d{1,6}\.|[A-Za-z]\.|<(?:\d{1,3}|\.)>)[ ]+(?=\S)")
_TERM = re.compile(r"\s*(?!//)([^\s:;|].{0,400}?|:{0,2}[^\s:;|].{0,400}?)(:{2,4}|;;)(?:[ ]+(\S.*))?$")
_BOX = re.compile(r"\[([ xX*])\][ ]+")


class Start(NamedTuple):
    """The first line of an item."""

    mark: str
    """The mark that gives the level; numbers of any value are one mark."""
    text: str
    term: str = ""


class _ListLevel(NamedTuple):
    mark: str
    width: int
    number: int


def item_start(line: str) -> Start | None:
    """Return what a line begins if it begins an item."""
    if found := _ITEM.match(line):
        mark = found[1]
        kind = "<" if mark[0] == "<" else re.sub(r"\d+|[A-Za-z]", "1", mark)
        return Start(kind, line[found.end() :])
    if ("::" in line or ";;" in line) and (found := _TERM.match(line)):
        return Start(found[2], found[3] or "", found[1])
    return None


class ListWriter:
    """Writes the list that begins at a line, with all lists inside it."""

    def __init__(self, parser: AsciidocParser, at: int, end: int, depth: int) -> None:
        self.parser = parser
        self.at = at
        self.end = end
        self.depth = depth
        self.levels: list[_ListLevel] = []

    def write(self) -> tuple[list[Block], int]:
        """Return the list, and the line after it."""
        found: Block = []
        while self.at < self.end and (start := item_start(self.parser.lines[self.at])):
            found += self._item(start)
            if not self._goes_on():
                break
        return [found], self.at

    def _item(self, start: Start) -> Block:
        first = self._enter(start)
        level = self.levels[-1]
        margin = " " * (sum(each.width for each in self.levels))
        block = self._text(start)
        blocks = [block, *self._attached()]
        return indent_block(join_blocks(blocks), margin, first=margin[level.width :] + first)

    def _enter(self, start: Start) -> str:
        """Find the level of an item, and return its marker."""
        marks = [level.mark for level in self.levels]
        count = 1
        if start.mark in marks:
            at = marks.index(start.mark)
            count = self.levels[at].number + 1
            del self.levels[at:]
        elif len(self.levels) >= MAX_LEVELS:
            del self.levels[-1]
        bullet = f"{count}. " if start.mark[0] in ".1<" else "- "
        self.levels.append(_ListLevel(start.mark, len(bullet), count))
        return bullet

    def _text(self, start: Start) -> Block:
        """Return the text of an item: the rest of its line, and the lines below."""
        at = self.at
        self.at += 1
        if start.term:
            return self._description(start, at)
        self._skip_text()
        box = _BOX.match(start.text)
        text = start.text[box.end() :] if box else start.text
        block = self.parser.text(at, self.at, text)
        if box:
            block[0] = f"[{' ' if box[1] == ' ' else 'x'}] {block[0][0]}", block[0][1]
        return block

    def _description(self, start: Start, at: int) -> Block:
        """One or more terms and their description below."""
        write = self.parser.inline.write
        terms: Block = [(gfm.mark(write(start.term), "**"), at + 1)]
        lines = self.parser.lines
        while not start.text and self.at < self.end:
            more = item_start(lines[self.at])
            if not more or more.mark != start.mark:
                break
            terms.append((gfm.mark(write(more.term), "**"), self.at + 1))
            start, self.at = more, self.at + 1
        if start.text:
            at = self.at - 1
            self._skip_text()
            said = self.parser.text(at, self.at, start.text)
            return [*terms[:-1], (f"{terms[-1][0]}: {said[0][0]}", said[0][1]), *said[1:]]
        return [*terms, *self._said_below()]

    def _said_below(self) -> Block:
        lines, at = self.parser.lines, self.at
        while at < self.end and not lines[at]:
            at += 1
        if at >= self.end or not self._is_text(at):
            return []
        self.at = at + 1
        self._skip_text()
        return self.parser.text(at, self.at)

    def _skip_text(self) -> None:
        while self.at < self.end and self._is_text(self.at):
            self.at += 1

    def _is_text(self, at: int) -> bool:
        line = self.parser.lines[at]
        return not self.parser.ends_paragraph(line) and not item_start(line)

    def _attached(self) -> list[Block]:
        """Return the further blocks of an item."""
        lines, found = self.parser.lines, []
        while self.at < self.end and self.depth < MAX_DEPTH:
            after = self.at
            while after < self.end and not lines[after]:
                after += 1
            if after < self.end and lines[after] == "+":
                if after > self.at and len(self.levels) > 1:
                    break
                blocks, self.at = self.parser.next_block(after + 1, self.end, self.depth + 1)
                found += blocks
            elif after > self.at and after < self.end and lines[after][0] == " " and not item_start(lines[after]):
                blocks, self.at = self.parser.next_block(after, self.end, self.depth + 1)
                found += blocks
            else:
                break
        return found

    def _goes_on(self) -> bool:
        """Move to the next non-blank line if it is an item of this list; return whether it is."""
        lines, at = self.parser.lines, self.at
        while at < self.end and not lines[at]:
            at += 1
        if at < self.end and item_start(lines[at]):
            self.at = at
            return True
        return False
