"""The field `overlap` repeats the end of the previous chunk, and is never part of the content.

It consists of whole blocks; inside a section also of sentences or items of a block that is not an atom; between windows
of words.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from crosshead.checking.source import HEADING_KINDS, CheckedSource, PlacedChunk, broken
from crosshead.types import Violation

PARTS_OF_BLOCKS: Final = ("that begins inside a block", "that ends inside a block")
PROSE_KINDS: Final = ("paragraph", "list", "quote", "footnote")
TAIL: Final = 100
"""Characters before an overlap that show whether a sentence ends there."""
LARGEST_PERCENT: Final = 35
"""Largest share of the smaller of the two chunks; more would be a copy."""

_sentence_end = re.compile(r"""[.!?:;…؟۔।॥։။។።。！？；｡]["')\]*_`”’»」』）】》]*\s*$|[\u0e01-\u0eff]\s+$""").search
_item = re.compile(r"[ \t>]*(?:[*+-]|[0-9]{1,9}[.)])[ \t]").match
_word_start = re.compile(r"(?<=\s)\S").search


def check_overlap(source: CheckedSource, places: Sequence[PlacedChunk]) -> Iterator[Violation]:
    """An overlap is a suffix of whole blocks, or words, of the previous chunk, within its limits."""
    for place in places[:1]:
        if place.chunk.overlap:
            yield broken("overlap", place.chunk, "is the first chunk, but has an overlap")
    for previous, place in pairwise(places):
        if place.chunk.overlap:
            problem = _overlap_problem(source, previous, place)
            if problem:
                yield broken("overlap", place.chunk, f"has an overlap {problem}")


def _overlap_problem(source: CheckedSource, previous: PlacedChunk, place: PlacedChunk) -> str:
    overlap, are_windows = place.chunk.overlap, source.options.strategy == "fixed"
    if not previous.chunk.content.endswith(overlap):
        return "that is not the end of the previous chunk"
    problem = _words_problem(previous, overlap) if are_windows else _blocks_problem(source, previous, overlap)
    if problem in PARTS_OF_BLOCKS and place.chunk.part:
        problem = _sentences_problem(source, previous, overlap)
    if problem:
        return problem
    tokens = source.count(overlap)
    if tokens > source.options.overlap_tokens:
        return f"of {tokens} tokens, above {source.options.overlap_tokens}"
    smaller = min(previous.chunk.token_count, place.chunk.token_count)
    if tokens * 100 > smaller * LARGEST_PERCENT and not are_windows:
        return f"of {tokens} tokens, above {LARGEST_PERCENT} % of {smaller}"
    return ""


def _words_problem(previous: PlacedChunk, overlap: str) -> str:
    """The overlap may begin inside a word only if no word begins in its first half."""
    if overlap[0].isspace():
        return "that begins with a blank character"
    before = previous.chunk.content[: -len(overlap)]
    if before and not before[-1].isspace() and _word_start(overlap, 0, len(overlap) // 2 + 1):
        return "that begins inside a word"
    return ""


def _blocks_problem(source: CheckedSource, previous: PlacedChunk, overlap: str) -> str:
    start = previous.chunk.end - len(overlap)
    first = bisect_right(source.ends, start)
    if first >= len(source.blocks) or start < source.starts[first] or source.has_ink(source.starts[first], start):
        return "that begins inside a block"
    if source.ends_inside(previous):
        return "that ends inside a block"
    kinds = source.kinds[first : previous.last + 1]
    if HEADING_KINDS.issuperset(kinds):
        return "of headings only"
    return "with front matter" if "front_matter" in kinds else ""


def _sentences_problem(source: CheckedSource, previous: PlacedChunk, overlap: str) -> str:
    """Return what is wrong with an overlap that should be sentences, lines or items of the block it ends in."""
    end = previous.chunk.end
    start, block = end - len(overlap), source.blocks[previous.last]
    if (
        block.kind not in PROSE_KINDS
        or start < block.start
        or any(atom.start < end and start < atom.end for atom in block.atoms)
    ):
        return "of a block that is neither whole nor text"
    before = source.text[max(block.start, start - TAIL) : start]
    if not before.strip() or _sentence_end(before) or not source.has_ink(block.start, start):
        return ""
    begins_line = before[-1] == "\n"
    if begins_line and (block.kind == "paragraph" or _item(source.text, start)):
        return ""
    if any(atom.end <= start and not source.has_ink(atom.end, start) for atom in block.atoms):
        return ""
    return "that begins inside a sentence"
