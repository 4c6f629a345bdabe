"""Plain text -> Markdown with the same lines, so that a citation names the lines of the file.

1. The lines are put together to blocks, between blank lines.
2. A block is a heading if it is underlined, or numbered within a sequence of such headings; a rule, a list, prose, or
   preformatted text: code, a drawing, columns.
3. Every line is written in its place: prose with its markup escaped, preformatted text indented as code, the underline
   of a heading as a blank line.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from crosshead.errors import CorruptFile, TooLarge
from crosshead.extract import gfm
from crosshead.extract.base import Extracted
from crosshead.extract.bullets import Lists
from crosshead.extract.numbering import Line, find_numbered
from crosshead.extract.text import decode, normalize
from crosshead.options import ExtractOptions

MAX_BYTES: Final = 16 << 20
MAX_LINES: Final = 400_000
CODE_INDENT: Final = 4
_MAX_TITLE: Final = 120
_UNEVEN: Final = 3
"""Characters by which an underline may be longer or shorter than the title."""

_UNDERLINE = re.compile(r"([=~^*+#\"'._:-])\1{2,}")
_FENCE = re.compile(r"(`{3,}|~{3,})[^`]*")
_CONTROL = re.compile(r"[\0-\x08\x0b\x0e-\x1f\x7f]")
_COLUMNS = re.compile(r"\S {3,}\S")
_DRAWING = re.compile(r" *(?:[+|][-=+|]{3}|\|.*\|$|[┌├└│╔╠╚║])")
_CODE = re.compile(r"[{};]$|^ *(?:[$>%#] |//|/\*|</?[a-z])|[=!<>]=|->|::|\w\(|\w = ")
_WORDS_OF_PROSE: Final = 5
"""A line of indented prose has at least so many on average."""


class Block(NamedTuple):
    """Lines between blank ones."""

    first: int
    lines: list[str]

    @property
    def indent(self) -> int:
        """Columns that all lines leave free."""
        return min(map(indent_of, self.lines))


def read_plain(data: bytes, _options: ExtractOptions) -> Extracted:
    """Read plain text."""
    if len(data) > MAX_BYTES:
        raise TooLarge(f"more than {MAX_BYTES >> 20} MiB of text: split the file")
    return Extracted(write_plain(decode(data)))


def write_plain(text: str) -> str:
    """Return plain text as Markdown with the same number of lines."""
    lines = _clean(text).split("\n")
    writer = _Writer(list(_blocks(lines)))
    found = [""] * len(lines)
    for block in writer.blocks:
        found[block.first : block.first + len(block.lines)] = writer.write(block)
    return "\n".join(found)


def indent_of(line: str) -> int:
    """Return the number of spaces that a line begins with."""
    return len(line) - len(line.lstrip(" "))


def _clean(text: str) -> str:
    """Tabs become spaces; form feeds end pages of paper, which Markdown has not."""
    text = normalize(text)
    if text.count("\n") > MAX_LINES:
        raise TooLarge(f"more than {MAX_LINES:,} lines of text: split the file")
    odd = len(_CONTROL.findall(text))
    if odd * 20 > len(text):
        raise CorruptFile("not text, because it holds many control characters: name its format, or save it as text")
    if odd:
        text = _CONTROL.sub("\ufffd", text)
    return "\n".join([line.expandtabs(4).rstrip() for line in text.replace("\f", "").split("\n")])


def _blocks(lines: Sequence[str]) -> Iterator[Block]:
    """Yield the runs of lines without a blank one; a fence with its end is one block, whatever is between."""
    closings = _Closings(lines)
    at = 0
    while at < len(lines):
        end = _fence_end(lines, at, closings)
        if not end:
            end = at
            while end < len(lines) and lines[end] and (end == at or not _fence_end(lines, end, closings)):
                end += 1
        if end > at:
            yield from _split_heading(Block(at, list(lines[at:end])))
        at = max(end, at + 1)


class _Closings:
    """The last lines that can close a fence: a fence is closed by a mark that is at least as long as its own."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._marks: dict[str, list[tuple[int, int]]] = {"`": [], "~": []}
        for number in range(len(lines) - 1, -1, -1):
            line = lines[number]
            if line[:3] in ("```", "~~~") and not line.strip(line[0]):
                marks = self._marks[line[0]]
                if not marks or len(line) > marks[-1][0]:
                    marks.append((len(line), number))

    def close(self, mark: str, at: int) -> bool:
        """Does a line below this one close a fence with this mark?"""
        marks = self._marks[mark[0]]
        longer = bisect_left(marks, (len(mark), 0))
        return longer < len(marks) and marks[longer][1] > at


def _fence_end(lines: Sequence[str], at: int, closings: _Closings) -> int:
    """Return the line after a fence, or 0 if it is none, or nothing closes it."""
    if lines[at][:3] not in ("```", "~~~"):
        return 0
    fence = _FENCE.fullmatch(lines[at])
    if not fence or not closings.close(fence[1], at):
        return 0
    for number in range(at + 1, len(lines)):
        if lines[number].startswith(fence[1]) and not lines[number].strip(fence[1][0]):
            return number + 1
    return 0


def _split_heading(block: Block) -> Iterator[Block]:
    """Text may follow a heading without a blank line."""
    size = _heading_size(block.lines)
    if size:
        yield Block(block.first, block.lines[:size])
    if size < len(block.lines):
        yield Block(block.first + size, block.lines[size:])


def _heading_size(lines: Sequence[str]) -> int:
    """Return 2 for a title with an underline, 3 for one with lines above and below, else 0."""
    if len(lines) > 1 and _underlines(lines[1], lines[0]):
        return 2
    if len(lines) > 2 and lines[0].strip() == lines[2].strip() and _underlines(lines[2], lines[1], over=True):
        return 3
    return 0


def _underlines(line: str, title: str, *, over: bool = False) -> bool:
    found = _UNDERLINE.fullmatch(line.strip())
    text = title.strip()
    if not found or len(text) > _MAX_TITLE or _UNDERLINE.fullmatch(text) or not any(map(str.isalnum, text)):
        return False
    fits = abs(len(found[0]) - len(text)) <= _UNEVEN or (len(found[0]) > len(text) and (over or found[1] == "="))
    return fits and not _COLUMNS.search(text) and not _DRAWING.match(text)


class _Writer:
    """Writes the blocks in order."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self.blocks = blocks
        alone = [
            Line(block.first, block.lines[0], after.indent > 0)
            for block, after in zip(blocks, [*blocks[1:], Block(0, [""])], strict=False)
            if len(block.lines) == 1
        ]
        self.numbered = find_numbered(alone)
        self.marks: list[str] = []
        """Underlines in the order in which they appear, which is that of the levels."""
        self.lists = Lists()

    def write(self, block: Block) -> list[str]:
        """Return as many lines as the block has."""
        lines = block.lines
        if lines[0][:3] in ("```", "~~~") and len(lines) > 1 and not lines[-1].strip(lines[0][0]):
            self.lists.close()
            return lines
        if _heading_size(lines) == len(lines):
            return self.heading(lines)
        if block.first in self.numbered:
            self.lists.close()
            level = self.numbered[block.first] + bool(self.marks)
            return [gfm.heading(level, gfm.escape(" ".join(lines[0].split())))]
        if block.first and len(lines) == 1 and _UNDERLINE.fullmatch(lines[0].strip()):
            self.lists.close()
            return ["---"]
        return self.text(block)

    def heading(self, lines: Sequence[str]) -> list[str]:
        self.lists.close()
        title, mark = (lines[0], lines[1][-1]) if len(lines) == 2 else (lines[1], f"{lines[2][-1]} over")
        if mark not in self.marks:
            self.marks.append(mark)
        found = [""] * len(lines)
        found[len(lines) - 2] = gfm.heading(self.marks.index(mark) + 1, gfm.escape(" ".join(title.split())))
        return found

    def text(self, block: Block) -> list[str]:
        self.lists.enter(block.indent)
        if not self.lists.starts(block.lines[0]) and _is_preformatted(block, self.lists.source_indent):
            margin = " " * (self.lists.indent + CODE_INDENT)
            return [margin + line[block.indent :] for line in block.lines]
        return self.lists.write(block.lines)


def _is_preformatted(block: Block, indent: int) -> bool:
    """Do spaces and line ends carry meaning here?"""
    lines = block.lines
    if len(lines) > 1 and 2 * sum(1 for line in lines if _DRAWING.match(line) or _COLUMNS.search(line)) > len(lines):
        return True
    if block.indent < indent + CODE_INDENT:
        return False
    words = sum(len(line.split()) for line in lines)
    return words < _WORDS_OF_PROSE * len(lines) or 3 * sum(1 for line in lines if _CODE.search(line)) > len(lines)
