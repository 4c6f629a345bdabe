"""Embed pending chunks.

Several processes can do this at once. Each locks the rows that it takes until their vectors are committed, and the
others skip them (`SKIP LOCKED`); if a process dies, its rows are free again at once. A process that replaces the
document of a locked row has to wait, so only a few rows are taken at a time.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from crosshead.store.postgres import legacy
from crosshead.store.postgres.database.pool import Connection
from crosshead.store.postgres.rows import conversion as rows
from crosshead.store.postgres.rows import writing as write
from crosshead.store.postgres.rows.texts import storable
from crosshead.store.records import from_record
from crosshead.types import EmbedChunks, EmbeddingResult

TAKEN_AT_ONCE: Final = 64

_IS_PENDING: Final = "vector_status = 'to_vec' AND terms IS NOT NULL"
_TAKE: Final = f"""
    SELECT id, chunk_id, record, content FROM chunks WHERE {_IS_PENDING} AND chunk_id <> ALL (%s)
    ORDER BY id LIMIT %s FOR UPDATE SKIP LOCKED
"""
_SET: Final = """
    UPDATE chunks SET text_hash = %s, embedding = %s, tokens = %s, vector_status = %s, vector_error = %s WHERE id = %s
"""
_RESET_FAILED: Final = """
    UPDATE chunks SET vector_status = 'to_vec', vector_error = NULL WHERE id IN (
        SELECT id FROM chunks WHERE vector_status = 'vec_err' FOR UPDATE SKIP LOCKED
    )
"""


def embed_some(connection: Connection, limit: int, embed: EmbedChunks, skip: Collection[str]) -> int:
    """Embed up to `limit` pending chunks and write the results; return how many were tried."""
    # A model may take longer than the server lets a transaction idle; then the same rows would be taken for ever.
    connection.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
    taken = connection.execute(_TAKE, [list(skip), min(limit, TAKEN_AT_ONCE)]).fetchall()
    if not taken:
        legacy.skip_headings(connection)
        return 0
    results = embed([from_record(record, content) for _, _, record, content in taken])
    by_row = {number: results[chunk_id] for number, chunk_id, *_ in taken}
    connection.cursor().executemany(_SET, [(*_values(each), number) for number, each in by_row.items()])
    vectors = [(number, each.vectors) for number, each in by_row.items() if each.vectors is not None]
    write.insert_windows(connection, [row for each in vectors for row in rows.window_rows(*each)])
    return len(taken)


def _values(embedded: EmbeddingResult) -> tuple[Any, ...]:
    """Return hash, first vector, token vectors, status and error in the order of `_SET`."""
    if embedded.vectors is None:
        return embedded.text_hash, None, None, rows.FAILED, storable(embedded.error)
    return embedded.text_hash, embedded.vectors[0], list(embedded.token_vectors) or None, rows.EMBEDDED, None


def count(connection: Connection) -> int:
    """Return the number of pending chunks."""
    (found,) = connection.execute(f"SELECT count(*) FROM chunks WHERE {_IS_PENDING}").fetchone() or (0,)
    return int(found)


def reset_failed(connection: Connection) -> None:
    """Make failed chunks pending again."""
    connection.execute(_RESET_FAILED)
