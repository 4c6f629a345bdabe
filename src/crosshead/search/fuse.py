"""Two lists of candidates -> one, by adding up how well things match.

1. the lexical score is a share of the best that the question's words could get, the dense one a cosine
2. both are added with their weights, and divided by the most that can come of it: a score lies between 0 and 1 and
   means the same for every question, so that a weak match can be called weak
3. what only one side found gets from the other side a part of the score of the last candidate there
4. where the vectors of a chunk cannot be trusted, they count less for this chunk, and its words more: it is neither
   raised nor lowered against others by what says nothing

Where the words of a question are hardly found, all lexical shares are small, and the vectors decide. Ranks, which have
a first place for every question, cannot say that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from crosshead.types import Candidate

UNSEEN_LEXICAL: Final = 0.5
UNSEEN_DENSE: Final = 0.8
"""What a chunk that is no candidate of a side probably has of the score of the last one there."""


class Weights(NamedTuple):
    """How much each side counts, and what the question names exactly."""

    lexical: float
    dense: float
    entities: float

    @property
    def most(self) -> float:
        """What a perfect match would get."""
        return self.lexical + self.dense + self.entities or 1.0

    def trusting(self, trust: float) -> Weights:
        """Return the weights for a chunk, or a question, whose vectors are trusted less."""
        return self._replace(dense=self.dense * trust)

    def score(self, lexical: float, dense: float) -> float:
        """Return the score of a chunk before its names count, 0 to 1."""
        return (self.lexical * lexical + self.dense * dense) / self.most

    def lift(self, share: float) -> float:
        """Return what a chunk gets that holds this share of the names."""
        return self.entities * share / self.most


class Side(NamedTuple):
    """The candidates of one side with their scores, best first; what is none of them has the score `unseen`."""

    scores: Mapping[str, float]
    ranks: Mapping[str, int]
    unseen: float

    def counted(self, chunk_id: str) -> float:
        """Return the score that counts for a chunk."""
        return self.scores.get(chunk_id, self.unseen)


class FusedCandidate(NamedTuple):
    """A chunk with its scores and places on both sides."""

    chunk_id: str
    score: float
    lexical_rank: int | None
    dense_rank: int | None
    lexical_score: float | None
    dense_score: float | None
    lexical: float
    dense: float
    """What counts for the chunk on each side, also where it is not among the candidates."""


def _side(found: Sequence[Candidate], unseen: float) -> Side:
    """A negative cosine says as little as none."""
    scores = {each.chunk_id: max(each.score, 0.0) for each in found}
    return Side(
        scores, {each.chunk_id: rank for rank, each in enumerate(found, 1)}, unseen * min(scores.values(), default=0.0)
    )


def relative(found: Sequence[Candidate]) -> list[Candidate]:
    """Return candidates with scores from 0, for the last one, up to 1, for what is quite the same as the question."""
    base = min((each.score for each in found), default=0.0)
    return [Candidate(each.chunk_id, (each.score - base) / (1.0 - base) if base < 1.0 else 1.0) for each in found]


def fuse(lexical: Sequence[Candidate], dense: Sequence[Candidate], weights: Weights) -> list[FusedCandidate]:
    """Return all chunks of both lists, best first; ties are broken by the chunk's id."""
    words, vectors = _side(lexical, UNSEEN_LEXICAL), _side(dense, UNSEEN_DENSE)
    fused = []
    for chunk_id in {**words.scores, **vectors.scores}:
        counted = words.counted(chunk_id), vectors.counted(chunk_id)
        fused.append(
            FusedCandidate(
                chunk_id,
                weights.score(*counted),
                words.ranks.get(chunk_id),
                vectors.ranks.get(chunk_id),
                words.scores.get(chunk_id),
                vectors.scores.get(chunk_id),
                *counted,
            )
        )
    return sorted(fused, key=lambda each: (-each.score, each.chunk_id))
