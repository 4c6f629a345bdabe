"""Guarantee 7: previous, next, parent and siblings exist and agree with the tree.

Every expected parent precedes its chunk, so correct links cannot form a cycle.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from operator import attrgetter

from crosshead.checking.source import CheckedSource, PlacedChunk, broken, own_parts
from crosshead.markdown import find_ink
from crosshead.types import Chunk, Violation

_FIELDS = ("prev_id", "next_id", "parent_chunk_id", "sibling_chunk_ids")
_fields_of = attrgetter(*_FIELDS)


def check_links(source: CheckedSource, places: Sequence[PlacedChunk], chunks: Sequence[Chunk]) -> Iterator[Violation]:
    """Each link of a chunk follows from the tree."""
    known = {chunk.id for chunk in chunks}
    links = _Links(source, places, chunks)
    neighbors = _neighbors(chunks)
    for place in places:
        chunk = place.chunk
        neighbor_ids = neighbors[chunk.id]
        expected = (*neighbor_ids, links.parent(place), links.siblings(place, neighbor_ids))
        actual = _fields_of(chunk)
        if actual == expected:
            continue
        for name, value, right in zip(_FIELDS, actual, expected, strict=True):
            if value != right:
                unknown = {value} - known if isinstance(value, str) else set(value or ()) - known
                message = f"has {name}={value!r}, not {right!r}"
                yield broken("links", chunk, f"{message}: there is no chunk {min(unknown)!r}" if unknown else message)


class _Links:
    """The links that follow from the tree."""

    def __init__(self, source: CheckedSource, places: Sequence[PlacedChunk], chunks: Sequence[Chunk]) -> None:
        self._source = source
        self._in_order = sorted(chunks, key=attrgetter("start"))
        self._starts = [chunk.start for chunk in self._in_order]
        self._by_start = dict(zip(self._starts, self._in_order, strict=True))
        self._previous, self._next = _sibling_sections(source.parents)
        self._parts = own_parts(source, places)
        self._numbers = {id(place): number for run in self._parts.values() for number, place in enumerate(run)}

    def parent(self, place: PlacedChunk) -> str | None:
        """Return the chunk that opens the nearest enclosing section with own text, perhaps the chunk's section."""
        section, parents = place.section, self._source.parents
        if self._opener(section) is place.chunk:
            if not section:
                return None
            section = parents[section]
        while section and not self._source.has_own_text(section):
            section = parents[section]
        return self._opener(section).id if self._source.has_own_text(section) else None

    def siblings(self, place: PlacedChunk, neighbors: Sequence[str | None]) -> tuple[str, ...]:
        """Return the neighboring parts, or the chunks that open the neighboring sections, or else the neighbors."""
        parts, at = self._parts.get(place.section, []), self._numbers.get(id(place))
        if at is not None and len(parts) > 1:
            return tuple([part.chunk.id for part in (*parts[max(0, at - 1) : at], *parts[at + 1 : at + 2])])
        first = last = place.section
        if at is None:  # it begins after the own text of its section: a run of subsections
            first = self._child_at(place.section, place.first)
            last = self._child_at(place.section, place.last)
        found: list[str] = []
        for section in (self._previous[first], self._next[last]):
            if section:
                opener = self._opener(section)
                if opener is not place.chunk and opener.id not in found:
                    found.append(opener.id)
        if not found and self.parent(place) is None:
            found = [each for each in neighbors if each is not None]
        return tuple(found)

    def _child_at(self, section: int, block: int) -> int:
        """Return the section directly below `section` that a block belongs to."""
        inner = self._source.section_of(block)
        while self._source.parents[inner] != section:
            inner = self._source.parents[inner]
        return inner

    def _opener(self, section: int) -> Chunk:
        """Return the chunk that holds the beginning of a section."""
        start = self._source.starts[self._source.section_first(section)]
        if start in self._by_start:
            return self._by_start[start]
        ink = find_ink(self._source.text, start)
        at = bisect_right(self._starts, ink.start() if ink else start) - 1
        return self._in_order[max(at, 0)]


def _neighbors(chunks: Sequence[Chunk]) -> dict[str, tuple[str | None, str | None]]:
    ids = [None, *(chunk.id for chunk in chunks), None]
    return {chunk.id: (ids[at], ids[at + 2]) for at, chunk in enumerate(chunks)}


def _sibling_sections(parents: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the previous and next siblings of all sections; 0 means none."""
    before, after, latest = [0] * len(parents), [0] * len(parents), [0] * len(parents)
    for section in range(1, len(parents)):
        parent = parents[section]
        sibling = latest[parent]
        if sibling:
            before[section], after[sibling] = sibling, section
        latest[parent] = section
    return before, after
