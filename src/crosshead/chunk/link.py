"""Links between chunks that follow from the section tree; chunks and sections are told by their numbers.

1. a section's own text is in one chunk, or in several: its parts, which are each other's siblings
2. the parent of a chunk opens the nearest section around it that has text of its own; for all but the first chunk of a
   section this may be the section itself
3. the siblings of other chunks open the sections before and after what the chunk holds, under the same heading
4. where all this finds nothing, the chunks before and after are siblings
"""

from __future__ import annotations

from collections.abc import Sequence

from crosshead.chunk.place import Place
from crosshead.parse.tree import Outline


class SectionLinks:
    """Answers what a chunk is to its section and to other chunks.

    `own_ends` are the numbers of the blocks behind each section's own text, `first_block` is the first that is text.
    """

    def __init__(self, sections: Outline, places: Sequence[Place], own_ends: Sequence[int], first_block: int) -> None:
        self._places = places
        self._parents = sections.parents
        self._has_text = [end - head > 1 for head, end in zip(sections.heads, own_ends, strict=True)]
        self._has_text[0] = own_ends[0] > first_block
        self._openers: dict[int, int] = {0: 0}
        self._parts: dict[int, range] = {}
        for number, place in enumerate(places):
            section = place.section
            for opened in place.headings:
                self._openers.setdefault(opened, number)
            if place.first_block < own_ends[section]:
                known = self._parts.get(section)
                self._parts[section] = range(known.start if known else number, number + 1)
        self._previous, self._next = _neighbors(sections.parents)

    def parts(self, number: int) -> range:
        """Return the chunks that hold the own text of a chunk's section, or the chunk alone if it holds none of it."""
        found = self._parts.get(self._places[number].section, range(0))
        return found if number in found else range(number, number + 1)

    def parent(self, number: int) -> int | None:
        """Return the chunk that opens the nearest section with text of its own around what the chunk holds."""
        section = self._places[number].section
        if self._opens(section, number):
            if not section:
                return None
            section = self._parents[section]
        while section and not self._has_text[section]:
            section = self._parents[section]
        return self._openers[section] if self._has_text[section] else None

    def siblings(self, number: int) -> list[int]:
        """Return at most two chunks beside this one; none only if there is a parent, or no other chunk at all."""
        parts = self.parts(number)
        if len(parts) > 1:
            return [other for other in (number - 1, number + 1) if other in parts]
        first, last = self._sections_inside(number)
        beside = (self._openers.get(each, number) for each in (self._previous[first], self._next[last]) if each)
        found = [other for other in dict.fromkeys(beside) if other != number]
        if found or self.parent(number) is not None:
            return found
        return [other for other in (number - 1, number + 1) if 0 <= other < len(self._places)]

    def _opens(self, section: int, number: int) -> bool:
        return self._openers[section] == number

    def _sections_inside(self, number: int) -> tuple[int, int]:
        """Return the section that a chunk opens, or the first and the last one of those that it joins."""
        place = self._places[number]
        if number in self._parts.get(place.section, ()) or not place.headings:
            return place.section, place.section
        return self._below(place.section, place.headings[0]), self._below(place.section, place.headings[-1])

    def _below(self, section: int, inner: int) -> int:
        """Return the section directly below one that holds another."""
        while self._parents[inner] != section:
            inner = self._parents[inner]
        return inner


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
