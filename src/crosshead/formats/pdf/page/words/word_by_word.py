"""Join words into pieces on pages that draw them one by one.

1. Words that are drawn in one go are a piece. On a page that draws every word separately, words with at most a space
   between them are a piece instead.
2. If a font lacks the narrow space between thousands, programs draw an amount in several parts. Where most figures that
   close together make amounts, with equal spaces, the parts of an amount are a piece.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import Final

from crosshead.formats.pdf.page.shapes import Segment, Word

_SPACE: Final = 0.38
"""The widest space of text that is not justified, in sizes."""
_MIN_PAIRS: Final = 20
_MIN_THOUSANDS: Final = 3
_MOSTLY: Final = 0.9
_EVEN: Final = 0.05
"""By how much spaces between thousands differ at most, in sizes."""
_ENDS: Final = re.compile(r"(?:^|\D)\d{1,3}$")
_GOES_ON: Final = re.compile(r"\d{3}(?!\d)")


def join_pieces(segments: Sequence[Segment]) -> None:
    """Give words that follow each other the same piece, if the page draws words one by one."""
    pairs = [pair for segment in segments for pair in pairwise(segment.words)]
    apart = sum(before.last_piece != after.piece for before, after in pairs)
    if len(pairs) < _MIN_PAIRS or apart < _MOSTLY * len(pairs):
        _join_thousands(segments)
        return
    for segment in segments:
        for number, (before, word) in enumerate(pairwise(segment.words), 1):
            if word.x0 - before.x1 < _SPACE * segment.size and word.piece >= 0:
                _join(segment, number)


def _join_thousands(segments: Sequence[Segment]) -> None:
    """Give the parts of amounts the same piece, if spaces part thousands."""
    close = [
        (segment, number, before, word)
        for segment in segments
        for number, (before, word) in enumerate(pairwise(segment.words), 1)
        if before.last_piece != word.piece and _are_close_figures(before, word, segment.size)
    ]
    parts = [each for each in close if _is_amount(each[2], each[3])]
    if len(parts) < max(_MIN_THOUSANDS, _MOSTLY * len(close)):
        return
    gaps = [(word.x0 - before.x1) / segment.size for segment, _, before, word in parts]
    middle = median(gaps)
    if sum(abs(gap - middle) < _EVEN for gap in gaps) < _MOSTLY * len(gaps):
        return
    for segment, number, _, _ in parts:
        _join(segment, number)


def _are_close_figures(before: Word, word: Word, size: float) -> bool:
    is_close = word.x0 - before.x1 < _SPACE * size
    return is_close and before.runs[-1].text[-1].isdecimal() and word.runs[0].text[0].isdecimal()


def _is_amount(before: Word, word: Word) -> bool:
    """Return whether up to three digits are followed by three more."""
    return bool(_ENDS.search(before.runs[-1].text) and _GOES_ON.match(word.runs[0].text))


def _join(segment: Segment, number: int) -> None:
    """Put a word into the piece of the word before it."""
    piece = segment.words[number - 1].last_piece
    segment.words[number] = segment.words[number]._replace(piece=piece, last_piece=piece)
