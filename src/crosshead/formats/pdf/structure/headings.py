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
from crosshead.formats.pdf.structure.candidates import (
    LARGER,
    HeadingCandidate,
    Look,
    body_style,
    find_candidates,
    goes_on,
    look_of,
)
from crosshead.formats.pdf.structure.nesting import nest
from crosshead.formats.pdf.structure.numbering import is_numbered

_MANY: Final = 0.25
"""A style that so many rows have is a style of text."""
_MIN_SPACED: Final = 3
"""So many headings of one look, or as many with numbers, are needed where only space shows them."""


def mark_headings(pages: Sequence[PdfPage], entries: Sequence[Bookmark]) -> None:
    """Set the level of every row that is a heading; those of the outline are marked already."""
    if _mark_tagged(pages):
        return
    body = body_style(pages)
    titles = {letters(entry.title) for entry in entries}
    candidates = _without_text_styles(find_candidates(pages, body, titles), pages)
    known = _known_levels(pages)
    if known:
        candidates = [
            each
            for each in candidates
            if not each.by_space and (each.look in known or each.look.size >= LARGER * body.size)
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
    rows = [item for page in pages for item in page.items if isinstance(item, Row)]
    tagged = [row for row in rows if heading_level(row.tag)]
    leading = usual_leading(pages) if tagged else 0.0
    for row in tagged:
        row.level = row.level or heading_level(row.tag)
    for above, row in pairwise(rows):
        row.goes_on = 0 < row.level == above.level and not row.title and goes_on(above, row, leading)
    return bool(tagged)


def _without_text_styles(candidates: Iterable[HeadingCandidate], pages: Sequence[PdfPage]) -> list[HeadingCandidate]:
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
            counts[each.look] <= max(3, _MANY * total)
            and (not each.by_space or max(spaced[each.look], 1.5 * numbered[each.look]) >= _MIN_SPACED)
        )
    ]


def _known_levels(pages: Sequence[PdfPage]) -> dict[Look, int]:
    """Return the levels of the styles that the outline's headings have."""
    votes: dict[Look, Counter[int]] = defaultdict(Counter)
    for page in pages:
        for item in page.items:
            if isinstance(item, Row) and item.level:
                votes[look_of(item)][item.level] += 1
    return {look: min(counts, key=lambda level: (-counts[level], level)) for look, counts in votes.items()}


def _levels(looks: Iterable[Look], known: dict[Look, int]) -> dict[Look, int]:
    """Rank styles by size and weight; those that the outline knows keep their level."""
    levels = dict(known)
    level = 0
    for look in sorted({*looks, *known}, reverse=True):
        level = known[look] if look in known else min(level + 1, 6)
        levels[look] = level
    return levels


def _keep_below_outline(pages: Sequence[PdfPage], known: dict[Look, int]) -> None:
    """A heading that is not in the outline never stands above the entry that it follows."""
    entry = 0
    for page in pages:
        for item in page.items:
            if isinstance(item, Row) and item.level:
                if item.title:
                    entry = item.level
                elif entry:
                    is_sibling = known.get(look_of(item)) == entry
                    item.level = min(max(item.level, entry + (not is_sibling)), 6)
