"""Prepare texts for a model: clean them, cut them into windows, group them into batches."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import ceil
from typing import Final

from crosshead.ids import encodable

_BLANK: Final = re.compile(r"\s")

NOTHING: Final = "."
"""Sent instead of a text without words, because servers refuse an empty one."""
OVERLAP_SHARE: Final = 20
"""Halves of a text overlap by a twentieth to each side."""


def clean_text(text: str) -> str:
    """Replace characters that tokenizers and servers refuse."""
    return encodable(text) if text.strip() else NOTHING


def spread_windows(length: int, size: int, overlap: int) -> list[tuple[int, int]]:
    """Cover a length with as few windows as possible, spread evenly, so that the last one is not a short rest.

    >>> spread_windows(10, 6, 1)
    [(0, 6), (4, 10)]
    """
    if length <= size:
        return [(0, length)]
    steps = ceil((length - size) / (size - overlap))
    starts = [(length - size) * step // steps for step in range(steps + 1)]
    return [(start, start + size) for start in starts]


def halve_text(text: str) -> tuple[str, str]:
    """Cut a text into two overlapping halves, between words if there is a space near the middle."""
    overlap = max(len(text) // OVERLAP_SHARE, 1)
    middle = len(text) // 2
    first_end = _next_blank(text, middle + overlap, overlap)
    second_start = _next_blank(text, middle - overlap, overlap)
    return text[:first_end].rstrip(), text[second_start:].lstrip()


def _next_blank(text: str, at: int, within: int) -> int:
    found = _BLANK.search(text, at, at + within)
    return found.start() if found else at


def batch_in_order(texts: Sequence[str], max_texts: int, max_characters: int) -> Iterator[range]:
    """Group consecutive texts into requests of limited size; a text above the limit gets its own request."""
    start, characters = 0, 0
    for position, text in enumerate(texts):
        full = position - start >= max_texts or characters + len(text) > max_characters
        if full and position > start:
            yield range(start, position)
            start, characters = position, 0
        characters += len(text)
    if start < len(texts):
        yield range(start, len(texts))
