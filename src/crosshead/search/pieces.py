"""How well the pieces of hits match by themselves.

The best piece of a hit has the score of the hit. The others have less, as far as they are further from the question: by
the words of the question that they hold, and by their vectors where there are any; or by their tokens, where these are
kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from crosshead.language.words import words
from crosshead.search.answer import ReadQuery
from crosshead.search.words import QueryWords
from crosshead.types import Chunk, Hit, Piece, Vectors

DISTANCE_WEIGHT: Final = 0.1
"""What a piece loses that holds no word of those that the best one holds, or whose cosine is less by 1."""
TOKEN_WEIGHT: Final = 0.25
"""What a piece loses whose tokens are less near by 1."""


def rate_pieces(
    hit: Hit,
    pieces: Sequence[Piece],
    vectors: Vectors | None,
    near: Sequence[float] | None,
    question: ReadQuery,
) -> list[Piece]:
    """Return the pieces of a hit with their scores and their places in the document; `near` are their tokens."""
    chunk = hit.chunk
    if near is not None and len(near) == len(pieces):
        losses = [TOKEN_WEIGHT * each for each in _below_best(near)]
    else:
        losses = [DISTANCE_WEIGHT * each for each in _distances(chunk, pieces, vectors, question)]
    return [
        piece._replace(
            start=chunk.start + piece.start,
            end=chunk.start + piece.end,
            score=hit.final_score - loss,
        )
        for piece, loss in zip(pieces, losses, strict=True)
    ]


def _distances(chunk: Chunk, pieces: Sequence[Piece], vectors: Vectors | None, question: ReadQuery) -> list[float]:
    shares = [_share(chunk.content[piece.start : piece.end], question) for piece in pieces]
    if vectors is None or question.vector is None or len(vectors) != len(pieces):
        return [*_below_best(shares)]
    cosines = (vectors @ question.vector.reshape(-1)).tolist()
    return [one + other for one, other in zip(_below_best(shares), _below_best(cosines), strict=True)]


def _share(text: str, question: ReadQuery) -> float:
    return max(_held(text, reading) / max(len(reading.wanted), 1) for reading in question.readings)


def _held(text: str, reading: QueryWords) -> int:
    return len(frozenset(words(text, reading.language)).intersection(reading.wanted))


def _below_best(values: Sequence[float]) -> Iterator[float]:
    best = max(values, default=0.0)
    return (best - value for value in values)
