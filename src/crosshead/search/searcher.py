"""Request -> hits or passages, in one index.

1. fill in the defaults of the index, and choose the reranker
2. prepare the query; if the model cannot read it, search by words alone
3. retrieve hits
4. leave out weak ones if the request says so; there are no passages if all hits are weak
5. add the chunks around them, or put passages together from them
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import NamedTuple

from crosshead.errors import EmbedError, MissingExtra, OptionsError
from crosshead.search.answer import SliceVectors
from crosshead.search.confidence.judge import Calibrations, calibrations_for
from crosshead.search.defaults import NO_RERANKER, compares_token_vectors, with_defaults
from crosshead.search.expand import expand
from crosshead.search.filtering import explain_unmet, resolve_filters
from crosshead.search.query.prepare import PreparedQuery
from crosshead.search.query.vector_trust import ChunkTrust
from crosshead.search.retrieve import Retriever
from crosshead.search.snippets import Snippet
from crosshead.tokens import Count
from crosshead.types import (
    Embedder,
    Hit,
    Passage,
    PassageRequest,
    PieceMaker,
    ReadableStore,
    Rerank,
    Reranker,
    SearchRequest,
    calibrations_of,
)


class _Prepared(NamedTuple):
    query: PreparedQuery
    request: SearchRequest
    """With the defaults of the index."""
    retriever: Retriever


class _Results(NamedTuple):
    hits: list[Hit]
    query: PreparedQuery
    retriever: Retriever


@dataclass(frozen=True)
class Searcher:
    """Searches one index."""

    store: ReadableStore
    piece_maker: PieceMaker
    get_embedder: Callable[[], Embedder]
    get_reranker: Callable[[str], Reranker]
    count_tokens: Count

    def search(self, request: SearchRequest) -> list[Hit]:
        """Return the best hits for a request."""
        hits = self._results(request).hits
        hits = hits if request.all else [hit for hit in hits if not hit.is_weak]
        return expand(self.store, hits, request.expand_context)

    def passages(self, request: PassageRequest) -> list[Passage]:
        """Return text to give to a reader or a language model, within the budget of the request."""
        from crosshead.search.passages.consolidate import consolidate  # a search does without
        from crosshead.search.passages.focus import focus
        from crosshead.search.passages.further import add_further
        from crosshead.search.passages.lookup import name_indexes, sections_around

        hits, query, retriever = self._results(request)
        if not (request.all or any(not hit.is_weak for hit in hits)):
            return []
        documents = self.store.documents([*dict.fromkeys(hit.chunk.document_id for hit in hits)])
        sections = sections_around(self.store, hits)
        compose = partial(
            consolidate,
            focus(hits, sections, query.is_title),
            {document.id: document for document in documents},
            sections,
            count=self.count_tokens,
            pieces=retriever.rate_pieces(hits, query),
        )
        composed = add_further(self.store, hits, compose, request, self.count_tokens)
        return name_indexes(self.store, composed)

    def on_store(self, store: ReadableStore, piece_maker: PieceMaker, get_embedder: Callable[[], Embedder]) -> Searcher:
        """Return what searches another state of the same index; what is remembered of texts is kept."""
        other = copy.copy(self)
        vars(other).update(store=store, piece_maker=piece_maker, get_embedder=get_embedder)
        return other

    def explain_nothing(self, request: SearchRequest, show_all: str) -> str:
        """Return that no document can meet the filters of a request, or that all hits are weak; else nothing."""
        unmet = explain_unmet(request, self.store)
        if unmet or request.all:
            return unmet
        nearest = self._results(replace(request, limit=1)).hits
        return f"no good match; {show_all} returns weak ones" if nearest and nearest[0].is_weak else ""

    def look(self, question: str, limit: int) -> tuple[PreparedQuery, list[Hit]]:
        """Return a question, prepared, and its first hits, before they are narrowed and judged."""
        query, full, retriever = self._prepare(SearchRequest(query=question, limit=limit))
        return query, retriever.find(query, full)

    def show(self, hits: Sequence[Hit], query: PreparedQuery) -> list[tuple[Hit, Snippet]]:
        """Narrow hits to the sections that answer, and return them with their best lines."""
        embedder = self.get_embedder() if query.vector is not None else None
        return Retriever(self.store, embedder).show(hits, query)

    def _results(self, request: SearchRequest) -> _Results:
        query, full, retriever = self._prepare(request)
        return _Results(retriever.answer(query, full), query, retriever)

    def _prepare(self, request: SearchRequest) -> _Prepared:
        settings = self.store.settings
        request = resolve_filters(request, self.store)
        full = with_defaults(request, settings)
        by_tokens = compares_token_vectors(settings, full)
        with _words_still_work(full.mode):
            embedder = None if full.mode == "lexical" else self.get_embedder()
            rerank = None if by_tokens else self._rerank(full.rerank)
            retriever = Retriever(
                self.store,
                embedder,
                rerank,
                self.piece_maker,
                compares_tokens=by_tokens,
                trust=self._trust if embedder else None,
                slice_vectors=self._slice_vectors if embedder else None,
            )
            query = retriever.prepare(full)
        retriever.calibrations = self._calibrations(full)  # after the store was read, which may have changed
        if query.vector is None and full.mode == "hybrid":  # the model cannot read the query
            full = with_defaults(replace(request, mode="lexical"), settings)
        return _Prepared(query, full, retriever)

    def _calibrations(self, request: SearchRequest) -> Calibrations:
        found = calibrations_for(calibrations_of(self.store.settings), request)
        if request.min_confidence and not found:
            raise OptionsError(
                "min_confidence is for a calibrated index (crosshead calibrate) and its own settings of searching: "
                "use min_score"
            )
        return found

    @cached_property
    def _trust(self) -> ChunkTrust:
        return ChunkTrust(self.get_embedder())

    @cached_property
    def _slice_vectors(self) -> SliceVectors:
        return SliceVectors(self.get_embedder())

    def _rerank(self, rerank: str | Reranker | Rerank | None) -> Rerank | None:
        if isinstance(rerank, str):
            return None if rerank == NO_RERANKER else self.get_reranker(rerank).score
        return rerank if rerank is None or callable(rerank) else rerank.score


@contextmanager
def _words_still_work(mode: str) -> Iterator[None]:
    """Say how to search without a model, or without the server of one."""
    try:
        yield
    except (EmbedError, MissingExtra) as error:
        if mode == "dense":
            raise
        error.args = (f"{error.reason}; words are found without it: --mode lexical (mode='lexical')",)
        raise
