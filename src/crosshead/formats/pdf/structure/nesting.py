"""Headings -> one tree.

1. Headings of a series that counts through the document, as `PART I`, `Item 7A` or `Chapter 3` do, are its spine:
   whatever is between two of them is below them, however large it is. A larger look that groups members of the series
   is above it.
2. Notes that count up, with or without the word, enclose the headings between them in the same way.
3. All other headings rank by their looks and the depth of their numbers, among those that share a parent series.
4. Where the document prints its contents, headings have the levels of their entries.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from crosshead.formats.pdf.structure.candidates import HeadingCandidate
from crosshead.formats.pdf.structure.contents.nesting import follow_contents
from crosshead.formats.pdf.structure.looks import Look
from crosshead.formats.pdf.structure.numbering import (
    CHAPTER,
    DECIMAL,
    NOTE,
    PART,
    UNNUMBERED,
    kind_of,
    ordinal_of,
    series_of,
)
from crosshead.formats.pdf.structure.ranking import front_looks, rank_looks, with_capitals

_MAX_LEVEL: Final = 6
_MAX_FIRST: Final = 2
"""The lowest level of the first heading: a line above the title may be smaller than it."""
_MIN_SERIES: Final = 2
_COUNTING: Final = 0.8
"""The least share of the numbers of a series that must not be smaller than the one before."""
_GROUPING: Final = 0.7
"""The share of larger headings that must be followed by a member of the series to be above it."""

Group = list[int]
"""Headings by their number in the document."""


def nest(candidates: Sequence[HeadingCandidate]) -> list[int]:
    """Return the level of every candidate; 0 where it is not a heading."""
    candidates = with_capitals(candidates)
    title, dropped = front_looks(candidates)
    levels = {number: 1 for number, each in enumerate(candidates) if each.look == title}
    rest = [number for number, each in enumerate(candidates) if each.look != title and each.look not in dropped]
    levels |= _Tree(candidates).levels(rest, 1 if title else 0)
    return _without_jumps(follow_contents(candidates, [levels.get(number, 0) for number in range(len(candidates))]))


class _Tree:
    """The headings of one document."""

    def __init__(self, candidates: Sequence[HeadingCandidate]) -> None:
        self._candidates = candidates
        self._kinds = [kind_of(each.text) for each in candidates]
        self._spine: Group = []
        """Members of all series found so far."""

    def levels(self, group: Group, top: int) -> dict[int, int]:
        """Return the levels of a group below level `top`."""
        series = self._find_series(group)
        if not series:
            return self._with_notes(group, top)
        self._spine = sorted([*self._spine, *series])
        if self._is_title(group, series):
            return {group[0]: top + 1} | self.levels(group[1:], top + 1)
        before = [number for number in group if number < series[0]]
        members = {*series, *self._closing(group, series)}
        below = [number for number in group if number > series[0] and number not in members]
        found = dict.fromkeys(members, top + 1)
        return found | self._by_looks(before, top) | self.levels(below, top + 1)

    def _find_series(self, group: Group) -> Group:
        """Return the members of the highest series that counts up, or the larger headings that group them."""
        for kind in (PART, CHAPTER):
            by_word: defaultdict[str, Group] = defaultdict(list)
            for number in group:
                if self._kinds[number] == kind:
                    by_word[series_of(self._text(number))].append(number)
            largest = max(by_word.values(), key=len, default=[])
            if len(largest) >= _MIN_SERIES and self._counts(largest):
                return self._look_above(group, largest) or largest
        return []

    def _is_title(self, group: Group, series: Group) -> bool:
        """Return whether the first heading is larger than all others."""
        size = self._candidates[group[0]].look.size
        return group[0] not in series and all(self._candidates[number].look.size < size for number in group[1:])

    def _counts(self, series: Sequence[int]) -> bool:
        numbers = [ordinal_of(self._text(number)) for number in series]
        return sum(a <= b for a, b in pairwise(numbers)) >= _COUNTING * (len(numbers) - 1) and len(set(numbers)) > 1

    def _look_above(self, group: Group, series: Group) -> Group:
        size = Counter(self._candidates[number].look.size for number in series).most_common(1)[0][0]
        by_look: defaultdict[Look, Group] = defaultdict(list)
        for number in group:
            if self._kinds[number] == UNNUMBERED and self._candidates[number].look.size > size:
                by_look[self._candidates[number].look].append(number)
        for look in sorted(by_look, reverse=True):
            larger, members = set(by_look[look]), set(series)
            followed = sum(a in larger and b in members for a, b in pairwise(sorted(larger | members)))
            if len(by_look[look]) >= _MIN_SERIES and followed >= _GROUPING * len(by_look[look]):
                return by_look[look]
        return []

    def _closing(self, group: Group, series: Group) -> Group:
        """Headings after the last member that look like the series and like nothing below it: `Index`, `Signatures`."""
        look = Counter(self._candidates[number].look for number in series).most_common(1)[0][0]
        members = set(series)
        same = [n for n in group if n > series[0] and n not in members and self._candidates[n].look == look]
        return same if same and same[0] > series[-1] else []

    def _with_notes(self, group: Group, top: int) -> dict[int, int]:
        runs = list(self._note_runs(group))
        enclosed = [self._enclosed(run, group) for run in runs]
        inside = {number for each in enclosed for number in each}
        levels = self._by_looks([number for number in group if number not in inside], top)
        for run, below in zip(runs, enclosed, strict=True):
            level = self._note_level(run, group, levels)
            levels |= dict.fromkeys(run, level)
            levels |= self._by_looks(below, level)
        return levels

    def _note_runs(self, group: Group) -> Iterable[Group]:
        """Yield the notes that count up within one part of the document."""
        run: Group = []
        above = ""
        for number in group:
            text = self._text(number)
            if run and self._candidates[number].look.size > self._candidates[run[0]].look.size:
                if len(run) >= _MIN_SERIES:
                    yield run
                run = []
            is_first = ordinal_of(text)[0] == 1 and "note" in above.casefold() and self._kinds[number] == (DECIMAL, 0)
            if run and self._is_next(run[-1], number):
                run.append(number)
            elif self._kinds[number] == NOTE or is_first:
                if len(run) >= _MIN_SERIES:
                    yield run
                run = [number]
            above = text
        if len(run) >= _MIN_SERIES:
            yield run

    def _is_next(self, last: int, number: int) -> bool:
        if self._kinds[last] != self._kinds[number] or self._part(last) != self._part(number):
            return False
        if self._kinds[number] != NOTE and self._candidates[last].look != self._candidates[number].look:
            return False
        return 0 < ordinal_of(self._text(number))[0] - ordinal_of(self._text(last))[0] <= 2

    def _enclosed(self, run: Group, group: Group) -> Group:
        notes = set(run)
        between = [number for number in group if run[0] < number < run[-1] and number not in notes]
        looks = {self._candidates[number].look for number in between}
        for number in [number for number in group if number > run[-1]]:
            if self._candidates[number].look not in looks or self._part(number) != self._part(run[-1]):
                break
            between.append(number)
        return between

    def _note_level(self, run: Group, group: Group, levels: Mapping[int, int]) -> int:
        """Return the level of notes: below a heading such as `Notes to the Statements`, if it is right above them."""
        level = Counter(levels[number] for number in run).most_common(1)[0][0]
        above = max([number for number in group if number < run[0] and number in levels], default=None)
        if above is not None and "note" in self._text(above).casefold() and self._part(above) == self._part(run[0]):
            return levels[above] + 1
        return level

    def _by_looks(self, group: Group, top: int) -> dict[int, int]:
        return dict(zip(group, rank_looks([self._candidates[number] for number in group], top), strict=True))

    def _part(self, number: int) -> int:
        return bisect(self._spine, number)

    def _text(self, number: int) -> str:
        return self._candidates[number].text


def _without_jumps(levels: Sequence[int]) -> list[int]:
    """Return the levels without gaps: a heading is at most one level below its parent."""
    parents: list[tuple[int, int]] = []
    closed: list[int] = []
    for level in levels:
        while level and parents and parents[-1][0] >= level:
            parents.pop()
        own = min(level, parents[-1][1] + 1 if parents else _MAX_FIRST, _MAX_LEVEL)
        if level:
            parents.append((level, own))
        closed.append(own)
    return closed
