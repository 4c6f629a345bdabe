"""Links between chunks that follow from the section tree; chunks and sections are told by their numbers.

1. a section's own text is in one chunk, or in several: its parts, which are each other's siblings
2. the parent of a chunk opens the nearest section around it that has text of its own; for all but the first chunk of a
   section this may be the section itself
3. the siblings of other chunks open the sections before and after what the chunk holds, under the same heading
4. where all this finds nothing, the chunks before and after are siblings
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from crosshead.chunking.draft_position import DraftPosition
from crosshead.markdown import Outline

NOWHERE = -1


class Links(NamedTuple):
    """What a chunk is to its section and to other chunks."""

    parts: range
    """The chunks that hold the own text of its section, or the chunk alone if it holds none of it."""
    parent: int | None
    siblings: list[int]


def link_chunks(
    sections: Outline, places: Sequence[DraftPosition], own_ends: Sequence[int], first_block: int
) -> list[Links]:
    """Return the links of all chunks.

    `own_ends` are the numbers of the blocks behind each section's own text, `first_block` is the first that is text.
    """
    parents = sections.parents
    openers, parts_of = _openers_and_parts(places, own_ends)
    speaking = _speaking(sections, own_ends, first_block)
    previous, following = _neighbors(parents)
    links = []
    for number, place in enumerate(places):
        section = first = last = place.section
        parts = parts_of.get(section)
        around = speaking[section]
        if openers[section] == number:
            around = speaking[parents[section]] if section else NOWHERE
        parent = openers[around] if around >= 0 else None
        if parts is None or number not in parts:
            parts = range(number, number + 1)
            first, last = _below(parents, section, place.headings[0]), _below(parents, section, place.headings[-1])
        if len(parts) > 1:
            siblings = [other for other in (number - 1, number + 1) if other in parts]
        else:
            beside = [openers[each] for each in (previous[first], following[last]) if each]
            siblings = [other for other in dict.fromkeys(beside) if other != number]
            if parent is None and not siblings:
                siblings = [other for other in (number - 1, number + 1) if 0 <= other < len(places)]
        links.append(Links(parts, parent, siblings))
    return links


def _openers_and_parts(
    places: Sequence[DraftPosition], own_ends: Sequence[int]
) -> tuple[dict[int, int], dict[int, range]]:
    """Return by section the chunk that holds its beginning, and the chunks that hold its own text."""
    openers: dict[int, int] = {0: 0}
    parts: dict[int, range] = {}
    for number, place in enumerate(places):
        for opened in place.headings:
            openers.setdefault(opened, number)
        if place.first_block < own_ends[place.section]:
            known = parts.get(place.section)
            parts[place.section] = range(known.start if known else number, number + 1)
    return openers, parts


def _speaking(sections: Outline, own_ends: Sequence[int], first_block: int) -> list[int]:
    """Return for every section the nearest one around it that has text of its own, perhaps itself."""
    heads, parents = sections.heads, sections.parents
    found = [0 if own_ends[0] > first_block else NOWHERE]
    for section in range(1, len(heads)):
        has_text = own_ends[section] - heads[section] > 1
        found.append(section if has_text else found[parents[section]])
    return found


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


def _below(parents: Sequence[int], section: int, inner: int) -> int:
    """Return the section directly below one that holds another."""
    while parents[inner] != section:
        inner = parents[inner]
    return inner
