"""Query -> candidates: the chunks that words, vectors and titles propose, all limited by one filter."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import Final

from crosshead.search.query.prepare import PreparedQuery
from crosshead.search.query.titles import TitleMatch
from crosshead.types import Candidate, Chunk, Filter, ReadableStore, SearchRequest, relative

TITLE_WEIGHT: Final = 100.0
"""Weight of a word in headings if the query may be a section title: words in the text hardly count."""


def find_lexical(
    store: ReadableStore, query: PreparedQuery, limit: int, filter: Filter, heading_weight: float
) -> list[Candidate]:
    """Return the best chunks by words; a chunk has the score of the reading of the query that fits it best."""
    by_reading = (
        store.search_lexical(reading.wanted, limit, filter, heading_weight=heading_weight) for reading in query.readings
    )
    if len(query.readings) == 1:
        return next(by_reading)
    best: dict[str, float] = {}
    for chunk_id, score in chain.from_iterable(by_reading):
        best[chunk_id] = max(score, best.get(chunk_id, 0.0))
    ranked = sorted(best.items(), key=lambda pair: (-pair[1], pair[0]))
    return [Candidate(chunk_id, score) for chunk_id, score in ranked[:limit]]


def find_dense(store: ReadableStore, query: PreparedQuery, limit: int, request: SearchRequest) -> list[Candidate]:
    """Return the chunks with the nearest vectors."""
    if query.vector is None:
        return []
    nearest = store.search_dense(query.vector, limit, request)
    return relative(nearest) if request.relative_cosines else nearest


def find_titled(store: ReadableStore, query: PreparedQuery, request: SearchRequest) -> list[Candidate]:
    """Return the chunks that hold a section whose title is the query, not those that are only below one.

    Only headings are compared, so a title is found however frequent its words are.
    """
    title = query.is_title
    named = replace(request, titles=title.spellings)
    if not title.spellings or not store.matches_any(named):
        return []  # most queries are not a title, and should not pay for a search
    candidates = find_lexical(store, query, request.candidates, named, TITLE_WEIGHT)
    chunks = {chunk.id: chunk for chunk in store.chunks([each.chunk_id for each in candidates])}
    return [each for each in candidates if each.chunk_id in chunks and _has_title(chunks[each.chunk_id], title)]


def with_titled(lexical: list[Candidate], titled: list[Candidate]) -> list[Candidate]:
    """Return lexical candidates with those that were found by title; new ones get the lowest score."""
    known = {each.chunk_id for each in lexical}
    lowest = lexical[-1].score if lexical else 0.0
    return [*lexical, *(Candidate(each.chunk_id, lowest) for each in titled if each.chunk_id not in known)]


def _has_title(chunk: Chunk, title: TitleMatch) -> bool:
    return title.is_among((*chunk.section_path[-1:], *chunk.inner_headings))
