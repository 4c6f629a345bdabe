"""The settings of an index, a row per setting; and the first step of a new index."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from crosshead.errors import CorruptIndex, OptionsMismatch
from crosshead.ids import canonical_json
from crosshead.store.postgres import legacy
from crosshead.store.postgres.database.connection import LOCK, connect, public_url, translate_errors
from crosshead.store.postgres.database.pool import Connection
from crosshead.store.postgres.database.revisions import check_revision, create_tables, current_revision, not_found
from crosshead.store.postgres.indexes import VECTOR_TABLES

_NEEDED: Final[Mapping[str, type]] = {"language": str, "dimension": int, "embedder": str}
"""Settings without which an index cannot be used."""
CHANGE_ID: Final = "change"
"""The row that tells which change of the settings was the last one; it is not itself a setting."""
MOST_STORED_NUMBERS: Final = 16_000
"""Largest dimension of a vector that pgvector stores."""
EMBED_AGAIN: Final = "UPDATE chunks SET vector_status = 'to_vec' WHERE vector_status = 'vec'"
"""SQL for a user who does not have the model of the stored vectors: all chunks are embedded again."""
_OTHER_DIMENSION: Final = """
    SELECT vector_dims(embedding) FROM chunks WHERE vector_dims(embedding) <> %s AND vector_status = 'vec' LIMIT 1
"""
_CREATING: Final = LOCK + 2
# Creating an index waits for a migration and for others that create it, but does not block writers.
_TAKE_LOCKS: Final = """
    SELECT pg_advisory_xact_lock_shared(%s, space), pg_advisory_xact_lock(%s, space)
    FROM (SELECT current_schema()::regnamespace::oid::int AS space) AS own
"""


def read_settings(url: str) -> dict[str, Any]:
    """Return the settings of an index, after checking the server and the tables."""
    with connect(url) as connection, translate_errors(url):
        check_revision(connection, url)
        settings = _read(connection)
        if not settings:
            legacy.check_model(connection, public_url(url))
            raise not_found(url)
    if not all(type(settings.get(name)) is kind for name, kind in _NEEDED.items()):
        raise CorruptIndex("the table index_settings is damaged; empty it and index again", public_url(url))
    return settings


def create(url: str, settings: Mapping[str, Any]) -> None:
    """Create an empty index, unless another process was faster."""
    with connect(url) as connection, translate_errors(url):
        if current_revision(connection, url) is None:
            create_tables(url)
        check_revision(connection, url)
        with connection.transaction():
            connection.execute(_TAKE_LOCKS, [LOCK, _CREATING])
            if not _read(connection):
                check_dimension(settings["dimension"], public_url(url))
                _check_vectors(connection, settings["dimension"], public_url(url))
                legacy.adopt_documents(connection, settings["language"])
                _set_dimension(connection, settings["dimension"])
                rows = [(name, canonical_json(value)) for name, value in settings.items()]
                connection.cursor().executemany("INSERT INTO index_settings VALUES (%s, %s)", rows)


def change_id(connection: Connection) -> str | None:
    """Return the last change of the settings; None if there was none."""
    found = connection.execute("SELECT value FROM index_settings WHERE name = %s", [CHANGE_ID]).fetchone()
    return str(found[0]) if found else None


def change(connection: Connection, name: str, value: Any) -> None:
    """Store a setting; None removes it."""
    if value is None:
        connection.execute("DELETE FROM index_settings WHERE name = %s", [name])
        return
    query = "INSERT INTO index_settings VALUES (%s, %s) ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value"
    connection.execute(query, [name, canonical_json(value)])


def _read(connection: Connection) -> dict[str, Any]:
    return dict(connection.execute("SELECT name, value FROM index_settings").fetchall())


def check_dimension(dimension: int, name: str) -> None:
    """Raise an error if vectors of this dimension cannot be stored."""
    if dimension > MOST_STORED_NUMBERS:
        raise OptionsMismatch(
            f"{name}: PostgreSQL holds vectors of up to {MOST_STORED_NUMBERS:,} numbers, not {dimension:,}: choose "
            "another embedder"
        )


def _check_vectors(connection: Connection, dimension: int, name: str) -> None:
    """Raise an error if vectors of another dimension are stored."""
    if found := connection.execute(_OTHER_DIMENSION, [dimension]).fetchone():
        raise OptionsMismatch(
            f"{name}: the vectors here have {found[0]} numbers, not {dimension}: choose the embedder that made "
            f"them, or let all texts be embedded again: {EMBED_AGAIN}"
        )


def _set_dimension(connection: Connection, dimension: int) -> None:
    query = "SELECT atttypmod FROM pg_attribute WHERE attrelid = 'chunks'::regclass AND attname = 'embedding'"
    if connection.execute(query).fetchone() != (dimension,):
        for table in VECTOR_TABLES:
            connection.execute(f"ALTER TABLE {table} ALTER embedding TYPE vector({dimension:d})")
