"""Links between chunks that follow from the section tree."""

from __future__ import annotations

from collections.abc import Sequence

from crosshead.chunk.place import Place
from crosshead.parse.tree import Outline


class SectionLinks:
    """Answers which chunk opens a section, and which chunks that makes parent and siblings."""

    def __init__(self, sections: Outline, places: Sequence[Place], block_count: int, first_block: int) -> None:
        self._parents = sections.parents
        self._has_text = _sections_with_text(sections, block_count, first_block)
        self._openers: dict[int, int] = {0: 0}
        for number, place in enumerate(places):
            for section in place.headings:
                self._openers.setdefault(section, number)
        self._previous, self._next = _neighbors(sections.parents)

    def parent(self, section: int) -> int | None:
        """Return the chunk that opens the nearest enclosing section with text of its own."""
        while section:
            section = self._parents[section]
            if self._has_text[section]:
                return self._openers[section]
        return None

    def siblings(self, section: int, chunk: int) -> list[int]:
        """Return the chunks that open the sections before and after this one; `chunk` itself is none of them."""
        found: list[int] = []
        for other in (self._previous[section], self._next[section]):
            opener = self._openers.get(other, chunk) if other else chunk
            if opener != chunk and opener not in found:
                found.append(opener)
        return found


def _sections_with_text(sections: Outline, block_count: int, first_block: int) -> list[bool]:
    ends = [*sections.heads[1:], block_count]
    has_text = [end - head > 1 for head, end in zip(sections.heads, ends, strict=True)]
    has_text[0] = ends[0] > first_block
    return has_text


def _neighbors(parents: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the section before and after each one under the same parent; 0 where there is none."""
    previous, following = [0] * len(parents), [0] * len(parents)
    last_child: dict[int, int] = {}
    for section in range(1, len(parents)):
        parent = parents[section]
        before = last_child.get(parent, 0)
        previous[section] = before
        if before:
            following[before] = section
        last_child[parent] = section
    return previous, following
