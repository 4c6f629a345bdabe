"""The end of the previous chunk, as whole blocks, for consumers that want text to carry over."""

from __future__ import annotations

from collections.abc import Sequence

from crosshead.chunk.measure import BlockSums
from crosshead.chunk.pack import Draft
from crosshead.chunk.place import Place
from crosshead.chunk.prices import SLACK
from crosshead.model import Block
from crosshead.parse.syntax import find_ink

MAX_SHARE = 0.35
"""Of the smaller of the two chunks: more would be repetition, not context."""


def find_overlap(
    blocks: Sequence[Block], sums: BlockSums, previous: Draft, place: Place, draft: Draft, overlap_tokens: int
) -> str:
    """Return the longest run of whole blocks at the end of the previous chunk that fits; never only headings."""
    budget = min(overlap_tokens, int(MAX_SHARE * min(previous.tokens, draft.tokens)))
    text, last = sums.measure.text, place.last_block
    end = blocks[last].end
    if sums.tokens[last] > budget + SLACK or (previous.end < end and find_ink(text, previous.end, end)):
        return ""
    tail = sums.span(last, last + 1)[2]
    first, total = last + 1, sums.sums[last + 1] + tail - budget
    while first > place.first_block and sums.sums[first - 1] + sums.joins[first - 1] >= total:
        first -= 1
    if first <= last and (blocks[first].start < previous.start or blocks[first].kind == "front_matter"):
        first += 1
    if all(block.kind == "heading" for block in blocks[first : last + 1]):
        return ""
    return text[blocks[first].start : previous.end]
