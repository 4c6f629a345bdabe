"""The levels of headings by their looks and numbers.

1. Headings of one look and one kind of number have one level. Larger looks are above smaller ones; in one look, parts
   are above chapters, 1 is above 1.1, and numbered headings are above others.
2. The title of the document is at the top. Other looks that only front matter has are not headings if they are larger
   than those of the text or not bold, so that a cover does not use up the levels.
3. A look on a single page, such as a line in large print, shares the level of the next one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from crosshead.formats.pdf.structure.candidates import HeadingCandidate
from crosshead.formats.pdf.structure.looks import Look
from crosshead.formats.pdf.structure.numbering import (
    APPENDIX,
    CHAPTER,
    DECIMAL,
    LETTER,
    NOTE,
    ROMAN,
    UNNUMBERED,
    NumberKind,
    chapter_of,
    kind_of,
)

_MIN_CAPITALS: Final = 2
_LONG_CAPITALS: Final = 6
"""The least headings in capitals of one look, and the least letters of each: `FAQ` alone does not make a style."""
_LONG: Final = 6
"""In a document with headings on this many pages, a look that is on a single page is rare."""
_FOLLOWS: Final = 0.3
"""The share of numbers like 1.1 that must follow a 1 of a look, if its numbers count chapters."""

Style = tuple[Look, NumberKind]
"""What headings of one level share."""


def rank_looks(candidates: Sequence[HeadingCandidate], top: int) -> list[int]:
    """Return the levels of headings below level `top`."""
    kinds = list(zip([each.look for each in candidates], _number_kinds(candidates), strict=True))
    merged = _merged(kinds, candidates)
    pages: defaultdict[Style, set[int]] = defaultdict(set)
    for kind, each in zip(kinds, candidates, strict=True):
        pages[merged[kind]].add(each.page)
    levels = _levels(pages, Counter(kinds), top)
    return [levels[merged[kind]] for kind in kinds]


def with_capitals(candidates: Sequence[HeadingCandidate]) -> list[HeadingCandidate]:
    """Return the candidates with capitals as a part of their look, where several headings share it."""
    texts: defaultdict[Look, set[str]] = defaultdict(set)
    for each in candidates:
        if _is_in_capitals(each.text):
            texts[each.look].add(each.text)
    return [
        replace(each, look=each.look._replace(capitals=True))
        if len(texts[each.look]) >= _MIN_CAPITALS and _is_in_capitals(each.text)
        else each
        for each in candidates
    ]


def _is_in_capitals(text: str) -> bool:
    return text.isupper() and sum(map(str.isalpha, text)) >= _LONG_CAPITALS


def _number_kinds(candidates: Sequence[HeadingCandidate]) -> list[NumberKind]:
    """Return the kinds of numbers; a 1 does not count if there are numbers like 1.1 that do not follow it."""
    places = [kind_of(each.text) for each in candidates]
    last: dict[Look, str] = {}
    hits: Counter[Look] = Counter()
    for each, place in zip(candidates, places, strict=True):
        if place == (DECIMAL, 0):
            last[each.look] = chapter_of(each.text)
        elif place == (DECIMAL, 1):
            hits.update([look for look, number in last.items() if number == chapter_of(each.text)])
    wanted = _FOLLOWS * places.count((DECIMAL, 1))
    return [
        UNNUMBERED if place == (DECIMAL, 0) and hits[each.look] < wanted else place
        for each, place in zip(candidates, places, strict=True)
    ]


def front_looks(candidates: Sequence[HeadingCandidate]) -> tuple[Look | None, set[Look]]:
    """Return the look of the title, and the looks of front matter that is not a heading."""
    body = {each.look for each in candidates if not each.is_front}
    front = {each.look for each in candidates if each.is_front} - body
    if not front or not body:
        return None, set()
    title, top = max(front), max(body)
    if title < top:
        return None, {look for look in front if not look.bold}
    return title, {look for look in front - {title} if not look.bold or look > top}


def _merged(kinds: Sequence[Style], candidates: Sequence[HeadingCandidate]) -> dict[Style, Style]:
    """Return for each style the one whose level it has: kinds of numbers that are siblings have one."""
    by_look: defaultdict[Look, set[NumberKind]] = defaultdict(set)
    for look, place in kinds:
        by_look[look].add(place)
    heading, lowest = _look_above_notes(candidates), max(by_look, key=_downwards, default=None)
    return {
        (look, place): (look, _sibling(place, by_look[look], heading != look, look == lowest)) for look, place in kinds
    }


def _sibling(place: NumberKind, others: set[NumberKind], notes_first: bool, is_lowest: bool) -> NumberKind:
    decimals = [each for each in others if each[0] == DECIMAL]
    if place == LETTER and ROMAN not in others and decimals:
        return min(decimals)
    if place == UNNUMBERED and decimals:
        return min(decimals)
    if place == APPENDIX:
        return CHAPTER if CHAPTER in others or not decimals else min(decimals)
    if place == UNNUMBERED and ROMAN in others:
        return ROMAN
    if place == UNNUMBERED and CHAPTER in others and not is_lowest:
        return CHAPTER  # what has headings below it is a preface or an index
    return (DECIMAL, 0) if place == NOTE and notes_first else place


def _look_above_notes(candidates: Sequence[HeadingCandidate]) -> Look | None:
    """Return the look of a heading such as `Notes to the Statements` above the first note."""
    for above, each in pairwise(candidates):
        if kind_of(each.text) == NOTE:
            return above.look if "note" in above.text.casefold() else None
    return None


def _levels(pages: Mapping[Style, set[int]], sizes: Mapping[Style, int], top: int) -> dict[Style, int]:
    """Return the level of every style, by the pages that it is on and how many headings have it."""
    is_long = len(set().union(*pages.values())) >= _LONG
    levels: dict[Style, int] = {}
    level = top
    for kind in sorted(pages, key=lambda kind: (_downwards(kind[0]), kind[1])):
        levels[kind] = level + 1
        if not is_long or len(pages[kind]) > 1:
            level += 1
    return _close_gaps(_agree(_deepen(levels), sizes), top)


def _downwards(look: Look) -> tuple[float, bool, bool, bool]:
    return -look.size, not look.bold, not look.capitals, not look.upright


def _deepen(levels: Mapping[Style, int]) -> dict[Style, int]:
    """Lower 1.1 below 1, whatever it looks like."""
    deepened = dict(levels)
    depths = sorted({place[1] for _, place in levels if place[0] == DECIMAL})
    for above, below in pairwise(depths):
        least = min(level for (_, place), level in deepened.items() if place == (DECIMAL, above)) + 1
        for kind, level in levels.items():
            if kind[1] == (DECIMAL, below):
                deepened[kind] = max(level, least)
    return deepened


def _agree(levels: Mapping[Style, int], sizes: Mapping[Style, int]) -> dict[Style, int]:
    """Give numbers of one depth the level that most of them have, unless they look like items of lists."""
    agreed = dict(levels)
    usual: dict[int, int] = {}
    for depth in sorted({place[1] for _, place in levels if place[0] == DECIMAL}, reverse=True):
        kinds = [kind for kind in levels if kind[1] == (DECIMAL, depth)]
        usual[depth] = levels[max(kinds, key=lambda kind: sizes[kind])]
        for kind in kinds:
            if levels[kind] < usual.get(depth + 1, levels[kind] + 1):
                agreed[kind] = usual[depth]
    return agreed


def _close_gaps(levels: Mapping[Style, int], top: int) -> dict[Style, int]:
    used = sorted(set(levels.values()))
    return {kind: top + used.index(level) + 1 for kind, level in levels.items()}
