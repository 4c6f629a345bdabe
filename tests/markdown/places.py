"""Where blocks must stand: in order, on whole lines, with nothing but blank lines between them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from crosshead import Block

NEWLINE = re.compile(r"\r\n?|\n")


def line_ranges(text: str) -> list[tuple[int, int]]:
    """Where each line starts and ends, its newline not included; a byte order mark belongs to no line."""
    starts = [1 if text.startswith("\ufeff") else 0, *(newline.end() for newline in NEWLINE.finditer(text))]
    ends = [*(newline.start() for newline in NEWLINE.finditer(text)), len(text)]
    return list(zip(starts, ends, strict=True))


def assert_places(text: str, blocks: Sequence[Block]) -> None:
    """Blocks tile the text, and offsets and lines say the same; so do items and atoms within their block."""
    lines = line_ranges(text)
    _assert_offsets(lines, blocks)
    covered = {line for block in blocks for line in range(block.start_line, block.end_line + 1)}
    assert len(covered) == sum(block.end_line - block.start_line + 1 for block in blocks)
    assert [block.start_line for block in blocks] == sorted(block.start_line for block in blocks)
    blank = {number for number, (start, end) in enumerate(lines, 1) if not text[start:end].strip(" \t")}
    assert set(range(1, len(lines) + 1)) - covered <= blank
    for block in blocks:
        assert text[block.start : block.end].strip(" \t") != ""
        assert not {block.start_line, block.end_line} & blank
        _assert_inside(block, blank)
        _assert_offsets(lines, block.atoms)


def _assert_offsets(lines: Sequence[tuple[int, int]], blocks: Sequence[Block]) -> None:
    for block in blocks:
        assert block.start_line <= block.end_line
        assert (block.start, block.end) == (lines[block.start_line - 1][0], lines[block.end_line - 1][1])


def _assert_inside(block: Block, blank: set[int]) -> None:
    """Items cover a list without overlap; atoms lie in the block, one after the other."""
    if block.kind == "list":
        starts, ends = [first for first, _ in block.items], [last for _, last in block.items]
        assert (starts[0], ends[-1]) == (block.start_line, block.end_line)
        assert starts == sorted(set(starts))
        for end, following in zip(ends, starts[1:], strict=False):
            assert set(range(end + 1, following)) <= blank
    ends = [block.start_line - 1, *(atom.end_line for atom in block.atoms)]
    assert all(end < atom.start_line for end, atom in zip(ends, block.atoms, strict=False))
    assert ends[-1] <= block.end_line
