"""Passages -> further ones, of the chunks around hits or those that they link to, within the budget."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from crosshead.search.expand import chunks_around, expand
from crosshead.search.passages.lookup import with_enclosing
from crosshead.search.passages.passage import make_passage
from crosshead.tokens import Count
from crosshead.types import Hit, Passage, PassageRequest, ReadableStore

SHARE: Final = 0.25
"""Of the budget, for what a request adds to hits."""


def add_further(
    store: ReadableStore,
    hits: Sequence[Hit],
    compose: Callable[[int], list[Passage]],
    request: PassageRequest,
    count: Count,
) -> list[Passage]:
    """Return the passages that `compose` makes within a budget, and those that the request adds to them."""
    if request.expand_context:
        passages = compose(int(request.budget_tokens * (1 - SHARE)))
        if further := [*_quote_further(store, hits, passages, request, count)]:
            return [*passages, *further]
    return compose(request.budget_tokens)


def _quote_further(
    store: ReadableStore, hits: Sequence[Hit], passages: Sequence[Passage], request: PassageRequest, count: Count
) -> Iterator[Passage]:
    """Yield what the request adds to the hits that passages quote, in their order, as long as it fits."""
    quoted = {id for each in passages for id in each.chunk_ids}
    expanded = expand(store, [hit for hit in hits if hit.chunk.id in quoted], request.expand_context)
    chunks = {chunk.id: chunk for hit in expanded for _, chunk in chunks_around(hit) if chunk.id not in quoted}
    documents = {each.id: each for each in store.documents([*{each.document_id: None for each in chunks.values()}])}
    sections = with_enclosing(store, (each.section_id for each in chunks.values()))
    left = request.budget_tokens - sum(each.token_count for each in passages)
    for chunk in chunks.values():
        document = documents.get(chunk.document_id)
        if document is None or document.text[chunk.start : chunk.end] != chunk.content:  # changed since the search
            continue
        passage = make_passage(
            document,
            sections,
            chunk.section_id,
            chunk.start,
            chunk.end,
            chunk_ids=[chunk.id],
            count=count,
            prefix=chunk.prefix,
            suffix=chunk.suffix,
        )
        if passage.token_count <= left:
            left -= passage.token_count
            yield passage
