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
    styles = list(zip([each.look for each in candidates], _number_kinds(candidates), strict=True))
    merged = _merged(styles, candidates)
    pages: defaultdict[Style, set[int]] = defaultdict(set)
    for style, each in zip(styles, candidates, strict=True):
        pages[merged[style]].add(each.page)
    levels = _levels(pages, Counter(styles), top)
    return [levels[merged[style]] for style in styles]


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
    kinds = [kind_of(each.text) for each in candidates]
    last: dict[Look, str] = {}
    hits: Counter[Look] = Counter()
    for each, kind in zip(candidates, kinds, strict=True):
        if kind == (DECIMAL, 0):
            last[each.look] = chapter_of(each.text)
        elif kind == (DECIMAL, 1):
            hits.update([look for look, number in last.items() if number == chapter_of(each.text)])
    wanted = _FOLLOWS * kinds.count((DECIMAL, 1))
    return [
        UNNUMBERED if kind == (DECIMAL, 0) and hits[each.look] < wanted else kind
        for each, kind in zip(candidates, kinds, strict=True)
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


def _merged(styles: Sequence[Style], candidates: Sequence[HeadingCandidate]) -> dict[Style, Style]:
    """Return for each style the one whose level it has: kinds of numbers that are siblings have one."""
    by_look: defaultdict[Look, set[NumberKind]] = defaultdict(set)
    for look, kind in styles:
        by_look[look].add(kind)
    heading, lowest = _look_above_notes(candidates), max(by_look, key=_downwards, default=None)
    return {
        (look, kind): (look, _sibling(kind, by_look[look], heading != look, look == lowest)) for look, kind in styles
    }


def _sibling(kind: NumberKind, others: set[NumberKind], notes_first: bool, is_lowest: bool) -> NumberKind:
    decimals = [each for each in others if each[0] == DECIMAL]
    if kind == LETTER and ROMAN not in others and decimals:
        return min(decimals)
    if kind == UNNUMBERED and decimals:
        return min(decimals)
    if kind == APPENDIX:
        return CHAPTER if CHAPTER in others or not decimals else min(decimals)
    if kind == UNNUMBERED and ROMAN in others:
        return ROMAN
    if kind == UNNUMBERED and CHAPTER in others and not is_lowest:
        return CHAPTER  # what has headings below it is a preface or an index
    return (DECIMAL, 0) if kind == NOTE and notes_first else kind


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
    for style in sorted(pages, key=lambda style: (_downwards(style[0]), style[1])):
        levels[style] = level + 1
        if not is_long or len(pages[style]) > 1:
            level += 1
    return _close_gaps(_agree(_deepen(levels), sizes), top)


def _downwards(look: Look) -> tuple[float, bool, bool, bool]:
    return -look.size, not look.bold, not look.capitals, not look.upright


def _deepen(levels: Mapping[Style, int]) -> dict[Style, int]:
    """Lower 1.1 below 1, whatever it looks like."""
    deepened = dict(levels)
    depths = sorted({kind[1] for _, kind in levels if kind[0] == DECIMAL})
    for above, below in pairwise(depths):
        least = min(level for (_, kind), level in deepened.items() if kind == (DECIMAL, above)) + 1
        for style, level in levels.items():
            if style[1] == (DECIMAL, below):
                deepened[style] = max(level, least)
    return deepened


def _agree(levels: Mapping[Style, int], sizes: Mapping[Style, int]) -> dict[Style, int]:
    """Give numbers of one depth the level that most of them have, unless they look like items of lists."""
    agreed = dict(levels)
    usual: dict[int, int] = {}
    for depth in sorted({kind[1] for _, kind in levels if kind[0] == DECIMAL}, reverse=True):
        styles = [style for style in levels if style[1] == (DECIMAL, depth)]
        usual[depth] = levels[max(styles, key=lambda style: sizes[style])]
        for style in styles:
            if levels[style] < usual.get(depth + 1, levels[style] + 1):
                agreed[style] = usual[depth]
    return agreed


def _close_gaps(levels: Mapping[Style, int], top: int) -> dict[Style, int]:
    used = sorted(set(levels.values()))
    return {style: top + used.index(level) + 1 for style, level in levels.items()}
