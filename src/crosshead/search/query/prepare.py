"""Query -> what a search compares: its words in the languages of the index, its vectors, and what hits must hold."""

from __future__ import annotations

from typing import Final, NamedTuple

from crosshead.errors import OptionsError
from crosshead.search.query.conditions import Conditions, read_query
from crosshead.search.query.titles import TitleMatch
from crosshead.search.query.vector_trust import trust_question
from crosshead.search.query.words import QueryWords, languages_of
from crosshead.types import Embedder, ReadableStore, SearchRequest, TokenEmbedder, Vectors

LONGEST_QUERY: Final = 2_000
"""Characters of a query that are read; more is hardly a question."""


class PreparedQuery(NamedTuple):
    """A query in the forms in which it is compared."""

    text: str
    readings: tuple[QueryWords, ...]
    """Its words, once for each way in which the languages of the index read them."""
    is_title: TitleMatch
    vector: Vectors | None
    """None if vectors are not compared."""
    token_vectors: Vectors | None = None
    """None if token vectors are not compared."""
    trust: float = 1.0
    """How far vectors and token vectors can be trusted, 0 to 1."""
    conditions: Conditions = Conditions()
    """What every hit must hold."""


def prepare_query(
    request: SearchRequest, store: ReadableStore, embedder: Embedder | None, token_embedder: TokenEmbedder | None
) -> PreparedQuery:
    """Read and embed the query of a request; `token_embedder` is set if token vectors are compared."""
    query = request.query.strip()[:LONGEST_QUERY].encode("utf-8", "replace").decode()
    if not query:
        raise OptionsError("the query is empty: say what to look for")
    if request.mode == "dense" and embedder is None:
        raise OptionsError("this index has no vectors: search with mode='lexical'")
    read = read_query(query, languages_of(store.count_languages(), store.settings["language"]))
    if not read.text:
        raise OptionsError("the query only excludes words: say also what to look for")
    trust = trust_question(embedder, read.text) if request.mode == "hybrid" else 1.0
    vector = token_vectors = None
    if request.mode != "lexical" and trust:
        if token_embedder:
            vector, token_vectors = token_embedder.embed_query_with_tokens(read.text)
        elif embedder:
            vector = embedder.embed_query(read.text)
    title = TitleMatch(read.text, read.readings)
    return PreparedQuery(read.text, read.readings, title, vector, token_vectors, trust, read.conditions)
