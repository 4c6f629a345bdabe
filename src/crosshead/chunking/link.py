"""Links between chunks, derived from the section tree. Chunks and sections are given by number.

1. The own text of a section is in one chunk or several, its parts. Neighboring parts are siblings.
2. The parent of a chunk is the chunk that opens the nearest enclosing section with own text. For all but the first
   chunk of a section this may be the section itself.
3. The siblings of other chunks are those that open the previous and the next section under the same heading.
4. A chunk without parent and siblings has the chunks before and after it as siblings.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from crosshead.chunking.draft_position import DraftPosition
from crosshead.markdown import Outline

NO_SECTION = -1


class Links(NamedTuple):
    """The links of a chunk."""

    parts: range
    """The chunks that hold the own text of its section, or only the chunk itself if it holds none of it."""
    parent: int | None
    siblings: list[int]


def link_chunks(
    sections: Outline, places: Sequence[DraftPosition], own_ends: Sequence[int], first_block: int
) -> list[Links]:
    """Return the links of all chunks.

    `own_ends` are the blocks after the own text of each section, `first_block` is the first block of text.
    """
    parents = sections.parents
    openers, parts_of = _openers_and_parts(places, own_ends)
    with_text = _nearest_with_text(sections, own_ends, first_block)
    previous, following = _neighbors(parents)
    links = []
    for number, place in enumerate(places):
        section = first = last = place.section
        parts = parts_of.get(section)
        enclosing = with_text[section]
        if openers[section] == number:
            enclosing = with_text[parents[section]] if section else NO_SECTION
        parent = openers[enclosing] if enclosing >= 0 else None
        if parts is None or number not in parts:
            parts = range(number, number + 1)
            first, last = _below(parents, section, place.headings[0]), _below(parents, section, place.headings[-1])
        if len(parts) > 1:
            siblings = [other for other in (number - 1, number + 1) if other in parts]
        else:
            neighbors = [openers[other] for other in (previous[first], following[last]) if other]
            siblings = [other for other in dict.fromkeys(neighbors) if other != number]
            if parent is None and not siblings:
                siblings = [other for other in (number - 1, number + 1) if 0 <= other < len(places)]
        links.append(Links(parts, parent, siblings))
    return links


def _openers_and_parts(
    places: Sequence[DraftPosition], own_ends: Sequence[int]
) -> tuple[dict[int, int], dict[int, range]]:
    """Return for each section the chunk that holds its beginning, and the chunks that hold its own text."""
    openers: dict[int, int] = {0: 0}
    parts: dict[int, range] = {}
    for number, place in enumerate(places):
        for opened in place.headings:
            openers.setdefault(opened, number)
        if place.first_block < own_ends[place.section]:
            run = parts.get(place.section)
            parts[place.section] = range(run.start if run else number, number + 1)
    return openers, parts


def _nearest_with_text(sections: Outline, own_ends: Sequence[int], first_block: int) -> list[int]:
    """Return for each section the nearest enclosing one that has own text, perhaps itself."""
    heads, parents = sections.heads, sections.parents
    nearest = [0 if own_ends[0] > first_block else NO_SECTION]
    for section in range(1, len(heads)):
        has_text = own_ends[section] - heads[section] > 1
        nearest.append(section if has_text else nearest[parents[section]])
    return nearest


def _neighbors(parents: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the previous and the next section of each under the same parent; 0 means none."""
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


def _below(parents: Sequence[int], section: int, inner: int) -> int:
    """Return the section directly below `section` that holds `inner`."""
    while parents[inner] != section:
        inner = parents[inner]
    return inner
