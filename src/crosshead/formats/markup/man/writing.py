"""Writes man pages of both macro sets: headings, paragraphs, items with terms, nested parts, code, tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from crosshead.formats.markup.man.escapes import FontRun, markdown, plain
from crosshead.formats.shared import gfm
from crosshead.formats.shared.source_lines import Block, indent_block, join_blocks, without_blank_ends

MAX_DEPTH: Final = 12
_BULLETS: Final = frozenset(["•", "*", "-", "o", "·", "–", "—", "+", "○", "□"])
_NUMBER = re.compile(r"\(?(\d{1,4})[.)]\)?$|\[(\d{1,4})\]$")


class _OpenList:
    """Blocks, and the list at their end with its open item."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.items: Block = []
        self.item: list[Block] | None = None
        self.marker = "- "


class ManWriter:
    """Collects the content of a page in the order of its lines."""

    def __init__(self) -> None:
        self.frames = [_OpenList()]
        self.code: list[tuple[str, int]] | None = None
        self._text: list[tuple[list[FontRun], int]] = []
        self._joins = False
        self._depth_over = 0

    def heading(self, level: int, text: str, line: int) -> None:
        """End everything, and begin a section."""
        self.end_code()
        while len(self.frames) > 1:
            self.leave()
        self.end_list()
        title = " ".join(text.split())
        if title:
            self.frames[-1].blocks.append([(gfm.heading(level, gfm.escape(title)), line)])

    def text(self, runs: Sequence[FontRun], line: int, *, joins: bool = False) -> None:
        """Add a line of text; one that `joins` continues without a space."""
        if self.code is not None:
            self._code_text(plain(runs), line)
        elif self._joins and self._text:
            self._text[-1][0].extend(runs)
        elif plain(runs).strip():
            self._text.append((list(runs), line))
        self._joins = joins

    def _code_text(self, text: str, line: int) -> None:
        assert self.code is not None
        if self._joins and self.code:
            self.code[-1] = self.code[-1][0] + text, self.code[-1][1]
        else:
            self.code.append((text.rstrip(), line))

    def line_break(self) -> None:
        """The next text begins on a new line."""
        if self.code is None and self._text:
            self._text[-1][0].append(FontRun("\n", ""))

    def end_paragraph(self) -> None:
        """Write the text so far."""
        lines, self._text, self._joins = self._text, [], False
        block: Block = []
        for at, (runs, line) in enumerate(lines):
            is_broken = runs[-1].text == "\n"
            text = gfm.escape_start(markdown([run for run in runs if run.text != "\n"]).strip().replace("\n", " "))
            block.append((f"{text}\\" if is_broken and at + 1 < len(lines) else text, line))
        if block:
            self._add(block)

    def add(self, block: Block) -> None:
        """Add a finished block."""
        self.end_paragraph()
        if block:
            self._add(block)

    def begin_item(self, term: Sequence[FontRun], line: int) -> None:
        """Begin an item; bullets and numbers are those of a list, everything else is a term."""
        self.end_paragraph()
        self.end_item()
        frame = self.frames[-1]
        shown = " ".join(plain(term).split())
        number = _NUMBER.match(shown)
        frame.item, frame.marker = [], f"{number[1] or number[2]}. " if number else "- "
        if shown and not number and shown not in _BULLETS:
            frame.item.append([(gfm.mark(gfm.escape(shown), "**"), line)])

    def add_term(self, term: Sequence[FontRun], line: int) -> None:
        """Add another term to the item that has just begun."""
        frame = self.frames[-1]
        self.end_paragraph()
        shown = " ".join(plain(term).split())
        if frame.item and len(frame.item) == 1 and shown:
            frame.item[0].append((gfm.mark(gfm.escape(shown), "**"), line))
        else:
            self.begin_item(term, line)

    def end_item(self) -> None:
        """End the item of the list, and the list unless another item follows."""
        self.end_paragraph()
        frame = self.frames[-1]
        if frame.item is not None:
            item = _joined(frame.item)
            if item:
                frame.items += indent_block(item, " " * len(frame.marker), first=frame.marker)
            frame.item = None

    def end_list(self) -> None:
        """End the list."""
        self.end_item()
        frame = self.frames[-1]
        if frame.items:
            frame.blocks.append(frame.items)
            frame.items = []

    def enter(self) -> None:
        """Begin a part that is indented more."""
        self.end_paragraph()
        if len(self.frames) < MAX_DEPTH:
            self.frames.append(_OpenList())
        else:
            self._depth_over += 1

    def leave(self) -> None:
        """End that part."""
        self.end_paragraph()
        if self._depth_over:
            self._depth_over -= 1
        elif len(self.frames) > 1:
            self.end_list()
            for block in self.frames.pop().blocks:
                self._add(block)

    def begin_code(self) -> None:
        """Keep lines unchanged from here on."""
        if self.code is None:
            self.end_paragraph()
            self.code = []

    def end_code(self) -> None:
        """Write them."""
        lines, self.code = without_blank_ends(self.code or []), None
        if lines:
            fence = gfm.fence("\n".join([text for text, _ in lines])).split("\n")
            numbers = [lines[0][1], *[line for _, line in lines], lines[-1][1]]
            self._add(list(zip(fence, numbers, strict=True)))

    def blocks(self) -> list[Block]:
        """Return everything."""
        self.end_code()
        while len(self.frames) > 1:
            self.leave()
        self.end_list()
        return self.frames[0].blocks

    def _add(self, block: Block) -> None:
        frame = self.frames[-1]
        if frame.item is not None:
            frame.item.append(block)
            return
        if frame.items:
            frame.blocks.append(frame.items)
            frame.items = []
        frame.blocks.append(block)


def _joined(blocks: list[Block]) -> Block:
    """A term and the text about it are one paragraph."""
    if len(blocks) > 1 and blocks[0][0][0].startswith("**") and _is_prose(blocks[1][0][0]):
        term, text = blocks[0], blocks[1]
        blocks = [[*term[:-1], (f"{term[-1][0]}:", term[-1][1]), *text], *blocks[2:]]
    return join_blocks(blocks)


def _is_prose(start: str) -> bool:
    return not re.match(r"`{3}|- |\d{1,9}\. |\|", start)
