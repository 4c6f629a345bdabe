"""What an index was made with, as the database keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from crosshead.errors import CorruptIndex, IndexNotFound, ModelNotChosen, OptionsMismatch
from crosshead.ids import canonical_json
from crosshead.store.postgres.connection import LOCK, connect, mapped, place
from crosshead.store.postgres.database import Connection
from crosshead.store.postgres.indexes import VECTOR_TABLES
from crosshead.store.postgres.legacy.migrated import reword_all
from crosshead.store.postgres.migrate import check_revision, current_revision, upgrade

_NEEDED: Final[Mapping[str, type]] = {"language": str, "dimension": int, "embedder": str}
"""Settings without which an index cannot be used."""
MOST_STORED_NUMBERS: Final = 16_000
"""Of a vector; the extension allows no more."""
EMBED_AGAIN: Final = "UPDATE chunks SET vector_status = 'to_vec' WHERE vector_status = 'vec'"
"""What to run where the model of the vectors is not at hand: the rows wait, and their vectors are dropped."""
_OTHER_DIMENSION: Final = "SELECT vector_dims(embedding) FROM chunks WHERE vector_dims(embedding) <> %s LIMIT 1"
_CREATING: Final = LOCK + 2
# Who creates waits for a migration and for others who create, but is in the way of no writer.
_TAKE_LOCKS: Final = """
    SELECT pg_advisory_xact_lock_shared(%s, space), pg_advisory_xact_lock(%s, space)
    FROM (SELECT current_schema()::regnamespace::oid::int AS space) AS own
"""


def read_settings(url: str) -> dict[str, Any]:
    """Return what an index was made with; the server and the tables are checked."""
    with connect(url) as connection, mapped(url):
        check_revision(connection, url)
        settings = _read(connection)
        if not settings:
            raise _not_chosen(connection, place(url))
    if not all(type(settings.get(name)) is kind for name, kind in _NEEDED.items()):
        raise CorruptIndex("the table index_settings is damaged; empty it and index again", place(url))
    return settings


def create(url: str, settings: Mapping[str, Any]) -> None:
    """Make an empty index, unless another process was faster."""
    with connect(url) as connection, mapped(url):
        if current_revision(connection, url) is None:
            upgrade(url)
        check_revision(connection, url)
        with connection.transaction():
            connection.execute(_TAKE_LOCKS, [LOCK, _CREATING])
            if not _read(connection):
                _set_dimension(connection, settings["dimension"], place(url))
                reword_all(connection, settings["language"])
                rows = [(name, canonical_json(value)) for name, value in settings.items()]
                connection.cursor().executemany("INSERT INTO index_settings VALUES (%s, %s)", rows)


def change(connection: Connection, name: str, value: Any) -> None:
    """Store another value of a setting; None removes it."""
    if value is None:
        connection.execute("DELETE FROM index_settings WHERE name = %s", [name])
        return
    query = "INSERT INTO index_settings VALUES (%s, %s) ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value"
    connection.execute(query, [name, canonical_json(value)])


def _read(connection: Connection) -> dict[str, Any]:
    return dict(connection.execute("SELECT name, value FROM index_settings").fetchall())


def _not_chosen(connection: Connection, name: str) -> IndexNotFound:
    query = "SELECT EXISTS (SELECT FROM works WHERE document_id IS NOT NULL)"
    if connection.execute(query).fetchone() == (True,):
        return ModelNotChosen(
            f"{name}: the documents here were migrated and have no model yet: choose one with: "
            "crosshead embed --pending --embedder NAME --index URL"
        )
    return IndexNotFound(f"{name}: there is no index here; make one with: crosshead index PATH --index URL")


def _set_dimension(connection: Connection, dimension: int, name: str) -> None:
    """Vectors of another model cannot stay beside those of this one; nobody knows of which one are those that the older
    layout does not count as made."""
    if dimension > MOST_STORED_NUMBERS:
        raise OptionsMismatch(
            f"{name}: PostgreSQL holds vectors of up to {MOST_STORED_NUMBERS:,} numbers, not {dimension:,}: choose "
            "another embedder"
        )
    connection.execute(
        "UPDATE chunks SET embedding = NULL WHERE embedding IS NOT NULL AND vector_status IS DISTINCT FROM 'vec'"
    )
    query = "SELECT atttypmod FROM pg_attribute WHERE attrelid = 'chunks'::regclass AND attname = 'embedding'"
    if connection.execute(query).fetchone() == (dimension,):
        return
    if found := connection.execute(_OTHER_DIMENSION, [dimension]).fetchone():
        raise OptionsMismatch(
            f"{name}: the vectors here have {found[0]} numbers, not {dimension}: choose the embedder that made "
            f"them, or let all texts be embedded again: {EMBED_AGAIN}"
        )
    for table in VECTOR_TABLES:
        connection.execute(f"ALTER TABLE {table} ALTER embedding TYPE vector({dimension:d})")
