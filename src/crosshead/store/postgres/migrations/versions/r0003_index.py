"""What an index needs beside the older columns; `crosshead.store.postgres` says what each of them means.

The text search vector becomes a generated column, so that no trigger can be forgotten. All of this is one transaction;
the generated column makes the database write the table `chunks` anew. What cannot be seen any more afterwards is noted
in `older_layout` for the way back.
"""

from __future__ import annotations

import logging

from alembic import op
from sqlalchemy import text

from crosshead.store.postgres.indexes import GRAPHS
from crosshead.store.postgres.migrations.versions.r0001_older_layout import create_trigger

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
        setweight(COALESCE(terms, '')::tsvector, 'A') || setweight(COALESCE(heading_terms, '')::tsvector, 'B')
    ) STORED""",
}

_OLDER_LAYOUT = "CREATE TABLE IF NOT EXISTS older_layout (name TEXT PRIMARY KEY, definition TEXT NOT NULL)"
# They go with the text search vector of the older layout.
_REMEMBER_INDEXES = """
INSERT INTO older_layout
SELECT 'index ' || relname, pg_get_indexdef(pg_class.oid)
FROM pg_depend JOIN pg_class ON pg_class.oid = objid AND relkind = 'i'
    JOIN pg_attribute ON attrelid = refobjid AND attnum = refobjsubid
WHERE classid = 'pg_class'::regclass AND refobjid = 'chunks'::regclass AND attname = 'content_tsvector'
"""

_INDEXES = {
    "chunks_work": "(work_id)",
    "chunks_parent": "(parent_id)",
    "chunks_text_hash": "(text_hash) WHERE embedding IS NOT NULL",
    "chunks_waiting": "(id) WHERE vector_status = 'to_vec' AND terms IS NOT NULL",
    "chunks_words": "USING gin (content_tsvector)",
}


def upgrade() -> None:
    """Add columns, tables and indexes."""
    op.execute(_OLDER_LAYOUT)
    _remember("embedding", _type_of_embedding())
    op.execute(_REMEMBER_INDEXES)
    op.execute("DROP TRIGGER IF EXISTS tsvector_update ON chunks")
    op.execute("DROP FUNCTION IF EXISTS chunks_tsvector_update()")
    op.execute("ALTER TABLE chunks DROP COLUMN content_tsvector")
    for table, columns in (("works", WORKS), ("chunks", CHUNKS)):
        op.execute(f"ALTER TABLE {table} " + ", ".join(f"ADD COLUMN {name} {kind}" for name, kind in columns.items()))
        _give_ids(table)
    # Rows of the older layout may name works that are gone.
    op.execute(
        "ALTER TABLE chunks ADD CONSTRAINT chunks_of_work FOREIGN KEY (work_id) REFERENCES works"
        " ON DELETE CASCADE NOT VALID"
    )
    for name, what in _INDEXES.items():
        op.execute(f"CREATE INDEX {name} ON chunks {what}")
    op.execute(
        f"""
        CREATE TABLE windows (
            chunk INT NOT NULL REFERENCES chunks ON DELETE CASCADE,
            number INT NOT NULL,
            embedding {_type_of_embedding()} NOT NULL,
            PRIMARY KEY (chunk, number)
        )
        """
    )
    op.execute("CREATE TABLE index_settings (name TEXT PRIMARY KEY, value JSON NOT NULL)")


def downgrade() -> None:
    """Drop all that was added; the rows stay, but not vectors of which the older layout does not know the model."""
    op.execute(_OLDER_LAYOUT)
    op.execute("DROP TABLE windows")
    op.execute("ALTER TABLE chunks DROP CONSTRAINT chunks_of_work")
    op.execute(f"DROP INDEX IF EXISTS {GRAPHS['chunks']}")  # made by the upkeep of an index
    op.execute("DROP INDEX chunks_work, chunks_parent")  # the others go with their columns
    for table, columns in (("works", WORKS), ("chunks", CHUNKS)):
        op.execute(f"ALTER TABLE {table} " + ", ".join(f"DROP COLUMN {name}" for name in reversed(columns)))
        _take_ids(table)
    _drop_vectors()
    op.execute("ALTER TABLE chunks ADD COLUMN content_tsvector TSVECTOR")
    create_trigger()
    op.execute("UPDATE chunks SET content_tsvector = NULL")  # the trigger fills it
    for index in _recall("index %"):
        op.execute(index)
    op.execute("DROP TABLE index_settings, older_layout")


def _drop_vectors() -> None:
    """Without settings nothing was embedded here."""
    if not _ask("SELECT EXISTS (SELECT FROM index_settings)"):
        return
    query = "UPDATE chunks SET embedding = NULL, vector_status = 'to_vec' WHERE vector_status = 'vec'"
    dropped, config = op.get_bind().exec_driver_sql(query).rowcount, op.get_context().config
    _log.info("index: %d rows to embed again", dropped)
    if config:
        config.attributes["vectors_dropped"] = dropped
    for kind in _recall("embedding"):
        if kind != _type_of_embedding():
            op.execute(f"ALTER TABLE chunks ALTER embedding TYPE {kind} USING NULL::{kind}")


def _remember(name: str, definition: str) -> None:
    query = text("INSERT INTO older_layout VALUES (:name, :definition)")
    op.get_bind().execute(query, {"name": name, "definition": definition})


def _recall(pattern: str) -> list[str]:
    query = text("SELECT definition FROM older_layout WHERE name LIKE :pattern ORDER BY name")
    return list(op.get_bind().execute(query, {"pattern": pattern}).scalars())


def _type_of_embedding() -> str:
    """The dimension is that of the model the rows were embedded with."""
    return str(
        _ask(
            "SELECT format_type(atttypid, atttypmod) FROM pg_attribute"
            " WHERE attrelid = 'chunks'::regclass AND attname = 'embedding'"
        )
    )


def _give_ids(table: str) -> None:
    """Let the database number new rows, unless it does already."""
    if _ask(
        f"SELECT atthasdef OR attidentity <> '' FROM pg_attribute"
        f" WHERE attrelid = '{table}'::regclass AND attname = 'id'"
    ):
        return
    sequence = _sequence(table)
    op.execute(f"ALTER TABLE {table} ALTER id ADD GENERATED BY DEFAULT AS IDENTITY (SEQUENCE NAME {sequence})")
    op.execute(f"SELECT setval('{sequence}', GREATEST(COALESCE(max(id), 0) + 1, 1), false) FROM {table}")


def _take_ids(table: str) -> None:
    if _ask(f"SELECT to_regclass('{_sequence(table)}') IS NOT NULL"):
        op.execute(f"ALTER TABLE {table} ALTER id DROP IDENTITY")


def _sequence(table: str) -> str:
    return f"crosshead_{table}_id"


def _ask(query: str) -> object:
    return op.get_bind().exec_driver_sql(query).scalar()
