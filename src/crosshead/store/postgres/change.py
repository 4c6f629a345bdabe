"""A second set of tables, for the rows that a change of the settings makes, and the moment when they take over.

1. a schema of its own gets tables like those of the index, with the same indexes; all of it in one transaction, so that
   a killed process leaves a complete set or none
2. the caller fills them through a store whose search path begins with that schema
3. one transaction locks out writers, drops the old tables and moves the new ones to their schema; readers wait for
   milliseconds

A session lock, which ends with its process, lets one process change an index. What belongs to another program (a view,
a foreign key, a row, a column with values) would be lost, so it is an error before anything is made.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, Final
from urllib.parse import quote

from crosshead.errors import Locked, StoreError
from crosshead.ids import canonical_json
from crosshead.store.postgres.database.connection import LOCK, connect, public_url, translate_errors
from crosshead.store.postgres.database.pool import Connection
from crosshead.store.postgres.database.revisions import VERSION_TABLE
from crosshead.store.postgres.indexes import GRAPHS, VECTOR_TABLES
from crosshead.store.postgres.rows import conversion
from crosshead.store.postgres.settings import CHANGE_ID, check_dimension

TABLES: Final = ("works", "chunks", "windows")
COPIED: Final = ("index_settings", VERSION_TABLE)
"""Tables that only the store of the new rows reads."""
LOCK_SECONDS: Final = 60.0
"""How long to wait for writers, each of which needs a moment for its documents."""

_CHANGING: Final = LOCK + 3
_KNOWN_COLUMNS: Final = {
    "works": {"id", *conversion.WORK_COLUMNS},
    "chunks": {*conversion.COLUMNS, "content_tsvector", "vector_error"},
    "windows": {"chunk", "number", "embedding"},
}
_FOREIGN_ROWS: Final = """
    SELECT EXISTS (SELECT FROM works WHERE document_id IS NULL)
        OR EXISTS (SELECT FROM chunks WHERE chunk_id IS NULL OR work_id IS NULL)
"""
_COLUMNS: Final = "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped"
_CONSTRAINTS: Final = """
    SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
    WHERE conrelid = %s::regclass AND contype IN ('p', 'u', 'f') ORDER BY contype = 'f', conname
"""
_INDEXES: Final = """
    SELECT pg_get_indexdef(indexrelid) FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE indrelid = %s::regclass AND relname <> ALL (%s)
        AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid) ORDER BY relname
"""
_STATISTICS: Final = """
    SELECT attname, attstattarget FROM pg_attribute
    WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped AND attstattarget >= 0
"""
_SEQUENCE: Final = "SELECT pg_get_serial_sequence(%s, 'id')"
_GRANTS: Final = """
    SELECT format('%%s ON %%s TO %%s%%s', privilege_type, %s::text,
        CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END,
        CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
    FROM pg_class, aclexplode(relacl) WHERE oid = %s::regclass
"""
_OWNER: Final = "SELECT relowner::regrole::text FROM pg_class WHERE oid = %s::regclass"
_DIFFER: Final = """
    SELECT EXISTS (SELECT source, revision FROM {old} EXCEPT SELECT source, revision FROM {new})
        OR EXISTS (SELECT source, revision FROM {new} EXCEPT SELECT source, revision FROM {old})
"""


class Schemas:
    """The schema of an index and that of the rows which a change makes, quoted."""

    def __init__(self, connection: Connection) -> None:
        query = """
            SELECT quote_ident(current_schema()), quote_ident(left('crosshead_next_' || current_schema(), 63)),
                current_setting('search_path')
        """
        old, new, path = connection.execute(query).fetchone() or ("", "", "")
        self.old: str = old
        self.new: str = new
        self.path = f"{self.new},{path.replace(', ', ',')}"
        """The search path on which the new tables come first."""


@contextmanager
def changing(url: str) -> Iterator[Connection]:
    """Yield a connection that holds the lock for changing an index; raise `Locked` if another process has it."""
    import psycopg

    with connect(url) as connection, translate_errors(url):
        key = "(%s, current_schema()::regnamespace::oid::int)"
        if connection.execute(f"SELECT pg_try_advisory_lock{key}", [_CHANGING]).fetchone() != (True,):
            raise Locked(f"{public_url(url)}: another process is changing this index; try again when it is done")
        try:
            yield connection
        finally:
            with suppress(psycopg.Error):  # at once: the server may notice only later that a connection was closed
                connection.execute(f"SELECT pg_advisory_unlock{key}", [_CHANGING])


def unfinished_settings(connection: Connection) -> dict[str, Any] | None:
    """Return the settings that an unfinished change would give the index, or None."""
    table = f"{Schemas(connection).new}.index_settings"
    if connection.execute("SELECT to_regclass(%s)", [table]).fetchone() == (None,):
        return None
    return dict(connection.execute(f"SELECT name, value FROM {table}").fetchall())


def discard(connection: Connection) -> None:
    """Drop the tables of an unfinished change."""
    connection.execute(f"DROP SCHEMA IF EXISTS {Schemas(connection).new} CASCADE")


def make_tables(connection: Connection, url: str, settings: Mapping[str, Any]) -> str:
    """Make the tables for new rows, unless they exist; return the URL of a store of them."""
    schemas = Schemas(connection)
    if unfinished_settings(connection) is None:
        check_dimension(settings["dimension"], public_url(url))
        _check_own(connection, public_url(url))
        with connection.transaction():
            connection.execute(f"CREATE SCHEMA {schemas.new}")
            for table in (*TABLES, *COPIED):
                _copy_columns(connection, schemas, table)
            connection.execute("SET LOCAL search_path = pg_catalog")  # so that definitions name every schema
            for table in (*TABLES, *COPIED):
                _copy_keys(connection, schemas, table)
            for table in VECTOR_TABLES:
                kind = _vector_type(connection, schemas, table).replace("vector", f"vector({settings['dimension']:d})")
                connection.execute(f"ALTER TABLE {schemas.new}.{table} ALTER embedding TYPE {kind}")
            version = f"SELECT * FROM {schemas.old}.{VERSION_TABLE}"
            connection.execute(f"INSERT INTO {schemas.new}.{VERSION_TABLE} {version}")
            _write_settings(connection, schemas.new, settings)
    separator = "&" if "?" in url else "?"
    return f"{url}{separator}options={quote(_options(connection, schemas.path), safe='')}"


def take_over(connection: Connection, url: str, settings: Mapping[str, Any]) -> bool:
    """Put the new tables in the place of the old ones; return False if they lack documents that others wrote."""
    schemas = Schemas(connection)
    with connection.transaction():
        _lock_out_writers(connection, public_url(url))
        differ = _DIFFER.format(old=f"{schemas.old}.works", new=f"{schemas.new}.works")
        if connection.execute(differ).fetchone() == (True,):
            return False
        named = [f"{schemas.old}.{table}" for table in TABLES]
        connection.execute(f"SET LOCAL lock_timeout = '{LOCK_SECONDS:.0f}s'")
        connection.execute(f"LOCK TABLE {', '.join(named)} IN ACCESS EXCLUSIVE MODE")
        repeated = [each for table in TABLES for each in _rights(connection, schemas, table)]
        connection.execute(f"DROP TABLE {', '.join(reversed(named))}")
        for table in TABLES:
            connection.execute(f"ALTER TABLE {schemas.new}.{table} SET SCHEMA {schemas.old}")
        for statement in repeated:
            connection.execute(statement)
        connection.execute(f"DELETE FROM {schemas.old}.index_settings")
        _write_settings(connection, schemas.old, {**settings, CHANGE_ID: uuid.uuid4().hex})
        connection.execute(f"DROP SCHEMA {schemas.new} CASCADE")
    return True


def _check_own(connection: Connection, name: str) -> None:
    """Raise an error if the tables hold or serve anything of another program, which a change would lose."""
    foreign = "rows" if connection.execute(_FOREIGN_ROWS).fetchone() == (True,) else ""
    for table, known in _KNOWN_COLUMNS.items():
        for (column,) in connection.execute(_COLUMNS, [table]).fetchall():
            query = f"SELECT EXISTS (SELECT FROM {table} WHERE {_quoted(column)} IS NOT NULL)"
            if column not in known and connection.execute(query).fetchone() == (True,):
                foreign = f"a column {table}.{column}"
    for table in TABLES[:2]:
        if connection.execute(_SEQUENCE, [table]).fetchone() == (None,):
            foreign = f"a sequence for {table}.id"
    if foreign:
        raise StoreError(
            f"{name}: the tables hold {foreign} of another program, which a change would lose: copy the index with "
            "crosshead copy, and change the copy"
        )
    with connection.transaction(force_rollback=True):  # an error names the view or the key that needs the tables
        connection.execute("DROP TABLE windows, chunks, works")


def _copy_columns(connection: Connection, schemas: Schemas, table: str) -> None:
    """Make a table with the same columns, each with its default, its storage and its own sequence."""
    what = "INCLUDING ALL EXCLUDING INDEXES EXCLUDING STATISTICS"
    connection.execute(f"CREATE TABLE {schemas.new}.{table} (LIKE {schemas.old}.{table} {what})")
    for column, target in connection.execute(_STATISTICS, [f"{schemas.old}.{table}"]).fetchall():
        connection.execute(f"ALTER TABLE {schemas.new}.{table} ALTER {_quoted(column)} SET STATISTICS {target:d}")


def _copy_keys(connection: Connection, schemas: Schemas, table: str) -> None:
    """Give a table the constraints and indexes of the old one; the graph of vectors is built when they are there."""
    old, new = f"{schemas.old}.{table}", f"{schemas.new}.{table}"
    for name, definition in connection.execute(_CONSTRAINTS, [old]).fetchall():
        own = definition.replace(f" REFERENCES {schemas.old}.", f" REFERENCES {schemas.new}.")
        connection.execute(f"ALTER TABLE {new} ADD CONSTRAINT {_quoted(name)} {own}")
    for (definition,) in connection.execute(_INDEXES, [old, [*GRAPHS.values()]]).fetchall():
        connection.execute(definition.replace(f" ON {old} ", f" ON {new} ", 1))


def _vector_type(connection: Connection, schemas: Schemas, table: str) -> str:
    """Return the type of vectors without their dimension, with the schema of the extension."""
    query = """
        SELECT format('%%I.%%I', typnamespace::regnamespace::text, typname) FROM pg_attribute
        JOIN pg_type ON pg_type.oid = atttypid WHERE attrelid = %s::regclass AND attname = 'embedding'
    """
    (kind,) = connection.execute(query, [f"{schemas.old}.{table}"]).fetchone() or ("",)
    return str(kind)


def _rights(connection: Connection, schemas: Schemas, table: str) -> Iterator[str]:
    """Yield the statements that give the new table, and its sequence, the owner and the grants of the old one."""
    name = f"{schemas.old}.{table}"
    (owner,) = connection.execute(_OWNER, [name]).fetchone() or ("",)
    yield f"ALTER TABLE {name} OWNER TO {owner}"
    for (grant,) in connection.execute(_GRANTS, [name, name]).fetchall():
        yield f"GRANT {grant}"
    if table == "windows":
        return
    (old,) = connection.execute(_SEQUENCE, [name]).fetchone() or ("",)
    (new,) = connection.execute(_SEQUENCE, [f"{schemas.new}.{table}"]).fetchone() or ("",)
    new = f"{schemas.old}{new.removeprefix(schemas.new)}"
    for (grant,) in connection.execute(_GRANTS, [f"SEQUENCE {new}", old]).fetchall():
        yield f"GRANT {grant}"
    if new != old:
        yield f"ALTER SEQUENCE {new} RENAME TO {old.removeprefix(schemas.old + '.')}"


def _lock_out_writers(connection: Connection, name: str) -> None:
    query = "SELECT pg_try_advisory_xact_lock(%s, current_schema()::regnamespace::oid::int)"
    deadline = time.monotonic() + LOCK_SECONDS
    while connection.execute(query, [LOCK]).fetchone() != (True,):
        if time.monotonic() > deadline:
            raise Locked(f"{name}: another process is writing to this index; try again when it is done")
        time.sleep(0.02)


def _write_settings(connection: Connection, schema: str, settings: Mapping[str, Any]) -> None:
    rows = [(name, canonical_json(value)) for name, value in settings.items()]
    connection.cursor().executemany(f"INSERT INTO {schema}.index_settings VALUES (%s, %s)", rows)


def _options(connection: Connection, path: str) -> str:
    """Return the options of a connection with another search path."""
    before = connection.info.options
    escaped = path.replace("\\", "\\\\").replace(" ", "\\ ")
    return f"{before} -csearch_path={escaped}".strip()


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
