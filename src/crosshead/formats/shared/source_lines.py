"""Blocks of lines that know where they come from -> Markdown with a map to the lines of the file."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Final, TypeAlias

from crosshead.formats.base import Extracted
from crosshead.types import Anchor, Link

MOST_RUNS: Final = 20
"""Runs of lines in which a line of the file is looked for."""

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


def place_links(found: Extracted, links: Sequence[Link], anchors: Sequence[Anchor]) -> Extracted:
    """Add links and anchors, whose `start` is a line of the file, to a document: it becomes an offset in the text."""
    if not links and not anchors:
        return found
    offsets = [0, *accumulate(len(line) + 1 for line in found.text.split("\n"))]
    firsts = [*(mark[0] for mark in found.lines[1:]), len(offsets)]
    runs = sorted((mark[1], mark[0], end - mark[0]) for mark, end in zip(found.lines, firsts, strict=True))

    def offset(line: int) -> int:
        """Return where the run of lines begins that has a line of the file, or the nearest one before it."""
        at = bisect_right(runs, (line, len(offsets), 0))
        near = runs[max(0, at - MOST_RUNS) : max(1, at)]
        source, first, _ = next((run for run in reversed(near) if line < run[0] + run[2]), near[-1])
        return offsets[min(max(first + max(line - source, 0), 1), len(offsets) - 1) - 1]

    return found._replace(
        links=tuple(sorted(each._replace(start=offset(each.start)) for each in links)),
        anchors=tuple(sorted(each._replace(start=offset(each.start)) for each in anchors)),
    )


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
