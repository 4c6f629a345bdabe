"""How well hits, and their pieces, match by token vectors, vectors and words.

The best piece of a hit has the score of the hit. The others score less, the further they are from the query: by its
words that they hold and by their vectors, or by their token vectors if the index stores them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Final

from crosshead.language.words import words
from crosshead.search.query.prepare import PreparedQuery
from crosshead.search.query.words import QueryWords
from crosshead.types import Chunk, Hit, Piece, PieceMaker, ReadableStore, TokenEmbedder, Vectors

DISTANCE_WEIGHT: Final = 0.1
"""What a piece loses if it holds none of the words that the best one holds, or if its cosine is lower by 1."""
TOKEN_WEIGHT: Final = 0.25
"""What a piece loses if its token vectors are further from the query by 1."""


@dataclass(frozen=True)
class PieceRater:
    """Compares a query with the pieces of hits, whose vectors the store has."""

    store: ReadableStore
    piece_maker: PieceMaker | None
    """Without one, a chunk is one piece."""
    token_embedder: TokenEmbedder | None

    def rate(self, hits: Sequence[Hit], query: PreparedQuery) -> dict[str, list[Piece]]:
        """Return the pieces of hits with their scores, by chunk id."""
        maker = self.piece_maker
        pieces = {hit.chunk.id: maker.pieces(hit.chunk) if maker else [_whole(hit.chunk)] for hit in hits}
        cut = [hit.chunk for hit in hits if len(pieces[hit.chunk.id]) > 1]
        hashes = {chunk.id: maker.text_hash(chunk) for chunk in cut} if maker else {}
        vectors = self.store.known_vectors([*hashes.values()]) if query.vector is not None and hashes else {}
        nearness = self._nearness([*hashes.values()], query)

        def rate(hit: Hit) -> list[Piece]:
            text_hash = hashes.get(hit.chunk.id, "")
            return rate_pieces(hit, pieces[hit.chunk.id], vectors.get(text_hash), nearness.get(text_hash), query)

        return {hit.chunk.id: rate(hit) for hit in hits}

    def rate_hits(self, hits: Sequence[Hit], query: PreparedQuery) -> list[float]:
        """Return how near whole hits are by their token vectors; one that has none yet counts as the average."""
        if not (self.token_embedder and self.piece_maker and query.token_vectors is not None):
            return []
        hashes = [self.piece_maker.text_hash(hit.chunk) for hit in hits]
        stored = self.store.known_token_vectors(hashes)
        scores = self.token_embedder.compare_tokens(query.token_vectors, [*stored.values()])
        by_hash = dict(zip(stored, scores, strict=True))
        return [by_hash.get(each, sum(scores) / len(scores)) for each in hashes] if by_hash else []

    def _nearness(self, hashes: Sequence[str], query: PreparedQuery) -> Mapping[str, list[float]]:
        """Return how near pieces are by their token vectors, by the hash of the text that they are pieces of."""
        if not (self.token_embedder and query.token_vectors is not None and hashes):
            return {}
        stored = self.store.known_token_vectors(hashes)
        pieces = [(piece,) for piece in chain.from_iterable(stored.values())]
        scores = iter(self.token_embedder.compare_tokens(query.token_vectors, pieces))
        return {text_hash: [*islice(scores, len(pieces))] for text_hash, pieces in stored.items()}


def rate_pieces(
    hit: Hit, pieces: Sequence[Piece], vectors: Vectors | None, nearness: Sequence[float] | None, query: PreparedQuery
) -> list[Piece]:
    """Return the pieces of a hit with their scores and their offsets in the document."""
    chunk = hit.chunk
    if nearness is not None and len(nearness) == len(pieces):
        losses = [TOKEN_WEIGHT * loss for loss in _below_best(nearness)]
    else:
        losses = [DISTANCE_WEIGHT * loss for loss in _distances(chunk, pieces, vectors, query)]
    return [
        piece._replace(start=chunk.start + piece.start, end=chunk.start + piece.end, score=hit.final_score - loss)
        for piece, loss in zip(pieces, losses, strict=True)
    ]


def _whole(chunk: Chunk) -> Piece:
    return Piece(0, len(chunk.content))


def _distances(chunk: Chunk, pieces: Sequence[Piece], vectors: Vectors | None, query: PreparedQuery) -> list[float]:
    shares = [_share(chunk.content[piece.start : piece.end], query) for piece in pieces]
    if vectors is None or query.vector is None or len(vectors) != len(pieces):
        return [*_below_best(shares)]
    cosines = (vectors @ query.vector.reshape(-1)).tolist()
    return [one + other for one, other in zip(_below_best(shares), _below_best(cosines), strict=True)]


def _share(text: str, query: PreparedQuery) -> float:
    return max(_count(text, reading) / max(len(reading.wanted), 1) for reading in query.readings)


def _count(text: str, reading: QueryWords) -> int:
    return len(frozenset(words(text, reading.language)).intersection(reading.wanted))


def _below_best(values: Sequence[float]) -> Iterator[float]:
    best = max(values, default=0.0)
    return (best - value for value in values)
