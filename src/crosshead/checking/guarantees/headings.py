"""Guarantee 5: no chunk ends with a heading that has text below it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from crosshead.checking.source import BLANK, HEADING_KINDS, CheckedSource, PlacedChunk, broken
from crosshead.types import Violation

SMALLEST_REST: Final = 24
"""Tokens that a chain of headings must leave for the text below it, or an eighth of the budget if that is less."""
LONG_HEADING: Final = 128
"""Characters per token that no text has: a longer heading is certainly too long, and is not counted."""
TOLERANCE: Final = 16
"""A chain may be this much shorter: counts of its parts do not add up exactly."""


def check_headings(source: CheckedSource, places: Sequence[PlacedChunk]) -> Iterator[Violation]:
    """No chunk ends with a heading, unless nothing follows, or the chain of headings leaves no room for text."""
    for place in places:
        if source.kinds[place.last] != "heading" or not source.has_ink(place.chunk.end, len(source.text)):
            continue
        if not _is_long_chain(source, place):
            yield broken("dangling_heading", place.chunk, f"ends with the heading {source.blocks[place.last].title!r}")


def _is_long_chain(source: CheckedSource, place: PlacedChunk) -> bool:
    """Is the heading, or a chunk of headings with the next one, too long to share a chunk with text?

    Blank lines below it would be inside that chunk, so they count.
    """
    maximum = source.options.max_tokens
    longest = maximum - min(SMALLEST_REST, maximum // 8) - TOLERANCE
    first, last = place.first, place.last
    start, end = source.starts[last], _start_of_next(source, last)
    if end - start > LONG_HEADING * maximum or source.count(source.text[start:end]) > longest:
        return True  # cut like prose
    if not HEADING_KINDS.issuperset(source.kinds[first : last + 1]):
        return False
    following = last + 1
    while following < len(source.blocks) and source.kinds[following] == BLANK:
        following += 1
    if following < len(source.blocks) and source.kinds[following] == "heading":
        last = following
    return source.count(source.text[place.chunk.start : _start_of_next(source, last)]) > longest


def _start_of_next(source: CheckedSource, block: int) -> int:
    return source.starts[block + 1] if block + 1 < len(source.blocks) else len(source.text)
