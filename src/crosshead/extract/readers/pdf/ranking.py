"""The levels of headings by their looks and numbers.

1. Headings of one look and one kind of number have one level. Larger looks stand above smaller ones; of one look, parts
   stand above chapters, 1 above 1.1, and numbers as a whole above headings without any.
2. The title of the document is at the top. Other looks that only front matter has, larger than those of the text or
   not bold, are no headings: a cover does not use up the levels.
3. A look that stands on one page only, as a number in large print does, gets a level but takes none.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from crosshead.extract.readers.pdf.candidates import Candidate, Look
from crosshead.extract.readers.pdf.numbering import DECIMAL, LETTER, NONE, NOTE, ROMAN, Place, place_of

_MAX_LEVEL: Final = 6
_LONG: Final = 6
"""From so many pages with headings on, a look that is on one page only is rare."""

Kind = tuple[Look, Place]


def rank(candidates: Sequence[Candidate]) -> list[int]:
    """Return the level of every candidate; 0 where it is no heading."""
    title, dropped = _front_looks(candidates)
    kinds: list[Kind | None] = [
        None if each.look in dropped or each.look == title else (each.look, place_of(each.text)) for each in candidates
    ]
    merged = _merge_places([kind for kind in kinds if kind], candidates)
    levels = _levels([merged[kind] for kind in kinds if kind], _rare_looks(candidates), 1 if title else 0)
    return [
        levels[merged[kind]] if kind else 1 if each.look == title else 0
        for kind, each in zip(kinds, candidates, strict=True)
    ]


def _front_looks(candidates: Sequence[Candidate]) -> tuple[Look | None, set[Look]]:
    """Return the look of the title, and the looks of front matter that is no heading."""
    body = {each.look for each in candidates if not each.is_front}
    front = {each.look for each in candidates if each.is_front} - body
    if not front or not body:
        return None, set()
    title, top = max(front), max(body)
    if title < top:
        return None, {look for look in front if not look.bold}
    return title, {look for look in front - {title} if not look.bold or look > top}


def _rare_looks(candidates: Sequence[Candidate]) -> set[Look]:
    pages: defaultdict[Look, set[int]] = defaultdict(set)
    for each in candidates:
        pages[each.look].add(each.page)
    if len(set().union(*pages.values())) < _LONG:
        return set()
    return {look for look, own in pages.items() if len(own) == 1}


def _merge_places(kinds: Sequence[Kind], candidates: Sequence[Candidate]) -> dict[Kind, Kind]:
    """Give kinds that are siblings the same place."""
    by_look: defaultdict[Look, set[Place]] = defaultdict(set)
    for look, place in kinds:
        by_look[look].add(place)
    heading = _look_above_notes(candidates)
    return {(look, place): (look, _sibling(place, by_look[look], heading != look)) for look, place in kinds}


def _sibling(place: Place, others: set[Place], notes_first: bool) -> Place:
    decimals = [each for each in others if each[0] == DECIMAL]
    if place == LETTER and ROMAN not in others and decimals:
        return min(decimals)
    if place == NONE and decimals:
        return min(decimals)
    if place == NONE and ROMAN in others:
        return ROMAN
    return (DECIMAL, 0) if place == NOTE and notes_first else place


def _look_above_notes(candidates: Sequence[Candidate]) -> Look | None:
    """Return the look of a heading such as `Notes to the Statements` above the first note."""
    for above, each in pairwise(candidates):
        if place_of(each.text) == NOTE:
            return above.look if "note" in above.text.casefold() else None
    return None


def _levels(kinds: Sequence[Kind], rare: set[Look], top: int) -> dict[Kind, int]:
    levels: dict[Kind, int] = {}
    level = top
    for look, place in sorted(Counter(kinds), key=lambda kind: (_downwards(kind[0]), kind[1])):
        levels[look, place] = min(level + 1, _MAX_LEVEL)
        if look not in rare:
            level += 1
    return _deepen(levels)


def _downwards(look: Look) -> tuple[float, bool, bool]:
    return -look.size, not look.bold, not look.upright


def _deepen(levels: Mapping[Kind, int]) -> dict[Kind, int]:
    """1.1 never stands at or above the level of 1, whatever it looks like."""
    deepened = dict(levels)
    depths = sorted({place[1] for _, place in levels if place[0] == DECIMAL})
    for above, below in pairwise(depths):
        least = min(level for (_, place), level in deepened.items() if place == (DECIMAL, above)) + 1
        for kind, level in levels.items():
            if kind[1] == (DECIMAL, below):
                deepened[kind] = min(max(level, least), _MAX_LEVEL)
    return deepened
