"""A vector -> the nearest chunks.

A long chunk has several vectors, the first in `chunks`, the others in `windows`; the best one counts. If a search by
graph finds fewer chunks than the limit because of a filter, all chunks that match the filter are compared.
"""

from __future__ import annotations

from typing import Any, Final

from crosshead.store.postgres.candidates.filters import Condition
from crosshead.store.postgres.database.pool import Connection
from crosshead.store.postgres.indexes import compared

_FIRST: Final = """
    SELECT chunk_id, -(embedding <#> %s) FROM chunks
    WHERE embedding IS NOT NULL{condition} ORDER BY {stored} <#> {query} LIMIT %s
"""
_FURTHER: Final = """
    SELECT chunk_id, -(windows.embedding <#> %s) FROM windows JOIN chunks ON chunks.id = chunk
    WHERE true{condition} ORDER BY {stored} <#> {query} LIMIT %s
"""


def find_nearest(connection: Connection, vector: Any, limit: int, condition: Condition) -> dict[str, float]:
    """Return at least `limit` of the nearest chunks, if there are, with their cosines."""
    best = dict(_fetch(connection, _FIRST, "embedding", vector, limit, condition))
    count = limit
    while True:
        further = _fetch(connection, _FURTHER, "windows.embedding", vector, count, condition)
        for chunk_id, score in further:
            best[chunk_id] = max(best.get(chunk_id, score), score)
        if len(further) < count or sum(score >= further[-1][1] for score in best.values()) >= limit:
            return best
        count *= 4  # all windows were of few chunks


def find_nearest_exactly(connection: Connection, vector: Any, limit: int, condition: Condition) -> dict[str, float]:
    """Return the same, by comparing all vectors instead of using a graph."""
    with connection.transaction():
        connection.execute("SET LOCAL enable_indexscan = off")  # filters use bitmaps instead
        return find_nearest(connection, vector, limit, condition)


def _fetch(
    connection: Connection, query: str, column: str, vector: Any, count: int, condition: Condition
) -> list[tuple[str, float]]:
    stored, query_vector = compared(column, len(vector)), compared("%s", len(vector))
    values = [vector, *condition.values, vector, count]
    query = query.format(condition=condition.sql, stored=stored, query=query_vector)
    return connection.execute(query, values, binary=True).fetchall()
