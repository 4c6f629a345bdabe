"""A query -> hits, passages, or an answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar, Unpack

from crosshead import embedding, search
from crosshead.index.reading import IndexReader, ReadableIndex
from crosshead.options import SearchMode, check_types
from crosshead.types import (
    Answer,
    AnswerKeywords,
    AnswerRequest,
    FoundHits,
    PassageRequest,
    Reranker,
    SearchKeywords,
    SearchRequest,
    StoredDocument,
)

if TYPE_CHECKING:
    from crosshead.answering import Answerer, AnswerStream, LanguageModel
    from crosshead.search import Passages, Searcher

NOTHING_FOUND: Final = "nothing found"

Request = TypeVar("Request", bound=SearchRequest)


class Searching:
    """The part of `Index` that answers queries."""

    _current: IndexReader
    _last_searcher: Searcher | None = None

    def search(
        self, query: str, limit: int = 10, mode: SearchMode = "hybrid", **request: Unpack[SearchKeywords]
    ) -> FoundHits:
        """Return the best hits for a query, as a list; the keywords are the fields of `SearchRequest`."""
        wanted = _request(SearchRequest, query, limit=limit, mode=mode, **request)
        return self._current.read(lambda index: FoundHits(self._searcher(index).search(wanted), index.missing))

    def passages(
        self,
        query: str,
        budget_tokens: int = 2000,
        *,
        limit: int = 30,
        mode: SearchMode = "hybrid",
        **request: Unpack[SearchKeywords],
    ) -> Passages:
        """Return text for a reader or a language model: whole hits first, then pieces, within a token budget.

        It is a list; `prompt(question)` makes a prompt of it, whose `citations(answer)` are what an answer cites.
        `limit`: hits to put passages together from; the other keywords are the fields of `SearchRequest`.
        `all`: quote weak hits even if there is no better one; by default there are no passages then.
        """
        keywords = {"budget_tokens": budget_tokens, "limit": limit, "mode": mode, **request}
        wanted = _request(PassageRequest, query, **keywords)

        def compose(index: ReadableIndex) -> Passages:
            found = self._searcher(index).passages(wanted)
            return search.Passages(found, query, budget_tokens, index.tokenizer, index.missing)

        return self._current.read(compose)

    def ask(
        self,
        question: str,
        *,
        llm: str | Answerer | LanguageModel,
        on_text: Callable[[str], None] | None = None,
        **request: Unpack[AnswerKeywords],
    ) -> Answer:
        """Return the answer of a language model, in which every sentence cites the passages it rests on.

        `llm`: `openai:MODEL`, at OPENAI_BASE_URL, `ollama:MODEL`, at OLLAMA_HOST, or a function that takes a prompt
        and returns a text or its parts. If no passage answers, no model is asked, and `note` says so.
        `on_text` is called with each part of the text as it comes.
        `max_answer_tokens`, `max_answer_seconds`: limits of the answer. If the model stops in the middle, what came is
        the answer, and `complete` is false. The other keywords are those of `passages`.
        """
        stream = self.stream_answer(question, llm=llm, **request)
        for text in stream:
            if on_text:
                on_text(text)
        return stream.answer

    def stream_answer(
        self,
        question: str,
        *,
        llm: str | Answerer | LanguageModel,
        show_all: str = "all=True",
        **request: Unpack[AnswerKeywords],
    ) -> AnswerStream:
        """Return an answer to iterate over while a model writes it; its `close`, from any thread, stops the model.

        `show_all`: how the note about weak matches says to ask for them. The other arguments are those of `ask`.
        """
        from crosshead.answering import AnswerStream, ReplyLimits, get_language_model  # a search does without

        wanted = _request(AnswerRequest, question, **request)
        model = get_language_model(llm)
        limits = ReplyLimits(max_tokens=wanted.max_answer_tokens, max_seconds=wanted.max_answer_seconds)

        def find(index: ReadableIndex) -> tuple[Passages, dict[str, StoredDocument], str]:
            searcher = self._searcher(index)
            found = searcher.passages(wanted)
            passages = search.Passages(found, question, wanted.budget_tokens, index.tokenizer, index.missing)
            documents = index.store.documents([*dict.fromkeys(each.document_id for each in passages)])
            note = "" if passages else searcher.explain_nothing(wanted, show_all) or NOTHING_FOUND
            return passages, {each.id: each for each in documents}, note

        passages, documents, note = self._current.read(find)
        return AnswerStream(question, passages, documents, model, limits, note=note)

    def why_nothing(self, query: str, *, show_all: str = "all=True", **request: Any) -> str:
        """Return why hits or passages are empty: what no document meets, or that all matches are weak; else nothing.

        `show_all`: how to ask for weak matches. The other keywords are those of `search` and `passages`.
        """
        no_influence = ("limit", "budget_tokens", "expand_context")
        keywords = {name: value for name, value in request.items() if name not in no_influence}
        wanted = _request(SearchRequest, query, **{"all": False, **keywords})
        return self._current.read(lambda index: self._searcher(index).explain_nothing(wanted, show_all))

    def search_defaults(self) -> SearchRequest:
        """Return a request with the search options that this index has by default."""
        return self._current.read(lambda index: search.with_defaults(SearchRequest(query=""), index.store.settings))

    def _searcher(self, index: ReadableIndex) -> Searcher:
        """Return the searcher of the last call, unless the settings have changed since."""
        searcher = self._last_searcher
        if searcher is None:
            self._last_searcher = searcher = searcher_of(index)
        elif searcher.store is not index.store:
            self._last_searcher = searcher = self._next_searcher(searcher, index)
        return searcher

    def _next_searcher(self, last: Searcher, index: ReadableIndex) -> Searcher:
        """Return what searches an index whose settings have changed."""
        return searcher_of(index)


def searcher_of(index: ReadableIndex) -> Searcher:
    """Return what searches an index."""
    get_embedder = partial(getattr, index, "embedder")
    return search.Searcher(index.store, index.piece_cutter, get_embedder, _get_reranker, index.count_tokens)


def _request(kind: type[Request], query: str, **keywords: Any) -> Request:
    """Make a request; a format may be named by its aliases."""
    format = keywords.get("format")
    check_types(str | None, format=format)
    return search.make_request(kind, query, {**keywords, "format": _full_name(format) if format else None})


def _get_reranker(name: str) -> Reranker:
    return embedding.get_reranker(name)  # most searches need none


def _full_name(format: str) -> str:
    from crosshead.formats import get_format  # most searches name no format

    return get_format(format).name


def check_search_options(options: Mapping[str, float]) -> None:
    """Raise an error for a wrong search option."""
    _request(SearchRequest, "", **options)
