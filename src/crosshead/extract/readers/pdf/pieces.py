"""Pages on which a program draws every word by itself.

Elsewhere, words that are drawn in one go belong together. Here the order of drawing says nothing about that, so words
with no more than a space between them count as drawn in one go.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from crosshead.extract.readers.pdf.shapes import Segment

_SPACE: Final = 0.38
"""The widest space of text that is not justified, in sizes."""
_MIN_PAIRS: Final = 20
_MOSTLY: Final = 0.9


def join_pieces(segments: Sequence[Segment]) -> None:
    """Give words that follow each other the same piece, if the page draws words one by one."""
    pairs = [pair for segment in segments for pair in pairwise(segment.words)]
    apart = sum(before.last_piece != after.piece for before, after in pairs)
    if len(pairs) < _MIN_PAIRS or apart < _MOSTLY * len(pairs):
        return
    for segment in segments:
        for number, (before, word) in enumerate(pairwise(segment.words), 1):
            if word.x0 - before.x1 < _SPACE * segment.size:
                piece = segment.words[number - 1].last_piece
                segment.words[number] = word._replace(piece=piece, last_piece=piece)
