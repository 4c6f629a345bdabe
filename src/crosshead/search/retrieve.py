"""Query -> hits.

1. the lexical side, asked for the words that carry a meaning, and the dense side each give candidates, limited by one
   filter
2. reciprocal ranks are fused
3. chunks that hold what the question names exactly are lifted; those that hold a section whose title is the question
   are lifted above all others
4. a reranker, if there is one, sorts the best of them anew; it sees the breadcrumb in front of the content
5. no document gives more than its share
6. each hit names the section that answers, and shows its best lines
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from crosshead.errors import OptionsError
from crosshead.model import Chunk, Embedder, Filter, Found, Hit, Rerank, Store
from crosshead.options import SearchOptions
from crosshead.search.answer import Question, name_answers
from crosshead.search.entities import entity_share, find_entities
from crosshead.search.fuse import Fused, Weights, fuse
from crosshead.search.snippet import Wanted, make_snippet
from crosshead.search.stopwords import content_words
from crosshead.search.titles import TitleMatch
from crosshead.words import words

LONGEST_QUERY: Final = 2_000
"""Characters of a query that are looked at; what follows is hardly a question."""
DEEPEST: Final = 2_000
"""Candidates of one side beyond which nobody looks deeper; a cap per document may need more than the usual number."""
TITLE_WEIGHT: Final = 100.0
"""Of words in headings beside those in the text, where a question may be a title: nearly nothing else counts."""
MOST_CANDIDATES: Final = 10_000
"""Candidates of one side, however many hits are asked for."""


class Retriever:
    """Searches one index."""

    def __init__(self, store: Store, embedder: Embedder | None, rerank: Rerank | None = None) -> None:
        self.store = store
        self.embedder = embedder
        self.rerank = rerank
        self.language: str = store.settings["language"]

    def search(self, query: str, filter: Filter, options: SearchOptions) -> list[Hit]:
        """Return the best hits for a query."""
        if not isinstance(query, str):
            raise OptionsError(f"the query is no text, but of the type {type(query).__name__}")
        query = query.strip()[:LONGEST_QUERY].encode("utf-8", "replace").decode()
        if not query:
            raise OptionsError("the query is empty: say what to look for")
        if options.mode == "dense" and self.embedder is None:
            raise OptionsError("this index has no vectors: search with mode='lexical'")
        wanted = content_words(list(dict.fromkeys(words(query, self.language))))
        vector = self.embedder.embed_query(query) if self.embedder and options.mode != "lexical" else None
        question = Question(query, wanted, TitleMatch(query, self.language), self.language, vector)
        answers = name_answers(self.store, self._search(question, filter, options), question, self.embedder)
        marked = Wanted(wanted, self.language)
        return [replace(hit, snippet=make_snippet(text, marked)) for hit, text in answers]

    def _find_titled(self, question: Question, filter: Filter, limit: int) -> list[Found]:
        """Return the chunks that hold a section whose title is the question; a heading further above is none of these.

        However frequent its words are, a title is found, because nothing else is looked at, and few headings around it
        come before many.
        """
        title, wanted = question.is_title, question.wanted
        named = replace(filter, titles=title.spellings)
        if not title.spellings or not self.store.search_lexical(wanted, 1, named, heading_weight=0.0):
            return []  # most questions are no title, and should not pay for the whole search
        found = self.store.search_lexical(wanted, limit, named, heading_weight=TITLE_WEIGHT)
        chunks = {chunk.id: chunk for chunk in self.store.chunks([each.chunk_id for each in found])}
        return [each for each in found if each.chunk_id in chunks and _holds(chunks[each.chunk_id], title)]

    def _search(self, question: Question, filter: Filter, options: SearchOptions) -> list[Hit]:
        """Look deeper until there are enough hits, or no more: a few documents may hold all of the first ones."""
        depth = max(options.candidates, min(2 * options.limit, MOST_CANDIDATES))
        wanted = question.wanted if options.mode != "dense" else []
        vector = question.vector
        titled = self._find_titled(question, filter, options.candidates) if wanted else []
        while True:
            lexical = self.store.search_lexical(wanted, depth, filter, heading_weight=options.heading_weight)
            dense = self.store.search_dense(vector, depth, filter) if vector is not None else []
            kept = _cap(self._judge(question.text, lexical, dense, titled, options), options)
            if len(kept) >= options.limit or depth >= DEEPEST or max(len(lexical), len(dense)) < depth:
                return kept
            depth *= 4

    def _judge(
        self,
        query: str,
        lexical: Sequence[Found],
        dense: Sequence[Found],
        titled: Sequence[Found],
        options: SearchOptions,
    ) -> list[Hit]:
        known, names = {each.chunk_id for each in lexical}, {each.chunk_id for each in titled}
        lexical = [*lexical, *(each for each in titled if each.chunk_id not in known)]
        entities = find_entities(query)
        fused = fuse(lexical, dense, Weights(options.lexical_weight, options.dense_weight), options.rrf_k)
        if not options.per_document:
            places = max(options.limit, options.rerank_depth) if self.rerank else options.limit
            fused = _within_reach(fused, places, options.entity_weight if entities else 0.0, names)
        hits = _lift(entities, names, fused, self._fetch(fused), options)
        return _rerank(query, hits, self.rerank, options.rerank_depth) if self.rerank else hits

    def _fetch(self, found: Sequence[Fused]) -> dict[str, Chunk]:
        return {chunk.id: chunk for chunk in self.store.chunks([each.chunk_id for each in found])}


def _holds(chunk: Chunk, title: TitleMatch) -> bool:
    return title.is_among((*chunk.section_path[-1:], *chunk.inner_headings))


def _within_reach(fused: list[Fused], places: int, most_lift: float, names: Collection[str]) -> list[Fused]:
    """Leave out what would not get among the first places even if it were lifted in full: it need not be read."""
    if len(fused) <= places:
        return fused
    least = fused[places - 1].score
    return [each for each in fused if each.score * (1.0 + most_lift) >= least or each.chunk_id in names]


def _lift(
    entities: list[str],
    names: Collection[str],
    fused: Sequence[Fused],
    chunks: dict[str, Chunk],
    options: SearchOptions,
) -> list[Hit]:
    hits = []
    highest = (options.lexical_weight + options.dense_weight) / (options.rrf_k + 1) * (1.0 + options.entity_weight)
    for each in fused:
        chunk = chunks.get(each.chunk_id)
        if chunk is None:  # removed since it was found
            continue
        share = entity_share(entities, f"{chunk.breadcrumb or ''}\n{chunk.content}") if entities else 0.0
        boost = options.entity_weight * share
        if each.chunk_id in names and each.score:
            boost += highest / each.score
        hits.append(
            Hit(
                chunk=chunk,
                section_path=chunk.section_path,
                citation=chunk.citation,
                dense_rank=each.dense_rank,
                lexical_rank=each.lexical_rank,
                rrf_score=each.score,
                rerank_score=None,
                entity_boost=boost,
                final_score=each.score * (1.0 + boost),
                snippet="",
            )
        )
    return _sorted(hits)


def _rerank(query: str, hits: Sequence[Hit], rerank: Rerank, depth: int) -> list[Hit]:
    """What the reranker does not see stays behind what it sees."""
    seen = hits[:depth]
    scores = list(rerank(query, [hit.chunk.render(breadcrumb=True) for hit in seen]))
    if len(scores) != len(seen):
        raise OptionsError(f"the reranker gave {len(scores)} scores for {len(seen)} texts")
    judged = []
    for hit, score in zip(seen, scores, strict=True):
        lifted = score + hit.entity_boost * abs(score)  # a score may be negative
        judged.append(replace(hit, rerank_score=score, final_score=lifted))
    return [*_sorted(judged), *hits[depth:]]


def _cap(hits: Sequence[Hit], options: SearchOptions) -> list[Hit]:
    seen: Counter[str] = Counter()
    kept = []
    for hit in hits:
        seen[hit.chunk.document_id] += 1
        if not options.per_document or seen[hit.chunk.document_id] <= options.per_document:
            kept.append(hit)
    return kept[: options.limit]


def _sorted(hits: Sequence[Hit]) -> list[Hit]:
    return sorted(hits, key=lambda hit: (-hit.final_score, hit.chunk.id))
