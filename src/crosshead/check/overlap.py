"""The field `overlap`: whole blocks from the end of the previous chunk, never a part of the content."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from crosshead.check.source import HEADING_KINDS, Place, Source, broken
from crosshead.model import Violation

LARGEST_PERCENT: Final = 35
"""Of the smaller of the two chunks; more would be a copy."""


def check_overlap(source: Source, places: Sequence[Place]) -> Iterator[Violation]:
    """An overlap is a suffix of whole blocks of the previous chunk, within its limits, with more than headings."""
    for place in places[:1]:
        if place.chunk.overlap:
            yield broken("overlap", place.chunk, "is the first one, but has an overlap")
    for previous, place in pairwise(places):
        if place.chunk.overlap:
            problem = _overlap_problem(source, previous, place)
            if problem:
                yield broken("overlap", place.chunk, f"has an overlap {problem}")


def _overlap_problem(source: Source, previous: Place, place: Place) -> str:
    overlap, end = place.chunk.overlap, previous.chunk.end
    if not previous.chunk.content.endswith(overlap):
        return "that is not the end of the previous chunk"
    start = end - len(overlap)
    first = bisect_right(source.ends, start)
    if first >= len(source.blocks) or start < source.starts[first] or source.has_ink(source.starts[first], start):
        return "that begins inside a block"
    if source.ends_inside(previous):
        return "that ends inside a block"
    kinds = source.kinds[first : previous.last + 1]
    if HEADING_KINDS.issuperset(kinds):
        return "of headings only"
    if "front_matter" in kinds:
        return "with front matter"
    tokens = source.count(overlap)
    if tokens > source.options.overlap_tokens:
        return f"of {tokens} tokens, above {source.options.overlap_tokens}"
    smaller = min(previous.chunk.token_count, place.chunk.token_count)
    if tokens * 100 > smaller * LARGEST_PERCENT:
        return f"of {tokens} tokens, above {LARGEST_PERCENT} % of {smaller}"
    return ""
