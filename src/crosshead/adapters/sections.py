"""Sections that hold several chunks, for frameworks that replace many small hits by the section around them.

1. walk down the tree as long as a section holds more than one chunk
2. a section within the size becomes a group, unless it holds the same chunks as the group around it
3. chunks and groups belong to the innermost group around them
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from crosshead.types import Chunk, Document, Section


class SectionGroup(NamedTuple):
    """A whole section with several chunks in it."""

    section: Section
    parent_id: str | None
    children: tuple[str, ...]
    """Ids of the chunks and groups directly below, in no order."""


class SectionGroups(NamedTuple):
    """The groups of a document, and the group of each chunk."""

    all: Sequence[SectionGroup] = ()
    by_chunk: Mapping[str, str] = {}


def find_groups(document: Document, chunks: Sequence[Chunk], most_tokens: int) -> SectionGroups:
    """Return the sections of at most `most_tokens` that hold several chunks."""
    found = list(_Search(chunks, most_tokens).below(document.root, None, range(-1)))
    by_chunk = {chunks[at].id: section.id for section, _, inside in found for at in inside}  # the innermost comes last
    children = defaultdict(list)
    for child, parent in [*by_chunk.items(), *((section.id, parent) for section, parent, _ in found)]:
        children[parent].append(child)
    return SectionGroups(
        [SectionGroup(section, parent, tuple(children[section.id])) for section, parent, _ in found], by_chunk
    )


class _Search:
    def __init__(self, chunks: Sequence[Chunk], most_tokens: int) -> None:
        self._starts = [each.start for each in chunks]
        self._ends = [each.end for each in chunks]
        self._tokens = [0, *accumulate(each.token_count for each in chunks)]
        self._most_tokens = most_tokens

    def below(self, section: Section, parent: str | None, around: range) -> Iterator[tuple[Section, str | None, range]]:
        """Yield the groups at and below a section, with their parents and the range of their chunks."""
        inside = range(bisect_left(self._starts, section.start), bisect_right(self._ends, section.end))
        if len(inside) < 2:
            return
        is_small = self._tokens[inside.stop] - self._tokens[inside.start] <= self._most_tokens
        if is_small and inside != around:
            yield section, parent, inside
            parent, around = section.id, inside
        for child in section.children:
            yield from self.below(child, parent, around)
