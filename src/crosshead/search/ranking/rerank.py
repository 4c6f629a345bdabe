"""Hits -> the same hits, the first of them scored once more by a closer comparison with the query.

1. a reranker reads the text of a hit below its path, or the best piece of it
2. without one, the token vectors of the query and of the hit are compared, if the index stores them
3. the new score is added with its weight; hits that were not reranked stay below those that were
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp
from typing import Final

from crosshead.errors import OptionsError
from crosshead.search.query.prepare import PreparedQuery
from crosshead.search.ranking.pieces import PieceRater
from crosshead.types import Chunk, Hit, Piece, Rerank, SearchRequest

LARGEST_LOGIT: Final = 50.0


@dataclass(frozen=True)
class HitReranker:
    """Reranks with a model, or else with token vectors."""

    model: Rerank | None
    rater: PieceRater

    def is_needed(self, query: PreparedQuery) -> bool:
        """Return whether there is anything to rerank with."""
        return self.model is not None or query.token_vectors is not None

    def rerank(
        self, query: PreparedQuery, hits: Sequence[Hit], trusts: Mapping[str, float], request: SearchRequest
    ) -> list[Hit]:
        """Return hits in their new order."""
        first = hits[: request.rerank_depth]
        if self.model:
            scores, weights = self._scores(self.model, query, first, request), [request.rerank_weight] * len(first)
        else:
            scores = self.rater.rate_hits(first, query)
            weights = [request.rerank_weight * query.trust * trusts.get(hit.chunk.id, 1.0) for hit in first]
        if not scores:
            return [*hits]
        reranked = _add_scores(first, scores, weights)
        least = reranked[-1].final_score
        rest = (replace(hit, final_score=least) if hit.final_score > least else hit for hit in hits[len(first) :])
        return [*reranked, *rest]

    def _scores(self, model: Rerank, query: PreparedQuery, hits: Sequence[Hit], request: SearchRequest) -> list[float]:
        if request.rerank_pieces:
            pieces = self.rater.rate(hits, query)
            texts = [_best_piece(hit.chunk, pieces[hit.chunk.id]) for hit in hits]
        else:
            texts = [hit.chunk.render(breadcrumb=True) for hit in hits]
        scores = list(model(query.text, texts))
        if len(scores) != len(hits):
            raise OptionsError(f"the reranker gave {len(scores)} scores for {len(hits)} texts")
        return scores


def _add_scores(hits: Sequence[Hit], scores: Sequence[float], weights: Sequence[float]) -> list[Hit]:
    reranked = [
        replace(hit, rerank_score=score, final_score=(hit.final_score + weight * share) / (1.0 + weight))
        for hit, score, share, weight in zip(hits, scores, _shares(scores), weights, strict=True)
    ]
    return sorted(reranked, key=lambda hit: (-hit.final_score, hit.chunk.id))


def _shares(scores: Sequence[float]) -> Sequence[float]:
    """Return scores between 0 and 1; some rerankers give probabilities, others their logits."""
    if all(0.0 <= score <= 1.0 for score in scores):
        return scores
    return [1.0 / (1.0 + exp(-min(max(score, -LARGEST_LOGIT), LARGEST_LOGIT))) for score in scores]


def _best_piece(chunk: Chunk, pieces: Sequence[Piece]) -> str:
    best = max(pieces, key=lambda piece: piece.score)
    content = chunk.content[best.start - chunk.start : best.end - chunk.start]
    return f"{' > '.join(chunk.full_path)}\n{best.prefix}{content}{best.suffix}"
