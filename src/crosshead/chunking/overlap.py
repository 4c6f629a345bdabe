"""The end of the previous chunk, for consumers that want some text repeated.

1. the longest run of whole blocks that fits
2. if no whole block fits and the section continues: the longest run of whole sentences, lines of verse or list items
   at the end of the last block

An atom that does not fit ends the overlap: neither its text nor text before it is taken.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final

from crosshead.chunking.draft_position import DraftPosition
from crosshead.chunking.measure import BlockSums
from crosshead.chunking.pack import Draft
from crosshead.chunking.prices import SLACK
from crosshead.chunking.splitting import prose
from crosshead.markdown import find_ink
from crosshead.types import Block

MAX_SHARE: Final = 0.35
"""Share of the smaller of the two chunks; more would be repetition, not context."""
CHARACTERS_PER_TOKEN: Final = 8
"""Hardly any text has more."""
PROSE_KINDS: Final = ("paragraph", "list", "quote", "footnote")


def find_overlap(
    blocks: Sequence[Block],
    sums: BlockSums,
    previous: Draft,
    place: DraftPosition,
    draft: Draft,
    overlap_tokens: int,
    *,
    continues: bool,
) -> str:
    """Return the end of the previous chunk that fits; `continues` says that the draft continues its section."""
    budget = min(overlap_tokens, int(MAX_SHARE * min(previous.tokens, draft.tokens)))
    whole = _whole_blocks(blocks, sums, previous, place, budget)
    if whole or not continues or budget < 1:
        return whole
    return _sentences(blocks[place.last_block], sums, previous, budget)


def _whole_blocks(blocks: Sequence[Block], sums: BlockSums, previous: Draft, place: DraftPosition, budget: int) -> str:
    """Return the longest run of whole blocks that fits, unless these are only headings."""
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


def _sentences(block: Block, sums: BlockSums, previous: Draft, budget: int) -> str:
    """Return the longest run of sentences that fits at the end of a chunk, whose last block is given."""
    text, count, end = sums.measure.text, sums.measure.counter, previous.end
    if block.kind not in PROSE_KINDS:
        return ""
    first = max([block.start, previous.start, *[min(atom.end, end) for atom in block.atoms if atom.start < end]])
    starts = sorted({start for start in _starts(text, block, first, end, budget) if start < end})
    fitting = bisect_left(starts, True, key=lambda start: count(text[start:end]) <= budget)
    return next((text[start:end] for start in starts[fitting:] if count(text[start:end]) <= budget), "")


def _starts(text: str, block: Block, first: int, end: int, budget: int) -> Iterator[int]:
    """Yield the starts of sentences near the end of a chunk."""
    reach = max(first, end - CHARACTERS_PER_TOKEN * budget)
    kept = prose.kept_spans(text, reach, end, lambda start, stop: stop - start <= CHARACTERS_PER_TOKEN * budget)
    runs = prose.line_runs(text, reach, end, kept) if block.kind == "paragraph" else []
    for start, _ in runs or prose.sentence_runs(text, reach, end, kept):
        if start > reach or reach == first:
            ink = find_ink(text, start, end)
            yield start if not ink or _begins_line(text, start) else ink.start()
    line = text.find("\n", reach, end) + 1
    while line and block.items:
        if prose.LIST_ITEM(text, line):
            yield line
        line = text.find("\n", line, end) + 1


def _begins_line(text: str, at: int) -> bool:
    return not at or text[at - 1] == "\n"
