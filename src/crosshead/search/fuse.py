"""Two ranked lists -> one, by reciprocal rank fusion.

A chunk scores weight / (k + rank) on each side that found it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from crosshead.model import Found


class Weights(NamedTuple):
    """How much each side counts."""

    lexical: float
    dense: float


class Fused(NamedTuple):
    """A chunk with its places on both sides."""

    chunk_id: str
    score: float
    lexical_rank: int | None
    dense_rank: int | None


def fuse(lexical: Sequence[Found], dense: Sequence[Found], weights: Weights, k: int) -> list[Fused]:
    """Return all chunks of both lists, best first; ties are broken by the chunk's id."""
    lexical_ranks = {found.chunk_id: rank for rank, found in enumerate(lexical, 1)}
    dense_ranks = {found.chunk_id: rank for rank, found in enumerate(dense, 1)}
    fused = []
    for chunk_id in lexical_ranks | dense_ranks:
        lexical_rank, dense_rank = lexical_ranks.get(chunk_id), dense_ranks.get(chunk_id)
        score = (weights.lexical / (k + lexical_rank) if lexical_rank else 0.0) + (
            weights.dense / (k + dense_rank) if dense_rank else 0.0
        )
        fused.append(Fused(chunk_id, score, lexical_rank, dense_rank))
    return sorted(fused, key=lambda each: (-each.score, each.chunk_id))
