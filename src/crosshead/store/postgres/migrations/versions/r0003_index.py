"""Add the columns and tables of an index; `crosshead.store.postgres` describes them.

The text search vector becomes a generated column, so that no trigger is needed. All of this is one transaction, in
which the database rewrites the table `chunks`. What a downgrade could not find out any more is noted in `older_layout`.
"""

from __future__ import annotations

import logging
import re
from typing import Any

from alembic import op

from crosshead.store.postgres.database.pool import Connection
from crosshead.store.postgres.database.sequences import sequence_of
from crosshead.store.postgres.indexes import GRAPHS
from crosshead.store.postgres.legacy.text_search import OLDER_LAYOUT, note, recall, replace_vector, restore_vector
from crosshead.store.postgres.migrations.additions import Additions
from crosshead.store.postgres.migrations.versions.r0002_breadcrumbs import widen_column

revision = "0003"
down_revision = "0002"

_log = logging.getLogger("crosshead.migrations")

WORKS = {
    "document_id": "TEXT UNIQUE",
    "source": "TEXT",
    "format": "TEXT",
    "text": "TEXT",
    "revision": "TEXT",
    "content_hash": "TEXT",
    "date": "TEXT NOT NULL DEFAULT ''",
    "metadata": "JSON NOT NULL DEFAULT '{}'",
    "tags": "TEXT[] NOT NULL DEFAULT '{}'",
    "pages": "JSON NOT NULL DEFAULT '[]'",
    "lines": "JSON NOT NULL DEFAULT '[]'",
    "root_section_id": "TEXT UNIQUE",
    "end_offset": "INT",
    "end_line": "INT",
}
CHUNKS = {
    "chunk_id": "TEXT UNIQUE",
    "seq": "INT",
    "section_path": "TEXT[]",
    "titles": "TEXT[]",
    "start_offset": "INT",
    "end_offset": "INT",
    "record": "JSON",
    "terms": "TEXT",
    "heading_terms": "TEXT",
    "text_hash": "TEXT",
    "vector_error": "TEXT",
    "content_tsvector": """TSVECTOR GENERATED ALWAYS AS (
        (COALESCE(terms, '') || COALESCE(heading_terms, ''))::tsvector
    ) STORED""",
}

_NEXT_OF_SEQUENCE = re.compile(r"nextval\('(?:[^']|'')+'::regclass\)")
"""A default that gives another number each time; one that computes it may give the same until a row is written."""
# They go with the text search vector of the older layout.
_REMEMBER_INDEXES = """
INSERT INTO older_layout
SELECT 'index ' || relname, pg_get_indexdef(pg_class.oid)
FROM pg_depend JOIN pg_class ON pg_class.oid = objid AND relkind = 'i'
    JOIN pg_attribute ON attrelid = refobjid AND attnum = refobjsubid
WHERE classid = 'pg_class'::regclass AND refobjid = 'chunks'::regclass AND attname = 'content_tsvector'
"""
# The index does not embed headings; the older program may.
_REMEMBER_HEADINGS = """
INSERT INTO older_layout
SELECT 'headings', string_agg(id::text, ' ' ORDER BY id) FROM chunks
WHERE level ~ '^H[1-6]$' AND vector_status = 'to_vec' HAVING count(*) > 0
"""
_HEADINGS = """
vector_status = 'no_vec'
AND id IN (SELECT unnest(string_to_array(definition, ' ')::int[]) FROM older_layout WHERE name = 'headings')
"""

INDEXES = {
    "chunks_work": "(work_id)",
    "chunks_parent": "(parent_id)",
    "chunks_text_hash": "(text_hash) WHERE embedding IS NOT NULL",
}

ADDS = Additions(
    revision,
    tables=("windows", "index_settings"),
    relations=(*INDEXES, *GRAPHS.values(), "crosshead_works_id", "crosshead_chunks_id"),
    columns={"works": tuple(WORKS), "chunks": tuple(CHUNKS)},
    taken_over=("content_tsvector",),
    constraints=("chunks_of_work",),
)


def upgrade() -> None:
    """Add columns, tables and indexes."""
    connection = _connection()
    note(connection, "embedding", _type_of_embedding())
    op.execute(_REMEMBER_INDEXES)
    op.execute(_REMEMBER_HEADINGS)
    replace_vector(connection)
    widen_column(connection)
    for table, columns in (("works", WORKS), ("chunks", CHUNKS)):
        op.execute(f"ALTER TABLE {table} " + ", ".join(f"ADD COLUMN {name} {kind}" for name, kind in columns.items()))
        _give_ids(table)
    # Rows of the older layout may name works that are gone.
    op.execute(
        "ALTER TABLE chunks ADD CONSTRAINT chunks_of_work FOREIGN KEY (work_id) REFERENCES works (id)"
        " ON DELETE CASCADE NOT VALID"
    )
    for name, what in INDEXES.items():
        op.execute(f"CREATE INDEX {name} ON chunks {what}")
    op.execute(
        f"""
        CREATE TABLE windows (
            chunk INT NOT NULL REFERENCES chunks (id) ON DELETE CASCADE,
            number INT NOT NULL,
            embedding {_type_of_embedding()} NOT NULL,
            PRIMARY KEY (chunk, number)
        )
        """
    )
    op.execute("CREATE TABLE index_settings (name TEXT PRIMARY KEY, value JSON NOT NULL)")


def downgrade() -> None:
    """Drop all that was added; the rows stay, but not vectors of which the older layout does not know the model."""
    op.execute(OLDER_LAYOUT)
    op.execute("DROP TABLE windows")
    op.execute("ALTER TABLE chunks DROP CONSTRAINT chunks_of_work")
    op.execute(f"DROP INDEX IF EXISTS {GRAPHS['chunks']}")  # made by the upkeep of an index
    op.execute("DROP INDEX chunks_work, chunks_parent")  # the others go with their columns
    for table, columns in (("works", WORKS), ("chunks", CHUNKS)):
        op.execute(f"ALTER TABLE {table} " + ", ".join(f"DROP COLUMN {name}" for name in reversed(columns)))
        _take_ids(table)
    _drop_vectors()
    connection = _connection()
    restore_vector(connection)
    for index in recall(connection, "index ").values():
        connection.execute(index)
    _narrow_column(connection)
    op.execute("DROP TABLE index_settings, older_layout")


def count_headings(connection: Connection) -> int:
    """Return the number of headings that are pending again after a downgrade."""
    if connection.execute("SELECT to_regclass('older_layout') IS NULL").fetchone() == (True,):
        return 0
    (count,) = connection.execute(f"SELECT count(*) FROM chunks WHERE {_HEADINGS}").fetchone() or (0,)
    return int(count)


def _narrow_column(connection: Connection) -> None:
    """Give the column of breadcrumbs the type that another program made it with, unless one is too long for it."""
    for kind in recall(connection, "heading_breadcrumbs").values():
        fits = f"SELECT bool_and(heading_breadcrumbs::{kind}::text = heading_breadcrumbs) IS NOT false FROM chunks"
        if _ask(fits):
            connection.execute(f"ALTER TABLE chunks ALTER heading_breadcrumbs TYPE {kind}")


def _drop_vectors() -> None:
    """Make all rows pending that Crosshead embedded, or skipped as headings; without settings there are none."""
    if not _ask("SELECT EXISTS (SELECT FROM index_settings)"):
        return
    query = "UPDATE chunks SET embedding = NULL, vector_status = 'to_vec' WHERE vector_status = 'vec'"
    dropped, config = _connection().execute(query).rowcount, op.get_context().config
    dropped += _connection().execute(f"UPDATE chunks SET vector_status = 'to_vec' WHERE {_HEADINGS}").rowcount
    _log.info("index: %d rows to embed again", dropped)
    if config:
        config.attributes["vectors_dropped"] = dropped
    for kind in recall(_connection(), "embedding").values():
        if kind != _type_of_embedding():
            op.execute(f"ALTER TABLE chunks ALTER embedding TYPE {kind} USING NULL::{kind}")


def _type_of_embedding() -> str:
    """The dimension is that of the model the rows were embedded with."""
    return str(
        _ask(
            "SELECT format_type(atttypid, atttypmod) FROM pg_attribute"
            " WHERE attrelid = 'chunks'::regclass AND attname = 'embedding'"
        )
    )


def _give_ids(table: str) -> None:
    """Let a sequence number new rows, unless one does already, and let it go on after the highest."""
    default = _ask(
        "SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum"
        f" WHERE adrelid = '{table}'::regclass AND attname = 'id'"
    )
    sequence = _ask(f"SELECT {sequence_of(table)}::text")
    if sequence is None or (default and not _NEXT_OF_SEQUENCE.fullmatch(default)):
        sequence = _own_sequence(table)
        if default:
            note(_connection(), f"default {table}", default)
            op.execute(f"ALTER TABLE {table} ALTER id DROP DEFAULT")
        op.execute(f"ALTER TABLE {table} ALTER id ADD GENERATED BY DEFAULT AS IDENTITY (SEQUENCE NAME {sequence})")
    _connection().execute(
        f"SELECT setval(%(sequence)s, max(id)) FROM {table}"
        f" HAVING max(id) >= (SELECT last_value + is_called::int FROM {sequence})"
        " AND (SELECT seqincrement > 0 FROM pg_sequence WHERE seqrelid = %(sequence)s::regclass)",
        {"sequence": sequence},
    )


def _take_ids(table: str) -> None:
    if _ask(f"SELECT to_regclass('{_own_sequence(table)}') IS NOT NULL"):
        op.execute(f"ALTER TABLE {table} ALTER id DROP IDENTITY")
    for default in recall(_connection(), f"default {table}").values():
        _connection().execute(f"ALTER TABLE {table} ALTER id SET DEFAULT {default}")


def _own_sequence(table: str) -> str:
    return f"crosshead_{table}_id"


def _ask(query: str) -> Any:
    row = _connection().execute(query).fetchone()
    return row and row[0]


def _connection() -> Connection:
    """The driver's own, which reads no parameters into a definition."""
    connection: Any = op.get_bind().connection.driver_connection
    return connection  # type: ignore[no-any-return]
