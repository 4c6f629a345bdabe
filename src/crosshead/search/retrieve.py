"""Query -> hits.

1. the lexical and the dense side each give candidates, limited by one filter
2. reciprocal ranks are fused; how well the lexical side matched decides the weights
3. chunks that hold what the question names exactly are lifted
4. a reranker, if there is one, sorts the best of them anew
5. no document gives more than its share
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from crosshead.errors import OptionsError
from crosshead.model import Chunk, Embedder, Filter, Found, Hit, Reranker, Store
from crosshead.options import SearchOptions
from crosshead.search.entities import entity_share, find_entities
from crosshead.search.fuse import Fused, Weights, choose_weights, fuse
from crosshead.search.snippet import make_snippet
from crosshead.words import words

LONGEST_QUERY: Final = 2_000
"""Characters of a query that are looked at; what follows is hardly a question."""
STOP_WORDS: Final = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "by",
        "can",
        "do",
        "doe",
        "for",
        "from",
        "get",
        "has",
        "have",
        "how",
        "i",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "me",
        "my",
        "of",
        "on",
        "or",
        "our",
        "should",
        "so",
        "that",
        "the",
        "their",
        "them",
        "there",
        "these",
        "they",
        "this",
        "to",
        "use",
        "was",
        "we",
        "what",
        "when",
        "where",
        "which",
        "who",
        "whi",
        "will",
        "with",
        "you",
        "your",
    ]
)
"""Stems of English words that say nothing about what is asked."""


class Retriever:
    """Searches one index."""

    def __init__(self, store: Store, embedder: Embedder | None, reranker: Reranker | None = None) -> None:
        self.store = store
        self.embedder = embedder
        self.reranker = reranker
        self.language: str = store.settings["language"]

    def search(self, query: str, filter: Filter, options: SearchOptions) -> list[Hit]:
        """Return the best hits for a query."""
        query = query.strip()[:LONGEST_QUERY]
        if not query:
            raise OptionsError("the query is empty")
        asked = list(dict.fromkeys(words(query, self.language)))
        lexical = self._lexical(asked, filter, options)
        dense = self._dense(query, filter, options)
        chunks = self._fetch([*lexical, *dense])
        weights = self._weights(asked, lexical, chunks, options)
        fused = [each for each in fuse(lexical, dense, weights, options.rrf_k) if each.chunk_id in chunks]
        hits = _lift(query, fused, chunks, options)
        if self.reranker is not None:
            hits = _rerank(query, hits[: options.rerank_depth], self.reranker)
        kept = _cap(hits, options)
        content_words = [word for word in asked if word not in STOP_WORDS] or asked
        return [_with_snippet(hit, content_words, self.language) for hit in kept]

    def _lexical(self, asked: Sequence[str], filter: Filter, options: SearchOptions) -> list[Found]:
        if options.mode == "dense":
            return []
        return self.store.search_lexical(asked, options.candidates, filter)

    def _dense(self, query: str, filter: Filter, options: SearchOptions) -> list[Found]:
        if options.mode == "lexical" or self.embedder is None:
            return []
        return self.store.search_dense(self.embedder.embed_query(query), options.candidates, filter)

    def _fetch(self, found: Sequence[Found]) -> dict[str, Chunk]:
        ids = list(dict.fromkeys(each.chunk_id for each in found))
        return {chunk.id: chunk for chunk in self.store.chunks(ids)}

    def _weights(
        self, asked: Sequence[str], lexical: Sequence[Found], chunks: dict[str, Chunk], options: SearchOptions
    ) -> Weights:
        usual = Weights(options.lexical_weight, options.dense_weight)
        wanted = {word for word in asked if word not in STOP_WORDS}
        if not wanted or not lexical or lexical[0].chunk_id not in chunks:
            return usual
        best = chunks[lexical[0].chunk_id]
        held = wanted.intersection(words(f"{' '.join(best.full_path)}\n{best.content}", self.language))
        return choose_weights(usual, len(held) / len(wanted), options.weak_coverage)


def _lift(query: str, fused: Sequence[Fused], chunks: dict[str, Chunk], options: SearchOptions) -> list[Hit]:
    entities = find_entities(query)
    hits = []
    for each in fused:
        chunk = chunks[each.chunk_id]
        share = entity_share(entities, f"{chunk.breadcrumb or ''}\n{chunk.content}") if entities else 0.0
        boost = options.entity_weight * share
        hits.append(
            Hit(chunk, each.dense_rank, each.lexical_rank, each.score, None, boost, each.score * (1.0 + boost), "")
        )
    return _sorted(hits)


def _rerank(query: str, hits: Sequence[Hit], reranker: Reranker) -> list[Hit]:
    """The reranker sees the breadcrumb in front of the content."""
    scores = reranker.score(query, [hit.chunk.render(breadcrumb=True) for hit in hits])
    judged = []
    for hit, score in zip(hits, scores, strict=True):
        judged.append(replace(hit, rerank_score=score, final_score=score * (1.0 + hit.entity_boost)))
    return _sorted(judged)


def _cap(hits: Sequence[Hit], options: SearchOptions) -> list[Hit]:
    seen: Counter[str] = Counter()
    kept = []
    for hit in hits:
        seen[hit.chunk.document_id] += 1
        if not options.per_document or seen[hit.chunk.document_id] <= options.per_document:
            kept.append(hit)
    return kept[: options.limit]


def _with_snippet(hit: Hit, wanted: Sequence[str], language: str) -> Hit:
    return replace(hit, snippet=make_snippet(hit.chunk.content, wanted, language))


def _sorted(hits: Sequence[Hit]) -> list[Hit]:
    return sorted(hits, key=lambda hit: (-hit.final_score, hit.chunk.id))
