"""How well the pieces of hits match by themselves.

The best piece of a hit has the score of the hit. The others have less, as far as they are further from the question: by
the words of the question that they hold, and by their vectors where there are any.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from crosshead.model import Hit, Piece, Vectors
from crosshead.search.answer import Question
from crosshead.words import words

DISTANCE_WEIGHT: Final = 0.1
"""What a piece loses that holds no word of those that the best one holds, or whose cosine is less by 1."""


def rate_pieces(hit: Hit, pieces: Sequence[Piece], vectors: Vectors | None, question: Question) -> list[Piece]:
    """Return the pieces of a hit with their scores and their places in the document."""
    chunk = hit.chunk
    shares = [_share(chunk.content[piece.start : piece.end], question) for piece in pieces]
    losses = list(_below_best(shares))
    if vectors is not None and question.vector is not None and len(vectors) == len(pieces):
        cosines = (vectors @ question.vector.reshape(-1)).tolist()
        losses = [loss + more for loss, more in zip(losses, _below_best(cosines), strict=True)]
    return [
        piece._replace(
            start=chunk.start + piece.start,
            end=chunk.start + piece.end,
            score=hit.final_score - DISTANCE_WEIGHT * loss,
        )
        for piece, loss in zip(pieces, losses, strict=True)
    ]


def _share(text: str, question: Question) -> float:
    held = frozenset(words(text, question.language)).intersection(question.wanted)
    return len(held) / max(len(question.wanted), 1)


def _below_best(values: Sequence[float]) -> Iterator[float]:
    best = max(values, default=0.0)
    return (best - value for value in values)
