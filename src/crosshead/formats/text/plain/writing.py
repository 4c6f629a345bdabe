"""Writes the blocks of a plain text as Markdown, every line in its place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from crosshead.formats.shared import gfm
from crosshead.formats.text.plain.blocks import COLUMNS, DRAWING, LineBlock, heading_size, is_rule
from crosshead.formats.text.plain.lists import Lists
from crosshead.formats.text.plain.numbered import PlainLine, find_numbered

_CODE_INDENT: Final = 4
_CODE = re.compile(r"[{};]$|^ *(?:[$>%#] |//|/\*|</?[a-z])|[=!<>]=|->|::|\w\(|\w = ")
_MARKUP = re.compile(r"\\[!-/:-@\[-`{-~]|`.*`|\*.*\*|_.*_|\]\(|<[A-Za-z/!?]|&#?\w{1,31};")
_WORDS_OF_PROSE: Final = 5
"""Minimum average of words in a line of indented prose."""


class PlainWriter:
    """Writes the blocks in order."""

    def __init__(self, blocks: Sequence[LineBlock]) -> None:
        self.blocks = blocks
        alone = [
            PlainLine(block.first, block.lines[0], after.indent > 0)
            for block, after in zip(blocks, [*blocks[1:], LineBlock(0, [""])], strict=False)
            if len(block.lines) == 1
        ]
        self.numbered = find_numbered(alone)
        self.marks: list[str] = []
        """Underlines in the order in which they appear, which is that of the levels."""
        self.lists = Lists()

    def write(self, block: LineBlock) -> list[str]:
        """Return as many lines as the block has."""
        lines = block.lines
        if lines[0][:3] in ("```", "~~~") and len(lines) > 1 and not lines[-1].strip(lines[0][0]):
            self.lists.close()
            return lines
        if heading_size(lines) == len(lines):
            return self.heading(lines)
        if block.first in self.numbered:
            self.lists.close()
            level = self.numbered[block.first] + bool(self.marks)
            return [gfm.heading(level, _title(lines[0]))]
        if block.first and len(lines) == 1 and is_rule(lines[0]):
            self.lists.close()
            return ["---"]
        return self.text(block)

    def heading(self, lines: Sequence[str]) -> list[str]:
        self.lists.close()
        title, mark = (lines[0], lines[1][-1]) if len(lines) == 2 else (lines[1], f"{lines[2][-1]} over")
        if mark not in self.marks:
            self.marks.append(mark)
        found = [""] * len(lines)
        found[len(lines) - 2] = gfm.heading(self.marks.index(mark) + 1, _title(title))
        return found

    def text(self, block: LineBlock) -> list[str]:
        indent = block.indent
        self.lists.enter(indent)
        if not self.lists.starts(block.lines[0]) and _is_preformatted(block, self.lists.source_indent):
            margin = " " * (self.lists.indent + _CODE_INDENT)
            return [margin + line[indent:] for line in block.lines]
        return self.lists.write(block.lines)


def _title(line: str) -> str:
    """Markup in a heading would be lost from its title, so there it is escaped."""
    title = " ".join(line.split())
    return gfm.escape(title) if _MARKUP.search(title) else title


def _is_preformatted(block: LineBlock, indent: int) -> bool:
    """Return whether spaces and line ends carry meaning."""
    lines = block.lines
    if len(lines) > 1 and 2 * sum(1 for line in lines if DRAWING.match(line) or COLUMNS.search(line)) > len(lines):
        return True
    if block.indent < indent + _CODE_INDENT:
        return False
    words = sum(len(line.split()) for line in lines)
    return words < _WORDS_OF_PROSE * len(lines) or 3 * sum(1 for line in lines if _CODE.search(line)) > len(lines)
