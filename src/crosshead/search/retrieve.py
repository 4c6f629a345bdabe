"""Request -> hits.

1. prepare: the query's words and vectors, and what hits must hold
2. candidates: words and vectors each propose chunks, limited by one filter
3. rank: both scores are fused, and what the query names exactly counts more
4. rerank: the first hits are compared once more, by token vectors or a reranker
5. hits with a section whose title is the query come first
6. a document gives no more than its share, and hits that score too low are left out
7. answer: each hit is narrowed to the section that answers, and shows its best lines
8. judge: in a calibrated index, each hit gets its confidence
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from crosshead.search.answer import SliceVectors, name_answers
from crosshead.search.confidence.judge import Calibrations, judge
from crosshead.search.confidence.signals import COMPARED, SignalReader, mean_score
from crosshead.search.query.prepare import PreparedQuery, prepare_query
from crosshead.search.query.vector_trust import ChunkTrust
from crosshead.search.ranking.candidates import find_dense, find_lexical, find_titled, with_titled
from crosshead.search.ranking.pieces import PieceRater
from crosshead.search.ranking.rank import Ranker
from crosshead.search.ranking.rerank import HitReranker
from crosshead.search.snippets import Snippet, make_snippets
from crosshead.types import (
    Candidate,
    Embedder,
    Hit,
    Piece,
    PieceMaker,
    ReadableStore,
    Rerank,
    SearchRequest,
    TokenEmbedder,
)

DEEPEST: Final = 2_000
"""Most candidates of one side; `per_document` may need more than `candidates`."""
MOST_CANDIDATES: Final = 10_000
"""Most candidates of one side, whatever the limit, and however few of them meet the query's conditions."""


class Retriever:
    """Searches one index."""

    def __init__(
        self,
        store: ReadableStore,
        embedder: Embedder | None,
        rerank: Rerank | None = None,
        piece_maker: PieceMaker | None = None,
        *,
        compares_tokens: bool = False,
        trust: ChunkTrust | None = None,
        slice_vectors: SliceVectors | None = None,
    ) -> None:
        """Without a `piece_maker` a chunk is one piece; with one, token vectors of the index can be compared."""
        self.store = store
        self.embedder = embedder
        self.token_embedder = embedder if compares_tokens and isinstance(embedder, TokenEmbedder) else None
        self._rater = PieceRater(store, piece_maker, self.token_embedder)
        self.calibrations: Calibrations = {}
        self._ranker = Ranker(store, trust or ChunkTrust(embedder))
        self._slice_vectors = slice_vectors or (SliceVectors(embedder) if embedder else None)
        self._reranker = HitReranker(rerank, self._rater)

    def search(self, request: SearchRequest) -> list[Hit]:
        """Return the best hits for a request."""
        return self.answer(self.prepare(request), request)

    def prepare(self, request: SearchRequest) -> PreparedQuery:
        """Read and embed the query of a request."""
        return prepare_query(request, self.store, self.embedder, self.token_embedder)

    def answer(self, query: PreparedQuery, request: SearchRequest) -> list[Hit]:
        """Return the best hits for a prepared query."""
        if not self.calibrations:
            return [
                replace(hit, snippet=text, highlights=highlights, is_weak=hit.final_score < request.weak_score)
                for hit, (text, highlights, _) in self.show(self.find(query, request), query)
            ]
        compared = self.find(query, replace(request, limit=max(request.limit, COMPARED), min_score=0.0))
        shown = self.show([hit for hit in compared[: request.limit] if hit.final_score >= request.min_score], query)
        hits = judge(shown, mean_score(compared), SignalReader(query, self.store), self.calibrations)
        return [hit for hit in hits if (hit.confidence or 0.0) >= request.min_confidence]

    def show(self, hits: Sequence[Hit], query: PreparedQuery) -> list[tuple[Hit, Snippet]]:
        """Narrow hits to the sections that answer, and return them with their best lines."""
        named = name_answers(self.store, hits, query, self._slice_vectors)
        return [*zip(named, make_snippets(named, query.readings), strict=True)]

    def rate_pieces(self, hits: Sequence[Hit], query: PreparedQuery) -> dict[str, list[Piece]]:
        """Return the pieces of hits with their scores, by chunk id."""
        return self._rater.rate(hits, query)

    def find(self, query: PreparedQuery, request: SearchRequest) -> list[Hit]:
        """Return the best hits as whole chunks.

        It asks for more candidates until there are enough: all of the first ones may be of a few documents.
        """
        depth = max(request.candidates, min(2 * request.limit, MOST_CANDIDATES))
        deepest = MOST_CANDIDATES if query.conditions else DEEPEST
        is_lexical = request.mode != "dense" and any(reading.wanted for reading in query.readings)
        titled = find_titled(self.store, query, request) if is_lexical else []
        while True:
            lexical = find_lexical(self.store, query, depth, request, request.heading_weight) if is_lexical else []
            dense = find_dense(self.store, query, depth, request)
            hits = self._rank(query, lexical, dense, titled, request)
            chosen = _choose(hits, request)
            is_enough = len(chosen) >= request.limit or (bool(hits) and hits[-1].final_score < request.min_score)
            if is_enough or depth >= deepest or max(len(lexical), len(dense)) < depth:
                return chosen
            depth *= 4

    def _rank(
        self,
        query: PreparedQuery,
        lexical: list[Candidate],
        dense: list[Candidate],
        titled: list[Candidate],
        request: SearchRequest,
    ) -> list[Hit]:
        named = {each.chunk_id for each in titled}
        reranks = self._reranker.is_needed(query)
        depth = max(request.limit, request.rerank_depth) if reranks else request.limit
        hits, trusts = self._ranker.rank(query, with_titled(lexical, titled), dense, named, request, depth)
        return _promote(self._reranker.rerank(query, hits, trusts, request) if reranks else hits, named)


def _promote(hits: Sequence[Hit], titled: Collection[str]) -> list[Hit]:
    """Put hits whose title is the query before all others, and raise their scores accordingly."""
    highest = max((hit.final_score for hit in hits), default=0.0)
    promoted = [
        replace(hit, final_score=1.0 - (1.0 - highest) * (1.0 - hit.final_score)) if hit.chunk.id in titled else hit
        for hit in hits
    ]
    return sorted(promoted, key=lambda hit: hit.chunk.id not in titled)


def _choose(hits: Sequence[Hit], request: SearchRequest) -> list[Hit]:
    """Return the first hits that score enough, no more of one document than the request allows."""
    of_document: Counter[str] = Counter()
    chosen = []
    for hit in hits:
        if hit.final_score < request.min_score:
            continue
        of_document[hit.chunk.document_id] += 1
        if not request.per_document or of_document[hit.chunk.document_id] <= request.per_document:
            chosen.append(hit)
    return chosen[: request.limit]
