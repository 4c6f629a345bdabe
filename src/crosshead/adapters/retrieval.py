"""A query -> texts with metadata, for the retrievers of all frameworks."""

from __future__ import annotations

from typing import Any, NamedTuple

from crosshead.adapters.metadata import describe_hit, describe_passage
from crosshead.index import Index, JoinedIndex


class RetrievedText(NamedTuple):
    """A hit or passage as frameworks need it."""

    id: str
    text: str
    score: float
    metadata: dict[str, Any]


def retrieve(
    index: Index | JoinedIndex, query: str, limit: int, budget_tokens: int | None = None, **search: Any
) -> list[RetrievedText]:
    """Return hits or, with a token budget, passages."""
    if budget_tokens is None:
        return [
            RetrievedText(hit.chunk.id, hit.content, hit.final_score, describe_hit(hit))
            for hit in index.search(query, limit, **search)
        ]
    return [
        RetrievedText("+".join(each.chunk_ids), each.content, each.score, describe_passage(each))
        for each in index.passages(query, budget_tokens, limit=limit, **search)
    ]
