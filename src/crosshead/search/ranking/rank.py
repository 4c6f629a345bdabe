"""Candidates -> hits with their scores, best first.

1. both scores are fused; where the model cannot read the query or a chunk, words count more
2. chunks that do not meet the query's conditions, or hold nothing that can answer, are left out
3. chunks that hold what the query names exactly score higher
4. chunks are read in the order of the scores that they may reach, until no other one can be among the first
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from crosshead.search.query.entities import entity_share, find_entities
from crosshead.search.query.prepare import PreparedQuery
from crosshead.search.query.vector_trust import ChunkTrust
from crosshead.search.ranking.fuse import FusedCandidate, Weights, fuse
from crosshead.search.snippets import can_answer
from crosshead.types import Candidate, Chunk, Hit, ReadableStore, SearchRequest


class Ranking(NamedTuple):
    """Hits, best first."""

    hits: list[Hit]
    trusts: Mapping[str, float]
    """How far the vectors of chunks can be trusted, where that is less than fully."""


@dataclass(frozen=True)
class Ranker:
    """Fuses candidates, and reads the chunks of those that may become hits."""

    store: ReadableStore
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
        may_doubt = request.mode == "hybrid" and dense and self.trust.may_doubt
        reader = _CandidateReader(self.store, query, entities, weights, self.trust if may_doubt else None)
        fused = fuse(lexical, dense, weights)
        if request.per_document or query.conditions:
            reader.read(fused)
        else:
            reader.read_within_reach(fused, depth, titled)
        return Ranking([hit for _, hit in reader.scored], reader.trusts)


@dataclass
class _CandidateReader:
    """The candidates whose chunks were read."""

    store: ReadableStore
    query: PreparedQuery
    entities: list[str]
    weights: Weights
    trust: ChunkTrust | None
    """None if nothing is to be doubted: vectors are not compared, or alone, or the model can read all."""
    scored: list[tuple[float, Hit]] = field(default_factory=list)
    """Those that can answer, best first."""
    trusts: dict[str, float] = field(default_factory=dict)

    def read_within_reach(self, fused: Sequence[FusedCandidate], depth: int, titled: Collection[str]) -> None:
        """Read the chunks that may get among the first `depth`; the others not even if they held every name.

        The first ones decide what the others have to reach, which are then read together.
        """
        reaches = self._reaches(fused)

        def place(each: FusedCandidate) -> tuple[float, str]:
            return -reaches[each.chunk_id], each.chunk_id

        rest = sorted(fused, key=lambda each: (each.chunk_id not in titled, *place(each)))
        count = depth + len(titled)
        while rest and count:
            self.read(rest[:count])
            rest, count = rest[count:], depth
            if len(self.scored) >= depth:
                score, hit = self.scored[depth - 1]
                count = sum(place(each) < (-score, hit.chunk.id) for each in rest)

    def _reaches(self, fused: Sequence[FusedCandidate]) -> dict[str, float]:
        """Return the scores of candidates if they held every name, and vectors were trusted fully or not at all."""
        held = 1.0 if self.entities else 0.0
        lift = self.weights.lift(held)
        if self.trust is None:
            return {each.chunk_id: each.score + lift for each in fused}
        words = self.weights.trusting(0.0)
        lift_of_words, share = words.lift(held), words.lexical / words.most
        return {each.chunk_id: max(each.score + lift, each.lexical * share + lift_of_words) for each in fused}

    def read(self, fused: Sequence[FusedCandidate]) -> None:
        """Read the chunks of candidates, and score those that can answer."""
        conditions = self.query.conditions
        chunks = {chunk.id: chunk for chunk in self.store.chunks([each.chunk_id for each in fused])}
        for candidate in fused:
            chunk = chunks.get(candidate.chunk_id)  # None if it was removed since it was found
            if chunk and (not conditions or conditions.allow(chunk)) and _can_answer(chunk):
                self.scored.append(self._score(candidate, chunk))
        self.scored.sort(key=lambda pair: (-pair[0], pair[1].chunk.id))

    def _score(self, candidate: FusedCandidate, chunk: Chunk) -> tuple[float, Hit]:
        weights, trust = self.weights, self.trust(chunk) if self.trust else 1.0
        if trust < 1.0:
            self.trusts[chunk.id] = trust
            weights = weights.trusting(trust)
        text = f"{chunk.breadcrumb or ''}\n{chunk.content}" if self.entities else ""
        boost = weights.lift(entity_share(self.entities, text))
        score = weights.score(candidate.lexical, candidate.dense) + boost
        return score, _hit(chunk, candidate, score, boost, self.store.index_of(chunk.id))


def _can_answer(chunk: Chunk) -> bool:
    """Return whether a chunk holds more than imports, tags and the like; a title does if no other part follows it."""
    titles = {chunk.document_title, *chunk.section_path} if chunk.parts > 1 else ()
    return can_answer(chunk.content, chunk.prefix, titles, mdx=chunk.format == "mdx")


def _hit(chunk: Chunk, candidate: FusedCandidate, score: float, boost: float, index: str) -> Hit:
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
        index=index,
    )
