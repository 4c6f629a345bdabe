"""Blocks of lines that know where they come from -> Markdown with a map to the lines of the file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from crosshead.formats.base import Extracted

Block: TypeAlias = list[tuple[str, int]]
"""Lines of Markdown, each with its line in the file."""


def block_of(text: str, line: int) -> Block:
    """Return lines that are the same in the file, from `line` on."""
    return [(each, line + at) for at, each in enumerate(text.split("\n"))]


def indent_block(block: Block, margin: str, *, first: str) -> Block:
    """Put `first` before the first line and `margin` before the others, but for blank ones."""
    margins = [first, *[margin] * (len(block) - 1)]
    return [(f"{space}{text}" if text else text, line) for space, (text, line) in zip(margins, block, strict=True)]


def join_blocks(blocks: Iterable[Block], *, blank: str = "") -> Block:
    """Join blocks with a blank line between them."""
    joined: Block = []
    for block in filter(None, blocks):
        if joined:
            joined.append((blank, joined[-1][1] + 1))
        joined += block
    return joined


def write_blocks(blocks: Iterable[Block], title: str = "") -> Extracted:
    """Return a document of finished blocks."""
    lines = join_blocks(blocks)
    if not lines:
        return Extracted("", title)
    lines.append(("", lines[-1][1] + 1))
    return Extracted("\n".join([text for text, _ in lines]), title, lines=_marks([line for _, line in lines]))


def _marks(sources: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Mark the lines that do not follow the one before, and those that the next one does not come after."""
    return tuple(
        (at + 1, source)
        for at, source in enumerate(sources)
        if not at
        or source != sources[at - 1] + 1
        or (at + 1 < len(sources) and sources[at + 1] <= source)
    )  # fmt: skip


def without_blank_ends(lines: Block) -> Block:
    """Return lines without the blank ones above and below them."""
    inked = [at for at, (line, _) in enumerate(lines) if line.strip()]
    return lines[inked[0] : inked[-1] + 1] if inked else []
