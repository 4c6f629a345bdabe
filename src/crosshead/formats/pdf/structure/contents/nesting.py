"""Headings that the printed contents name get the levels of their entries; others keep their distance from them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from crosshead.formats.pdf.structure.candidates import HeadingCandidate
from crosshead.formats.pdf.structure.exclusions import is_contents_title
from crosshead.formats.pdf.structure.looks import Look

_MIN_NAMED: Final = 3
_MOSTLY: Final = 0.7
"""The share of entries of one level whose headings must look alike."""
_OFTEN: Final = 0.2
"""The share of the headings of a look in the contents that must have a level for it to count."""


def follow_contents(candidates: Sequence[HeadingCandidate], levels: Sequence[int]) -> list[int]:
    """Return the levels with those of the contents; `levels` are those by looks, 0 for what is not a heading."""
    named = [(each, level) for each, level in zip(candidates, levels, strict=True) if each.rank and level]
    if len(named) < _MIN_NAMED or _is_flat(named):
        return list(levels)
    top = int(_has_title(candidates, levels))
    known = _deepest([each for each, _ in named])
    followed: list[int] = []
    entry = by_look = 0
    for each, level in zip(candidates, levels, strict=True):
        own = level
        if level and each.rank:
            own = entry = top + each.rank
            by_look = level
        elif level and entry:
            own = top + known[each.look] if each.look in known else entry + max(1, level - by_look)
        followed.append(own)
    return followed


def _has_title(candidates: Sequence[HeadingCandidate], levels: Sequence[int]) -> bool:
    """Return whether a heading other than that of the contents is above the first entry."""
    found = zip(candidates, levels, strict=True)
    above = [(each, level) for each, level in takewhile(lambda pair: not pair[0].rank, found) if level]
    least = min(level for each, level in zip(candidates, levels, strict=True) if each.rank and level)
    return any(level < least and not is_contents_title(each.text) for each, level in above)


def _is_flat(named: Sequence[tuple[HeadingCandidate, int]]) -> bool:
    """Return whether the contents show no levels: all entries have the same, but their headings differ in look."""
    _, most = Counter([level for _, level in named]).most_common(1)[0]
    return len({each.rank for each, _ in named}) == 1 and most < _MOSTLY * len(named)


def _deepest(named: Sequence[HeadingCandidate]) -> dict[Look, int]:
    """Return the lowest level that headings of a look often have: contents omit low levels, not high ones."""
    ranks: defaultdict[Look, Counter[int]] = defaultdict(Counter)
    for each in named:
        ranks[each.look][each.rank] += 1
    return {
        look: max(rank for rank, count in counts.items() if count >= _OFTEN * counts.total())
        for look, counts in ranks.items()
    }
