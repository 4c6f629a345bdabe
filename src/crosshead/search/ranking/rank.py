"""Candidates -> hits with their scores, best first.

1. both scores are fused; where the model cannot read the query or a chunk, words count more
2. chunks that do not meet the query's conditions, or hold nothing that can answer, are left out
3. chunks that hold what the query names exactly score higher
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from crosshead.search.query.conditions import Conditions
from crosshead.search.query.entities import entity_share, find_entities
from crosshead.search.query.prepare import PreparedQuery
from crosshead.search.query.vector_trust import ChunkTrust
from crosshead.search.ranking.fuse import FusedCandidate, Weights, fuse
from crosshead.search.snippets import can_answer
from crosshead.types import Candidate, Chunk, Hit, SearchRequest, Store


class Ranking(NamedTuple):
    """Hits, best first."""

    hits: list[Hit]
    trusts: Mapping[str, float]
    """How far the vectors of chunks can be trusted, where that is less than fully."""


@dataclass(frozen=True)
class Ranker:
    """Fuses candidates, and reads the chunks of those that may become hits."""

    store: Store
    trust: ChunkTrust

    def rank(
        self,
        query: PreparedQuery,
        lexical: Sequence[Candidate],
        dense: Sequence[Candidate],
        titled: Collection[str],
        request: SearchRequest,
        depth: int,
    ) -> Ranking:
        """Return the hits for a query; the order of the first `depth` matters."""
        entities = find_entities(query.text)
        weights = Weights(
            request.lexical_weight if request.mode != "dense" else 0.0,
            request.dense_weight if dense else 0.0,  # there may be no vectors yet
            request.entity_weight if entities else 0.0,
        ).trusting(query.trust)
        fused = fuse(lexical, dense, weights)
        if request.per_document or query.conditions:
            chunks = self._chunks(fused, query.conditions)
        else:
            chunks = self._chunks_within_reach(fused, depth, weights, titled)
        trusts = self._trusts(chunks.values()) if request.mode == "hybrid" and dense else {}
        return Ranking(_hits(fused, chunks, entities, weights, trusts), trusts)

    def _chunks_within_reach(
        self, fused: Sequence[FusedCandidate], depth: int, weights: Weights, titled: Collection[str]
    ) -> dict[str, Chunk]:
        """Return the chunks of all candidates that may get among the first `depth` of those that can answer."""
        wanted = depth
        while True:
            near = _within_reach(fused, wanted, weights, titled)
            chunks = self._chunks(near)
            needed = depth + len(near) - len(chunks)
            if needed <= wanted or len(near) == len(fused):
                return chunks
            wanted = needed

    def _chunks(self, fused: Sequence[FusedCandidate], conditions: Conditions | None = None) -> dict[str, Chunk]:
        chunks = self.store.chunks([each.chunk_id for each in fused])
        return {
            chunk.id: chunk for chunk in chunks if _can_answer(chunk) and (not conditions or conditions.allow(chunk))
        }

    def _trusts(self, chunks: Iterable[Chunk]) -> dict[str, float]:
        trusts = {chunk.id: self.trust(chunk) for chunk in chunks}
        return {chunk_id: trust for chunk_id, trust in trusts.items() if trust < 1.0}


def _can_answer(chunk: Chunk) -> bool:
    """Return whether a chunk holds more than imports, tags and the like; a title does if no other part follows it."""
    titles = {chunk.document_title, *chunk.section_path} if chunk.parts > 1 else ()
    return can_answer(chunk.content, chunk.prefix, titles, mdx=chunk.format == "mdx")


def _within_reach(
    fused: Sequence[FusedCandidate], depth: int, weights: Weights, titled: Collection[str]
) -> Sequence[FusedCandidate]:
    """Leave out what would not get among the first `depth` even if it held every name: it need not be read."""
    if len(fused) <= depth:
        return fused
    least = fused[depth - 1].score - weights.lift(1.0)
    by_words = weights.trusting(0.0)
    return [
        each
        for each in fused
        if each.score >= least or by_words.score(each.lexical, 0.0) >= least or each.chunk_id in titled
    ]


def _hits(
    fused: Sequence[FusedCandidate],
    chunks: Mapping[str, Chunk],
    entities: list[str],
    weights: Weights,
    trusts: Mapping[str, float],
) -> list[Hit]:
    scored = []
    for candidate in fused:
        chunk = chunks.get(candidate.chunk_id)
        if chunk is None:  # removed since it was found, or excluded by the query
            continue
        share = entity_share(entities, f"{chunk.breadcrumb or ''}\n{chunk.content}") if entities else 0.0
        own = weights.trusting(trusts.get(chunk.id, 1.0))
        score, boost = own.score(candidate.lexical, candidate.dense), own.lift(share)
        scored.append((score + boost, _hit(chunk, candidate, score + boost, boost)))
    return [hit for _, hit in sorted(scored, key=lambda pair: (-pair[0], pair[1].chunk.id))]


def _hit(chunk: Chunk, candidate: FusedCandidate, score: float, boost: float) -> Hit:
    """Return a hit of a whole chunk."""
    return Hit(
        chunk=chunk,
        section_id=chunk.section_id,
        section_path=chunk.section_path,
        start=chunk.start,
        end=chunk.end,
        citation=chunk.citation,
        pages=chunk.pages,
        dense_rank=candidate.dense_rank,
        lexical_rank=candidate.lexical_rank,
        dense_score=candidate.dense_score,
        lexical_score=candidate.lexical_score,
        rerank_score=None,
        entity_boost=boost,
        final_score=min(score, 1.0),
        snippet="",
    )
