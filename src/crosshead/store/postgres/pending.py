"""Chunks that wait to be embedded.

Several processes may be at it. Each locks the rows that it takes until their vectors are committed, and the others pass
over them (`SKIP LOCKED`); of a process that dies, the rows are free again at once. Who replaces a document meanwhile
waits for these rows, so few are taken at a time.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from crosshead.store.postgres import rows, write
from crosshead.store.postgres.database import Connection
from crosshead.store.postgres.texts import storable
from crosshead.store.records import from_record
from crosshead.types import EmbedChunks, EmbeddingResult

TAKEN_AT_ONCE: Final = 64

_WAITS: Final = "vector_status = 'to_vec' AND terms IS NOT NULL"
_TAKE: Final = f"""
    SELECT id, chunk_id, record, content FROM chunks WHERE {_WAITS} AND chunk_id <> ALL (%s)
    ORDER BY id LIMIT %s FOR UPDATE SKIP LOCKED
"""
_SET: Final = """
    UPDATE chunks SET text_hash = %s, embedding = %s, tokens = %s, vector_status = %s, vector_error = %s WHERE id = %s
"""
# Of the older layout: headings, which are found with their text.
_NOTHING_TO_EMBED: Final = """
    UPDATE chunks SET vector_status = 'no_vec' WHERE id IN (
        SELECT id FROM chunks WHERE vector_status = 'to_vec' AND terms IS NULL FOR UPDATE SKIP LOCKED
    )
"""
_RETRY: Final = """
    UPDATE chunks SET vector_status = 'to_vec', vector_error = NULL WHERE id IN (
        SELECT id FROM chunks WHERE vector_status = 'vec_err' FOR UPDATE SKIP LOCKED
    )
"""


def embed_some(connection: Connection, limit: int, embed: EmbedChunks, skip: Collection[str]) -> int:
    """Take chunks, have them embedded and write what came of it; return how many there were."""
    # A model may think for longer than a server lets others wait; the rows would be taken and embedded over and over.
    connection.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
    taken = connection.execute(_TAKE, [list(skip), min(limit, TAKEN_AT_ONCE)]).fetchall()
    if not taken:
        connection.execute(_NOTHING_TO_EMBED)
        return 0
    given = embed([from_record(record, content) for _, _, record, content in taken])
    by_row = {number: given[chunk_id] for number, chunk_id, *_ in taken}
    connection.cursor().executemany(_SET, [(*_values(each), number) for number, each in by_row.items()])
    vectors = [(number, each.vectors) for number, each in by_row.items() if each.vectors is not None]
    write.insert_windows(connection, [row for each in vectors for row in rows.window_rows(*each)])
    return len(taken)


def _values(embedded: EmbeddingResult) -> tuple[Any, ...]:
    """Return hash, first vector, tokens, status and error as `_SET` takes them."""
    if embedded.vectors is None:
        return embedded.text_hash, None, None, rows.FAILED, storable(embedded.error)
    return embedded.text_hash, embedded.vectors[0], list(embedded.tokens) or None, rows.EMBEDDED, None


def count(connection: Connection) -> int:
    """Return how many chunks wait."""
    (found,) = connection.execute(f"SELECT count(*) FROM chunks WHERE {_WAITS}").fetchone() or (0,)
    return int(found)


def retry_failed(connection: Connection) -> None:
    """Let chunks wait again that could not be embedded."""
    connection.execute(_RETRY)
