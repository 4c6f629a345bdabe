"""A vector -> the nearest chunks.

Long chunks have several vectors, the first in `chunks`, the others in `windows`; the best one counts. Where a graph
leads to the nearest vectors and a filter leaves fewer than asked for, all that the filter allows are compared.
"""

from __future__ import annotations

from typing import Any, Final

from crosshead.store.postgres.database import Connection
from crosshead.store.postgres.filters import Condition
from crosshead.store.postgres.indexes import compared

_FIRST: Final = """
    SELECT chunk_id, -(embedding <#> %s) FROM chunks
    WHERE embedding IS NOT NULL{condition} ORDER BY {stored} <#> {asked} LIMIT %s
"""
_FURTHER: Final = """
    SELECT chunk_id, -(windows.embedding <#> %s) FROM windows JOIN chunks ON chunks.id = chunk
    WHERE true{condition} ORDER BY {stored} <#> {asked} LIMIT %s
"""


def find_nearest(connection: Connection, vector: Any, limit: int, condition: Condition) -> dict[str, float]:
    """Return at least as many of the nearest chunks as asked for, if there are, with their scores."""
    best = dict(_ask(connection, _FIRST, "embedding", vector, limit, condition))
    count = limit
    while True:
        further = _ask(connection, _FURTHER, "windows.embedding", vector, count, condition)
        for chunk_id, score in further:
            best[chunk_id] = max(best.get(chunk_id, score), score)
        if len(further) < count or sum(score >= further[-1][1] for score in best.values()) >= limit:
            return best
        count *= 4  # the windows of few chunks took all places


def find_nearest_exactly(connection: Connection, vector: Any, limit: int, condition: Condition) -> dict[str, float]:
    """Return the same without the help of a graph."""
    with connection.transaction():
        connection.execute("SET LOCAL enable_indexscan = off")  # what a filter needs is found by bitmaps
        return find_nearest(connection, vector, limit, condition)


def _ask(
    connection: Connection, query: str, column: str, vector: Any, count: int, condition: Condition
) -> list[tuple[str, float]]:
    stored, asked = compared(column, len(vector)), compared("%s", len(vector))
    values = [vector, *condition.values, vector, count]
    query = query.format(condition=condition.sql, stored=stored, asked=asked)
    return connection.execute(query, values, binary=True).fetchall()
