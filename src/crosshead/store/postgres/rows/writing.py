"""Write documents as rows, in one transaction.

A transaction that changes documents holds their advisory locks until it ends, and takes them in order, so that there is
no deadlock. A migration holds the lock that all writers share.

Of a replaced document only the difference is written. A row whose text is unchanged stays, with only its position
updated, so that its words and vectors are not indexed again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from crosshead.errors import Locked
from crosshead.store.postgres.database.connection import LOCK
from crosshead.store.postgres.database.pool import Connection
from crosshead.store.postgres.database.sequences import sequence_of
from crosshead.store.postgres.rows import conversion as rows
from crosshead.store.tags import tagged_language
from crosshead.types import DocumentRows

_UPSERT_WORK: Final = """
    INSERT INTO works ({columns}) VALUES ({places})
    ON CONFLICT (document_id) DO UPDATE SET {changes} RETURNING id
""".format(
    columns=", ".join(rows.WORK_COLUMNS),
    places=", ".join(["%s"] * len(rows.WORK_COLUMNS)),
    changes=", ".join(f"{name} = EXCLUDED.{name}" for name in rows.WORK_COLUMNS),
)
_STORED_ROWS: Final = "SELECT id, chunk_id, text_hash, vector_status, titles FROM chunks WHERE work_id = ANY (%s)"
_NEW_NUMBERS: Final = f"SELECT nextval({sequence_of('chunks')}) FROM generate_series(1, %s)"
_COPY_ROWS: Final = f"COPY chunks ({', '.join(rows.COLUMNS)}) FROM STDIN (FORMAT binary)"
_COPY_WINDOWS: Final = "COPY windows (chunk, number, embedding) FROM STDIN (FORMAT binary)"
_MOVED: Final = rows.MovableColumns._fields[1:]
_MOVE_ROWS: Final = """
    UPDATE chunks SET {changes} FROM (SELECT * FROM unnest({arrays}) AS row ({fields})) AS new
    WHERE chunks.id = new.id AND ({old}) IS DISTINCT FROM ({new})
""".format(
    changes=", ".join(f"{name} = new.{name}{'::json' if name == 'record' else ''}" for name in _MOVED),
    arrays=", ".join(f"%s::{kind}[]" for kind in rows.MOVABLE_TYPES),
    fields=", ".join(rows.MovableColumns._fields),
    old=", ".join(f"chunks.{name}{'::text' if name == 'record' else ''}" for name in _MOVED),
    new=", ".join(f"new.{name}" for name in _MOVED),
)
# A migrated row may have a parent in another document, and a migrated table a key that does not cascade.
_DELETE_CHUNKS = "DELETE FROM chunks WHERE work_id IN (SELECT id FROM works WHERE document_id = ANY (%s))"
_DETACH_OTHERS: Final = """
    UPDATE chunks SET parent_id = NULL FROM chunks AS parent JOIN works ON works.id = parent.work_id
    WHERE parent.id = chunks.parent_id AND document_id = ANY (%s) AND chunks.work_id IS DISTINCT FROM parent.work_id
"""


def lock_documents(connection: Connection, ids: Collection[str], name: str) -> None:
    """Lock documents until the end of the transaction; raise `Locked` during a migration."""
    join_writers(connection, name)
    keys = sorted({_lock_key(each) for each in ids})
    connection.execute("SELECT pg_advisory_xact_lock(key) FROM unnest(%s::bigint[]) AS keys (key)", [keys])


def join_writers(connection: Connection, name: str) -> None:
    """Keep migrations out until the end of the transaction; raise `Locked` during one."""
    connection.execute("SET LOCAL plan_cache_mode = auto")  # else each check of a foreign key would be planned again
    query = "SELECT pg_try_advisory_xact_lock_shared(%s, current_schema()::regnamespace::oid::int)"
    if connection.execute(query, [LOCK]).fetchone() != (True,):
        raise Locked(f"{name}: the tables are being migrated; try again when that is done")


def replace_documents(
    connection: Connection, documents: Sequence[DocumentRows], language: str, replaced: Sequence[str] = ()
) -> None:
    """Write documents whose locks are held, and remove those with the ids in `replaced`."""
    delete_documents(connection, replaced)
    reworded = _find_reworded(connection, documents)
    work_ids = _write_works(connection, documents)
    stored = {
        chunk_id: (number, rows.Signature(*signature))
        for number, chunk_id, *signature in connection.execute(_STORED_ROWS, [work_ids])
    }
    signatures = {key: signature for document in documents for key, signature in rows.signatures(document).items()}
    unchanged = {key for key, signature in signatures.items() if key in stored and stored[key][1] == signature}
    numbers = _number(connection, signatures, {key: number for key, (number, _) in stored.items()})
    numbered = [
        rows.NumberedRows(document, work_id, numbers, document.document.language or language)
        for document, work_id in zip(documents, work_ids, strict=True)
    ]
    _delete(connection, [number for key, (number, _) in stored.items() if key in signatures and key not in unchanged])
    _insert(connection, numbered, signatures.keys() - unchanged)
    _move(connection, numbered, unchanged)
    _reword(connection, numbered, unchanged & reworded)
    # Only now a section that is gone has no rows below it.
    _delete(connection, [number for key, (number, _) in stored.items() if key not in signatures])


def delete_documents(connection: Connection, ids: Sequence[str]) -> None:
    """Remove documents whose locks are held, with all their rows."""
    if ids:
        connection.execute(_DETACH_OTHERS, [list(ids)])
        connection.execute(_DELETE_CHUNKS, [list(ids)])
        connection.execute("DELETE FROM works WHERE document_id = ANY (%s)", [list(ids)])


def insert_windows(connection: Connection, windows: Sequence[tuple[int, int, Any]]) -> None:
    """Write the further vectors of long chunks."""
    if windows:
        with connection.cursor() as cursor, cursor.copy(_COPY_WINDOWS) as copy:
            copy.set_types(("int4", "int4", "vector"))
            for row in windows:
                copy.write_row(row)


def _lock_key(document_id: str) -> int:
    """Return the key of a document's lock: its id as a signed 64-bit integer."""
    return int.from_bytes(bytes.fromhex(document_id), signed=True)


def _write_works(connection: Connection, documents: Sequence[DocumentRows]) -> list[int]:
    with connection.cursor() as cursor:
        cursor.executemany(_UPSERT_WORK, [rows.work_row(document) for document in documents], returning=True)
        return [id for result in cursor.results() for (id,) in result]


def _find_reworded(connection: Connection, documents: Sequence[DocumentRows]) -> set[str]:
    """Return the chunks of documents whose language has changed, which have other words now."""
    query = "SELECT document_id, tags FROM works WHERE document_id = ANY (%s)"
    known = dict(connection.execute(query, [[each.document.id for each in documents]]).fetchall())
    return {
        stored.chunk.id
        for each in documents
        if each.document.id in known and tagged_language(known[each.document.id]) != each.document.language
        for stored in each.chunks
    }


def _number(connection: Connection, keys: Collection[str], known: Mapping[str, int]) -> dict[str, int]:
    """Return the integer id of every row; known rows keep theirs."""
    unknown = [key for key in keys if key not in known]
    new = [number for (number,) in connection.execute(_NEW_NUMBERS, [len(unknown)])] if unknown else []
    return {**known, **dict(zip(unknown, new, strict=True))}


def _insert(connection: Connection, numbered: Sequence[rows.NumberedRows], keys: Collection[str]) -> None:
    if not keys:
        return
    with connection.cursor() as cursor, cursor.copy(_COPY_ROWS) as copy:
        copy.set_types(rows.TYPES)
        for document in numbered:
            for row in document.new_rows(keys):
                copy.write_row(row)
    insert_windows(connection, [row for document in numbered for row in document.windows(keys)])


def _move(connection: Connection, numbered: Sequence[rows.NumberedRows], keys: Collection[str]) -> None:
    if keys:
        columns = [each for document in numbered for each in document.movable_columns(keys)]
        connection.execute(_MOVE_ROWS, [list(column) for column in zip(*columns, strict=True)])


def _reword(connection: Connection, numbered: Sequence[rows.NumberedRows], keys: Collection[str]) -> None:
    if keys:
        changes = [each for document in numbered for each in document.terms(keys)]
        connection.cursor().executemany("UPDATE chunks SET terms = %s WHERE id = %s", changes)


def _delete(connection: Connection, numbers: list[int]) -> None:
    """Delete rows; a migrated row may be the child of any row, and is detached first."""
    if numbers:
        detach = "UPDATE chunks SET parent_id = NULL WHERE parent_id = ANY (%s) AND id <> ALL (%s)"
        connection.execute(detach, [numbers, numbers])
        connection.execute("DELETE FROM chunks WHERE id = ANY (%s)", [numbers])
