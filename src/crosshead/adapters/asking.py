"""What the retrievers of all frameworks ask an index, and what they make of its answer."""

from __future__ import annotations

from typing import Any, NamedTuple

from crosshead.adapters.records import describe_hit, describe_passage
from crosshead.index import Index


class Answer(NamedTuple):
    """A text that a framework gives to its user."""

    id: str
    text: str
    score: float
    metadata: dict[str, Any]


def ask(index: Index, query: str, limit: int, budget_tokens: int | None = None, **search: Any) -> list[Answer]:
    """Return hits with their headings or, within a budget of tokens, passages."""
    if budget_tokens is None:
        return [
            Answer(hit.chunk.id, hit.chunk.render(), hit.final_score, describe_hit(hit))
            for hit in index.search(query, limit, **search)
        ]
    return [
        Answer("+".join(each.chunk_ids), each.content, each.score, describe_passage(each))
        for each in index.passages(query, budget_tokens, limit=limit, **search)
    ]
