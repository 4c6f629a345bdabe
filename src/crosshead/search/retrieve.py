"""Query -> hits.

1. the lexical side, asked for the words that carry a meaning, and the dense side each give candidates, limited by one
   filter; chunks that do not hold what the query demands are left out
2. both scores are added up; what the model cannot read, a question or a chunk, is judged by words
3. chunks that hold what the question names exactly get more
4. the tokens of the question and of the best chunks are compared, where they are kept, and add to the score; or a
   reranker does that, which sees the breadcrumb in front of the content, or of the piece that matches best
5. chunks that hold a section whose title is the question are lifted above all others
6. no document gives more than its share, and what scores too little is left out
7. each hit names the section that answers, and shows its best lines
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from math import exp
from typing import Final

from crosshead.errors import OptionsError
from crosshead.search.answer import ReadQuery, name_answers
from crosshead.search.entities import entity_share, find_entities
from crosshead.search.fuse import FusedCandidate, Weights, fuse, relative
from crosshead.search.pieces import rate_pieces
from crosshead.search.query import Conditions, read_query
from crosshead.search.snippet import SnippetWords, make_snippet
from crosshead.search.titles import TitleMatch
from crosshead.search.vector_trust import trust, trust_question
from crosshead.search.words import languages_of
from crosshead.types import (
    Candidate,
    Chunk,
    Embedder,
    Filter,
    Hit,
    Piece,
    PieceMaker,
    Rerank,
    SearchRequest,
    Store,
    TokenEmbedder,
    Vectors,
)

LONGEST_QUERY: Final = 2_000
"""Characters of a query that are looked at; what follows is hardly a question."""
DEEPEST: Final = 2_000
"""Candidates of one side beyond which nobody looks deeper; a cap per document may need more than the usual number."""
TITLE_WEIGHT: Final = 100.0
"""Of words in headings beside those in the text, where a question may be a title: nearly nothing else counts."""
LARGEST_LOGIT: Final = 50.0
MOST_CANDIDATES: Final = 10_000
"""Candidates of one side, however many hits are asked for, and however few of them hold what a query demands."""


class Retriever:
    """Searches one index."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder | None,
        rerank: Rerank | None = None,
        piece_maker: PieceMaker | None = None,
        *,
        compares_tokens: bool = False,
    ) -> None:
        """Without a `piece_maker` a chunk is one piece; with one, tokens that the store keeps can be compared."""
        self.store = store
        self.embedder = embedder
        self.rerank = rerank
        self.piece_maker = piece_maker
        self.token_embedder = embedder if compares_tokens and isinstance(embedder, TokenEmbedder) else None

    def search(self, request: SearchRequest) -> list[Hit]:
        """Return the best hits for a query."""
        return self.answer(self.read(request), request)

    def read(self, request: SearchRequest) -> ReadQuery:
        """Read the query: its words, its vectors, and what every answer must hold."""
        query = request.query.strip()[:LONGEST_QUERY].encode("utf-8", "replace").decode()
        if not query:
            raise OptionsError("the query is empty: say what to look for")
        if request.mode == "dense" and self.embedder is None:
            raise OptionsError("this index has no vectors: search with mode='lexical'")
        asked = read_query(query, languages_of(self.store.count_languages(), self.store.settings["language"]))
        if not asked.text:
            raise OptionsError("the query only says what to leave out: say also what to look for")
        title = TitleMatch(asked.text, asked.readings)
        trusted = trust_question(self.embedder, asked.text) if request.mode == "hybrid" else 1.0
        vector, tokens = self._embed(asked.text) if request.mode != "lexical" and trusted else (None, None)
        return ReadQuery(asked.text, asked.readings, title, vector, tokens, trusted, conditions=asked.conditions)

    def _embed(self, text: str) -> tuple[Vectors | None, Vectors | None]:
        if self.token_embedder:
            return self.token_embedder.embed_question(text)
        return (self.embedder.embed_query(text) if self.embedder else None), None

    def answer(self, question: ReadQuery, request: SearchRequest) -> list[Hit]:
        """Return the best hits for a query that was read."""
        hits = name_answers(self.store, self._search(question, request), question, self.embedder)
        marked = SnippetWords(question.readings)
        return [
            replace(hit, snippet=make_snippet(hit.content, marked), is_weak=hit.final_score < request.weak_score)
            for hit in hits
        ]

    def rate_pieces(self, hits: Sequence[Hit], question: ReadQuery) -> dict[str, list[Piece]]:
        """Return the pieces of hits by their chunks, with how well each matches."""
        maker = self.piece_maker
        pieces = {hit.chunk.id: maker.pieces(hit.chunk) if maker else [_whole(hit.chunk)] for hit in hits}
        cut = [hit.chunk for hit in hits if len(pieces[hit.chunk.id]) > 1]
        hashes = {chunk.id: maker.text_hash(chunk) for chunk in cut} if maker else {}
        vectors = self.store.known_vectors([*hashes.values()]) if question.vector is not None and hashes else {}
        near = self._near_pieces(question, [*hashes.values()])

        def rate(hit: Hit) -> list[Piece]:
            known = hashes.get(hit.chunk.id, "")
            return rate_pieces(hit, pieces[hit.chunk.id], vectors.get(known), near.get(known), question)

        return {hit.chunk.id: rate(hit) for hit in hits}

    def _near_pieces(self, question: ReadQuery, hashes: Sequence[str]) -> dict[str, list[float]]:
        """Return how near the tokens of pieces are to the question's, by the texts that these are pieces of."""
        if not (self.token_embedder and question.tokens is not None and hashes):
            return {}
        kept = self.store.known_token_vectors(hashes)
        scores = iter(self.token_embedder.compare_tokens(question.tokens, [*chain.from_iterable(kept.values())]))
        return {each: [*islice(scores, len(pieces))] for each, pieces in kept.items()}

    def _find_titled(self, question: ReadQuery, filter: Filter, limit: int) -> list[Candidate]:
        """Return the chunks that hold a section whose title is the question; a heading further above is none of these.

        However frequent its words are, a title is found, because nothing else is looked at, and few headings around it
        come before many.
        """
        title = question.is_title
        named = replace(filter, titles=title.spellings)
        if not title.spellings or not self.store.matches_any(named):
            return []  # most questions are no title, and should not pay for the whole search
        found = self._find_words(question, limit, named, TITLE_WEIGHT)
        chunks = {chunk.id: chunk for chunk in self.store.chunks([each.chunk_id for each in found])}
        return [each for each in found if each.chunk_id in chunks and _holds(chunks[each.chunk_id], title)]

    def _find_words(self, question: ReadQuery, limit: int, filter: Filter, heading_weight: float) -> list[Candidate]:
        """Return the best chunks by words; of several readings, a chunk has the score of the one that fits best."""
        found = (
            self.store.search_lexical(reading.wanted, limit, filter, heading_weight=heading_weight)
            for reading in question.readings
        )
        if len(question.readings) == 1:
            return next(found)
        best: dict[str, float] = {}
        for chunk_id, score in chain.from_iterable(found):
            best[chunk_id] = max(score, best.get(chunk_id, 0.0))
        ranked = sorted(best.items(), key=lambda each: (-each[1], each[0]))
        return [Candidate(chunk_id, score) for chunk_id, score in ranked[:limit]]

    def _search(self, question: ReadQuery, request: SearchRequest) -> list[Hit]:
        """Look deeper until there are enough hits, or no more: a few documents may hold all of the first ones."""
        depth = max(request.candidates, min(2 * request.limit, MOST_CANDIDATES))
        deepest = MOST_CANDIDATES if question.conditions else DEEPEST
        is_lexical = request.mode != "dense" and any(reading.wanted for reading in question.readings)
        vector = question.vector
        titled = self._find_titled(question, request, request.candidates) if is_lexical else []
        while True:
            lexical = self._find_words(question, depth, request, request.heading_weight) if is_lexical else []
            dense = self.store.search_dense(vector, depth, request) if vector is not None else []
            dense = relative(dense) if request.relative_cosines else dense
            hits = self._judge(question, lexical, dense, titled, request)
            kept = _cap(hits, request)
            is_enough = len(kept) >= request.limit or (bool(hits) and hits[-1].final_score < request.min_score)
            if is_enough or depth >= deepest or max(len(lexical), len(dense)) < depth:
                return kept
            depth *= 4

    def _judge(
        self,
        question: ReadQuery,
        lexical: Sequence[Candidate],
        dense: Sequence[Candidate],
        titled: Sequence[Candidate],
        request: SearchRequest,
    ) -> list[Hit]:
        known, names = {each.chunk_id for each in lexical}, {each.chunk_id for each in titled}
        least = lexical[-1].score if lexical else 0.0
        lexical = [*lexical, *(Candidate(each.chunk_id, least) for each in titled if each.chunk_id not in known)]
        entities = find_entities(question.text)
        weights = Weights(
            request.lexical_weight if request.mode != "dense" else 0.0,
            request.dense_weight if dense else 0.0,  # there may be no vectors yet
            request.entity_weight if entities else 0.0,
        ).trusting(question.trust)
        fused = fuse(lexical, dense, weights)
        is_judged_anew = self.rerank or question.tokens is not None
        if not (request.per_document or question.conditions):
            places = max(request.limit, request.rerank_depth) if is_judged_anew else request.limit
            fused = _within_reach(fused, places, weights, names)
        chunks = self._fetch(fused, question.conditions)
        trusts = self._trust_chunks(chunks.values()) if request.mode == "hybrid" and dense else {}
        hits = _hits(fused, chunks, entities, weights, trusts)
        return _lift(self._judge_anew(question, hits, trusts, request) if is_judged_anew else hits, names)

    def _trust_chunks(self, chunks: Iterable[Chunk]) -> dict[str, float]:
        """Return the chunks whose vectors cannot be trusted fully, and how far they can."""
        trusts = {chunk.id: trust(self.embedder, chunk.content) for chunk in chunks}
        return {chunk_id: each for chunk_id, each in trusts.items() if each < 1.0}

    def _judge_anew(
        self, question: ReadQuery, hits: Sequence[Hit], trusts: Mapping[str, float], request: SearchRequest
    ) -> list[Hit]:
        """Add how well the first hits match by another measure; the others stay behind them."""
        seen = hits[: request.rerank_depth]
        if self.rerank:
            scores, weights = self._rerank(self.rerank, question, seen, request), [request.rerank_weight] * len(seen)
        else:
            scores = self._compare_tokens(question, seen)
            weights = [request.rerank_weight * question.trust * trusts.get(hit.chunk.id, 1.0) for hit in seen]
        if not scores:
            return [*hits]
        judged = _add_scores(seen, scores, weights)
        least = judged[-1].final_score
        return [*judged, *(replace(hit, final_score=min(hit.final_score, least)) for hit in hits[len(seen) :])]

    def _rerank(self, rerank: Rerank, question: ReadQuery, hits: Sequence[Hit], request: SearchRequest) -> list[float]:
        if request.rerank_pieces:
            rated = self.rate_pieces(hits, question)
            texts = [_best_piece(hit.chunk, rated[hit.chunk.id]) for hit in hits]
        else:
            texts = [hit.chunk.render(breadcrumb=True) for hit in hits]
        scores = list(rerank(question.text, texts))
        if len(scores) != len(hits):
            raise OptionsError(f"the reranker gave {len(scores)} scores for {len(hits)} texts")
        return scores

    def _compare_tokens(self, question: ReadQuery, hits: Sequence[Hit]) -> list[float]:
        """Return how near the tokens of hits are to the question's; what has none yet is as near as the others are."""
        if not (self.token_embedder and self.piece_maker and question.tokens is not None):
            return []
        hashes = [self.piece_maker.text_hash(hit.chunk) for hit in hits]
        kept = {each: b"".join(pieces) for each, pieces in self.store.known_token_vectors(hashes).items()}
        scores = self.token_embedder.compare_tokens(question.tokens, [*kept.values()])
        near = dict(zip(kept, scores, strict=True))
        return [near.get(each, sum(scores) / len(scores)) for each in hashes] if near else []

    def _fetch(self, found: Sequence[FusedCandidate], conditions: Conditions) -> dict[str, Chunk]:
        chunks = self.store.chunks([each.chunk_id for each in found])
        return {chunk.id: chunk for chunk in chunks if not conditions or conditions.allow(chunk)}


def _holds(chunk: Chunk, title: TitleMatch) -> bool:
    return title.is_among((*chunk.section_path[-1:], *chunk.inner_headings))


def _within_reach(
    fused: list[FusedCandidate], places: int, weights: Weights, names: Collection[str]
) -> list[FusedCandidate]:
    """Leave out what would not get among the first places even if it held every name: it need not be read."""
    if len(fused) <= places:
        return fused
    least = fused[places - 1].score - weights.lift(1.0)
    by_words = weights.trusting(0.0)
    return [
        each
        for each in fused
        if each.score >= least or by_words.score(each.lexical, 0.0) >= least or each.chunk_id in names
    ]


def _hits(
    fused: Sequence[FusedCandidate],
    chunks: Mapping[str, Chunk],
    entities: list[str],
    weights: Weights,
    trusts: Mapping[str, float],
) -> list[Hit]:
    scored = []
    for each in fused:
        chunk = chunks.get(each.chunk_id)
        if chunk is None:  # removed since it was found, or not allowed
            continue
        share = entity_share(entities, f"{chunk.breadcrumb or ''}\n{chunk.content}") if entities else 0.0
        own = weights.trusting(trusts.get(each.chunk_id, 1.0))
        score, boost = own.score(each.lexical, each.dense), own.lift(share)
        hit = Hit(
            chunk=chunk,
            section_id=chunk.section_id,
            section_path=chunk.section_path,
            start=chunk.start,
            end=chunk.end,
            citation=chunk.citation,
            pages=chunk.pages,
            dense_rank=each.dense_rank,
            lexical_rank=each.lexical_rank,
            dense_score=each.dense_score,
            lexical_score=each.lexical_score,
            rerank_score=None,
            entity_boost=boost,
            final_score=min(score + boost, 1.0),
            snippet="",
        )
        scored.append((score + boost, hit))
    return [hit for _, hit in sorted(scored, key=lambda each: (-each[0], each[1].chunk.id))]


def _add_scores(hits: Sequence[Hit], scores: Sequence[float], weights: Sequence[float]) -> list[Hit]:
    judged = [
        replace(hit, rerank_score=score, final_score=(hit.final_score + weight * share) / (1.0 + weight))
        for hit, score, share, weight in zip(hits, scores, _shares(scores), weights, strict=True)
    ]
    return sorted(judged, key=lambda hit: (-hit.final_score, hit.chunk.id))


def _lift(hits: Sequence[Hit], names: Collection[str]) -> list[Hit]:
    """Put some hits before all others, and let their scores say so."""
    highest = max((hit.final_score for hit in hits), default=0.0)
    lifted = [
        replace(hit, final_score=1.0 - (1.0 - highest) * (1.0 - hit.final_score)) if hit.chunk.id in names else hit
        for hit in hits
    ]
    return sorted(lifted, key=lambda hit: hit.chunk.id not in names)


def _whole(chunk: Chunk) -> Piece:
    return Piece(0, len(chunk.content))


def _best_piece(chunk: Chunk, pieces: Sequence[Piece]) -> str:
    best = max(pieces, key=lambda piece: piece.score)
    content = chunk.content[best.start - chunk.start : best.end - chunk.start]
    return f"{' > '.join(chunk.full_path)}\n{best.prefix}{content}{best.suffix}"


def _shares(scores: Sequence[float]) -> Sequence[float]:
    """Return scores between 0 and 1; some rerankers give probabilities, others their logits."""
    if all(0.0 <= score <= 1.0 for score in scores):
        return scores
    return [1.0 / (1.0 + exp(-min(max(score, -LARGEST_LOGIT), LARGEST_LOGIT))) for score in scores]


def _cap(hits: Sequence[Hit], request: SearchRequest) -> list[Hit]:
    seen: Counter[str] = Counter()
    kept = []
    for hit in hits:
        if hit.final_score < request.min_score:
            continue
        seen[hit.chunk.document_id] += 1
        if not request.per_document or seen[hit.chunk.document_id] <= request.per_document:
            kept.append(hit)
    return kept[: request.limit]
