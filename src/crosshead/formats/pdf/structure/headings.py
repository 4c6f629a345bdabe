"""Headings: the outline first, the tagged structure second, looks, space and numbers third."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from crosshead.formats.pdf.layout.columns import usual_leading
from crosshead.formats.pdf.page.outline import Bookmark, letters
from crosshead.formats.pdf.page.shapes import PdfPage, Row
from crosshead.formats.pdf.page.tags import heading_level
from crosshead.formats.pdf.structure.candidates import HeadingCandidate, continues, find_candidates
from crosshead.formats.pdf.structure.looks import LARGER, Look, look_of, prose_of
from crosshead.formats.pdf.structure.nesting import nest
from crosshead.formats.pdf.structure.numbering import is_numbered

_MANY: Final = 0.25
"""The share of rows from which a style is one of text."""
_MAX_LEVEL: Final = 6
_ALWAYS: Final = 3
"""Rows of one style that are never too many for headings."""
_NUMBERED: Final = 1.5
"""How much more a heading with a number counts that only space shows."""
_MIN_SPACED: Final = 3
"""The least headings of one look that only space shows."""


def mark_headings(pages: Sequence[PdfPage], entries: Sequence[Bookmark]) -> None:
    """Set the level of every row that is a heading; those in the outline have theirs already."""
    if _mark_tagged(pages):
        return
    prose = prose_of(pages)
    titles = {letters(entry.title) for entry in entries}
    candidates = _without_text_styles(find_candidates(pages, prose, titles), pages)
    known = _known_levels(pages)
    if known:
        candidates = [
            each
            for each in candidates
            if not each.by_space and (each.look in known or each.look.size >= LARGER * prose.style.size)
        ]
        levels = [_levels({each.look for each in candidates}, known)[each.look] for each in candidates]
    else:
        levels = nest(candidates)
    for candidate, level in zip(candidates, levels, strict=True):
        _mark(candidate, level)
    if known:
        _keep_below_outline(pages, known)


def _mark(candidate: HeadingCandidate, level: int) -> None:
    for number, row in enumerate(candidate.rows):
        row.level = level
        row.goes_on = bool(number)


def _mark_tagged(pages: Sequence[PdfPage]) -> bool:
    """Set the levels that tags give; return whether there are any."""
    rows = [item for page in pages for item in page.items if isinstance(item, Row)]
    tagged = [row for row in rows if heading_level(row.tag)]
    leading = usual_leading(pages) if tagged else 0.0
    for row in tagged:
        row.level = row.level or heading_level(row.tag)
    for above, row in pairwise(rows):
        row.goes_on = 0 < row.level == above.level and not row.title and continues(above, row, leading)
    return bool(tagged)


def _without_text_styles(candidates: Iterable[HeadingCandidate], pages: Sequence[PdfPage]) -> list[HeadingCandidate]:
    """Drop candidates in styles that are too frequent, and those that only space shows if they are few."""
    found = list(candidates)
    total = sum(1 for page in pages for item in page.items if isinstance(item, Row))
    counts: Counter[Look] = Counter()
    for each in found:
        counts[each.look] += len(each.rows)
    spaced = Counter(each.look for each in found if each.by_space)
    numbered = Counter(each.look for each in found if each.by_space and is_numbered(each.text))
    return [
        each
        for each in found
        if each.is_named
        or (
            counts[each.look] <= max(_ALWAYS, _MANY * total)
            and (not each.by_space or max(spaced[each.look], _NUMBERED * numbered[each.look]) >= _MIN_SPACED)
        )
    ]


def _known_levels(pages: Sequence[PdfPage]) -> dict[Look, int]:
    """Return the level of each look among the headings in the outline."""
    votes: dict[Look, Counter[int]] = defaultdict(Counter)
    for page in pages:
        for item in page.items:
            if isinstance(item, Row) and item.level:
                votes[look_of(item)][item.level] += 1
    return {look: min(counts, key=lambda level: (-counts[level], level)) for look, counts in votes.items()}


def _levels(looks: Iterable[Look], known: dict[Look, int]) -> dict[Look, int]:
    """Rank looks by size and weight; those with a known level keep it."""
    levels = dict(known)
    level = 0
    for look in sorted({*looks, *known}, reverse=True):
        level = known[look] if look in known else min(level + 1, _MAX_LEVEL)
        levels[look] = level
    return levels


def _keep_below_outline(pages: Sequence[PdfPage], known: dict[Look, int]) -> None:
    """Lower the level of headings that are not in the outline to that of the entry before them, or below it."""
    entry = 0
    for page in pages:
        for item in page.items:
            if isinstance(item, Row) and item.level:
                if item.title:
                    entry = item.level
                elif entry:
                    is_sibling = known.get(look_of(item)) == entry
                    item.level = min(max(item.level, entry + (not is_sibling)), _MAX_LEVEL)
