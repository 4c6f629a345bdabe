"""Line recall: the share of the source's lines that a chunk holds whole. Coverage is stricter.

A line counts if it has at least 20 characters after normalizing white space. Only chunks that claim
its line number are searched, so a copy elsewhere does not count, and the cost is linear.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from crosshead.checking.source import CheckedSource
from crosshead.markdown import split_lines
from crosshead.types import Chunk

SIGNIFICANT_LENGTH: Final = 20


def measure_line_recall(source: CheckedSource, chunks: Sequence[Chunk], *, is_covered: bool) -> float:
    """Return the line recall; `is_covered` says that every character is in exactly one chunk."""
    if is_covered and not _cuts_a_line(source, chunks):
        return 1.0
    lines, offsets = split_lines(source.text)
    found = bytearray(len(lines))
    for chunk in chunks:
        if 0 <= chunk.start < chunk.end and source.text[chunk.start : chunk.end] == chunk.content:
            first, end = _whole_lines(source, offsets, lines, chunk)
            if first < end:  # or the chunk lies within one line
                found[first:end] = b"\1" * (end - first)
        else:
            _mark_claimed(found, lines, chunk)
    first_line = bisect_right(offsets, source.text_start) - 1 if source.text_start else 0
    significant = [number for number in range(first_line, len(lines)) if _is_significant(lines[number])]
    return sum(found[number] for number in significant) / len(significant) if significant else 1.0


def _cuts_a_line(source: CheckedSource, chunks: Sequence[Chunk]) -> bool:
    text = source.text
    if any(text[chunk.start : chunk.end] != chunk.content for chunk in chunks):
        return True
    return any("\n" not in text[previous.end : chunk.start] for previous, chunk in pairwise(chunks))


def _whole_lines(source: CheckedSource, offsets: list[int], lines: list[str], chunk: Chunk) -> tuple[int, int]:
    """Return the half-open range of lines whose non-blank characters are all in the chunk."""
    first = bisect_right(offsets, chunk.start) - 1
    if source.has_ink(offsets[first], chunk.start):
        first += 1
    last = bisect_right(offsets, chunk.end - 1) - 1
    if not source.has_ink(chunk.end, offsets[last] + len(lines[last])):
        last += 1
    return first, last


def _mark_claimed(found: bytearray, lines: list[str], chunk: Chunk) -> None:
    """Mark lines that a chunk claims and holds, although its content is not the slice at its offsets."""
    content = chunk.content.split("\n")
    held = {_normalize(line) for line in content}
    first = max(0, chunk.start_line - 1)
    for number in range(first, min(len(lines), first + len(content))):
        if _normalize(lines[number]) in held:
            found[number] = 1


def _is_significant(line: str) -> bool:
    return len(line) >= SIGNIFICANT_LENGTH and len(_normalize(line)) >= SIGNIFICANT_LENGTH


def _normalize(line: str) -> str:
    return " ".join(line.split())
