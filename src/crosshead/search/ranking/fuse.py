"""Lexical and dense candidates -> one list, by weighted scores.

1. the lexical score is a share of the highest score that the query's words could reach, the dense score a cosine
2. the weighted sum is divided by its maximum: a score is between 0 and 1 and means the same for every query, so that a
   weak match can be called weak
3. a chunk that only one side found gets part of the score of the other side's last candidate
4. if the vectors of a chunk cannot be trusted, they count less for this chunk, and its words more

If the query's words are rare in the index, all lexical scores are small and the vectors decide. Ranks cannot express
that: every query has a first rank.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from crosshead.types import Candidate

UNSEEN_LEXICAL: Final = 0.5
UNSEEN_DENSE: Final = 0.8
"""Share of the last candidate's score that a chunk probably has that is not a candidate of a side."""


class Weights(NamedTuple):
    """Weights of both sides, and of names in the query."""

    lexical: float
    dense: float
    entities: float

    @property
    def most(self) -> float:
        """The score of a perfect match."""
        return self.lexical + self.dense + self.entities or 1.0

    def trusting(self, trust: float) -> Weights:
        """Return the weights for a chunk or query whose vectors are trusted less."""
        return self._replace(dense=self.dense * trust)

    def score(self, lexical: float, dense: float) -> float:
        """Return the score of a chunk without its names, 0 to 1."""
        return (self.lexical * lexical + self.dense * dense) / self.most

    def lift(self, share: float) -> float:
        """Return the bonus of a chunk that holds this share of the names."""
        return self.entities * share / self.most


class Side(NamedTuple):
    """The candidates of one side, best first; every other chunk has the score `unseen`."""

    scores: Mapping[str, float]
    ranks: Mapping[str, int]
    unseen: float


class FusedCandidate(NamedTuple):
    """A chunk with its scores and ranks on both sides."""

    chunk_id: str
    score: float
    lexical_rank: int | None
    dense_rank: int | None
    lexical_score: float | None
    dense_score: float | None
    lexical: float
    dense: float
    """The score that counts on each side, also if the chunk is not a candidate there."""


def _side(found: Sequence[Candidate], unseen: float) -> Side:
    """Return a side; a negative cosine counts as 0."""
    scores = {each.chunk_id: max(each.score, 0.0) for each in found}
    return Side(
        scores, {each.chunk_id: rank for rank, each in enumerate(found, 1)}, unseen * min(scores.values(), default=0.0)
    )


def fuse(lexical: Sequence[Candidate], dense: Sequence[Candidate], weights: Weights) -> list[FusedCandidate]:
    """Return all chunks of both lists, best first; ties are broken by the chunk's id."""
    words, vectors = _side(lexical, UNSEEN_LEXICAL), _side(dense, UNSEEN_DENSE)
    most, by_words, by_vectors = weights.most, weights.lexical, weights.dense
    fused = []
    for chunk_id in {**words.scores, **vectors.scores}:
        lexical_score, dense_score = words.scores.get(chunk_id), vectors.scores.get(chunk_id)
        in_words = words.unseen if lexical_score is None else lexical_score
        in_vectors = vectors.unseen if dense_score is None else dense_score
        score = (by_words * in_words + by_vectors * in_vectors) / most  # `weights.score`, for hundreds of candidates
        ranks = words.ranks.get(chunk_id), vectors.ranks.get(chunk_id)
        fused.append(FusedCandidate(chunk_id, score, *ranks, lexical_score, dense_score, in_words, in_vectors))
    return sorted(fused, key=lambda each: (-each.score, each.chunk_id))
