"""A vector -> the nearest chunks.

A long chunk has several vectors, each in a separate row; the best one counts.
"""

from __future__ import annotations

from typing import Any, Final

from crosshead.store.lance import rows
from crosshead.store.lance.table_version import TableVersion

VECTORS_PER_CHUNK: Final = 2
"""Vectors to search at first for one chunk: the pieces of a chunk are near each other."""


def find_nearest(version: TableVersion, vector: Any, limit: int, condition: str | None) -> dict[str, float]:
    """Return at least `limit` of the nearest chunks, if there are, with their cosines."""
    count = VECTORS_PER_CHUNK * limit
    while True:
        distances = version.nearest(vector, condition, count)
        best: dict[str, float] = {}
        for key, distance in zip(version.keys_at([*distances]), distances.values(), strict=True):
            chunk_id = rows.chunk_id_of(key)
            best[chunk_id] = max(best.get(chunk_id, -2.0), 1.0 - distance)
        if len(best) >= limit or len(distances) < count:
            return best
        count *= 4  # all vectors were of few chunks
