"""Blocks -> the tree of sections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from crosshead.ids import section_id
from crosshead.types import Block, Section


class Outline(NamedTuple):
    """The sections of a document in order as parallel lists; number 0 is the root, which has no heading."""

    heads: list[int]
    """Index of the block that opens a section; 0 for the root."""
    levels: list[int]
    parents: list[int]
    """Number of the enclosing section; the root encloses itself."""
    paths: list[tuple[str, ...]]


def outline(blocks: Sequence[Block]) -> Outline:
    """Return the sections and how they nest."""
    heads, levels, parents = [0], [0], [0]
    paths: list[tuple[str, ...]] = [()]
    open_sections = [0]
    path: tuple[str, ...] = ()
    for index in [number for number, block in enumerate(blocks) if block.kind == "heading"]:
        block = blocks[index]
        level = block.level
        while levels[open_sections[-1]] >= level:
            open_sections.pop()
        path = (*path[: len(open_sections) - 1], block.title)
        parents.append(open_sections[-1])
        open_sections.append(len(heads))
        heads.append(index)
        levels.append(level)
        paths.append(path)
    return Outline(heads, levels, parents, paths)


def section_ordinals(paths: Sequence[tuple[str, ...]]) -> list[int]:
    """Return for each section how many earlier ones have the same path."""
    if len(set(paths)) == len(paths):
        return [0] * len(paths)
    seen: Counter[tuple[str, ...]] = Counter()
    ordinals = []
    for path in paths:
        ordinals.append(seen[path])
        seen[path] += 1
    return ordinals


def build_tree(document_id: str, blocks: Sequence[Block]) -> Section:
    """Return the root section; it owns the text before the first heading, and everything is below it."""
    heads, levels, parents, paths = outline(blocks)
    ids = [section_id(document_id, *each) for each in zip(paths, section_ordinals(paths), strict=True)]
    ends = [*heads[1:], len(blocks)]
    children: list[list[Section]] = [[] for _ in heads]
    for number in range(len(heads) - 1, 0, -1):  # children before their parents, the last ones first
        own = tuple(blocks[heads[number] : ends[number]])
        below = tuple(reversed(children[number]))
        last = below[-1] if below else own[-1]
        section = Section(
            ids[number], ids[parents[number]], own[0].title, levels[number], paths[number],
            own[0].start, last.end, own[0].start_line, last.end_line, own, below,
        )  # fmt: skip
        children[parents[number]].append(section)
    end, end_line = (blocks[-1].end, blocks[-1].end_line) if blocks else (0, 1)
    return Section(ids[0], None, "", 0, (), 0, end, 1, end_line, tuple(blocks[: ends[0]]), tuple(reversed(children[0])))
