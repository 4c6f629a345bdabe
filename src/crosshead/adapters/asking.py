"""What the retrievers of all frameworks ask an index, and what they make of its answer."""

from __future__ import annotations

from typing import Any, NamedTuple

from crosshead.adapters.records import describe_hit, describe_passage
from crosshead.index import Index


class RetrievedText(NamedTuple):
    """A text that a framework gives to its user."""

    id: str
    text: str
    score: float
    metadata: dict[str, Any]


def ask(index: Index, query: str, limit: int, budget_tokens: int | None = None, **search: Any) -> list[RetrievedText]:
    """Return hits or, within a budget of tokens, passages."""
    if budget_tokens is None:
        return [
            RetrievedText(hit.chunk.id, hit.content, hit.final_score, describe_hit(hit))
            for hit in index.search(query, limit, **search)
        ]
    return [
        RetrievedText("+".join(each.chunk_ids), each.content, each.score, describe_passage(each))
        for each in index.passages(query, budget_tokens, limit=limit, **search)
    ]
