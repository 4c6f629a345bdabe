"""Make rows of the older layout part of the index: they are found, quoted and cited like any others.

Each work is one transaction. A work with a document id is done, so that an interrupted upgrade continues with the next
one. One statement fills the rows of a work; indexes are built after all works. The older columns do not change. The
first command that writes to the index chooses its model.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from alembic import op

from crosshead.ids import canonical_json
from crosshead.language.words import words
from crosshead.store.headings import headings_of, titles_column
from crosshead.store.postgres.legacy.adopted import LANGUAGE
from crosshead.store.postgres.legacy.rows import AdoptedDocument, OlderRow, adopt
from crosshead.store.postgres.migrations.additions import Additions
from crosshead.store.postgres.rows.texts import heading_lexemes, lexemes
from crosshead.store.records import to_record
from crosshead.types import Chunk

if TYPE_CHECKING:
    import psycopg

revision = "0004"
down_revision = "0003"

_LARGEST_ROW_IN_ONE_PIECE = 8160
"""Bytes, nearly a page. Packing parts of a row, or storing them apart, costs more than it saves: a search reads vectors
and words of rows again and again."""

_log = logging.getLogger("crosshead.migrations")

_WORKS = "SELECT id, COALESCE(title, '') FROM works WHERE document_id IS NULL ORDER BY id"
_ROWS = f"SELECT {', '.join(OlderRow._fields)} FROM chunks WHERE work_id = %s"
_SET_WORK = """
UPDATE works SET document_id = %(id)s, source = %(source)s, format = %(format)s, text = %(text)s,
    revision = %(revision)s, content_hash = %(content_hash)s, lines = %(lines)s, root_section_id = %(root)s,
    end_offset = %(end)s, end_line = %(end_line)s
WHERE id = %(work)s
"""


class FilledColumns(NamedTuple):
    """The columns that are filled in a row of `chunks`."""

    id: int
    chunk_id: str
    seq: int
    section_path: list[str]
    start_offset: int
    end_offset: int
    titles: list[str] | None = None
    record: str | None = None
    terms: str | None = None
    heading_terms: str | None = None
    text_hash: str | None = None


_TYPES = ("int4", "text", "int4", "text[]", "int4", "int4", "text[]", "text", "text", "text", "text")
_COLUMNS = ", ".join(FilledColumns._fields)
_STAGE = f"CREATE TEMP TABLE filled ON COMMIT DELETE ROWS AS SELECT {_COLUMNS} FROM chunks WITH NO DATA"
_COPY = f"COPY filled ({_COLUMNS}) FROM STDIN (FORMAT binary)"
_FILL = f"""
UPDATE chunks SET {", ".join(f"{name} = filled.{name}" for name in FilledColumns._fields[1:])}
FROM filled WHERE chunks.id = filled.id AND work_id = %s
"""
_INDEXES = {
    "chunks_waiting": "(id) WHERE vector_status = 'to_vec'",
    "chunks_words": "USING gin (content_tsvector)",
}

ADDS = Additions(revision, relations=tuple(_INDEXES))


def upgrade() -> None:
    """Fill the columns of an index, and index them."""
    op.execute(f"ALTER TABLE chunks SET (toast_tuple_target = {_LARGEST_ROW_IN_ONE_PIECE})")
    with op.get_context().autocommit_block():
        connection: Any = op.get_bind().connection.driver_connection
        works = connection.execute(_WORKS).fetchall()
        connection.execute(_STAGE)
        taken = {source for (source,) in connection.execute("SELECT source FROM works WHERE source IS NOT NULL")}
        for work, title in works:
            source = title or f"work {work}"
            while source in taken:
                source += f" ({work})"
            taken.add(source)
            with connection.transaction():
                rows = [OlderRow(*row) for row in connection.execute(_ROWS, [work])]
                _write(connection, work, adopt(source, title, rows))
        connection.execute("DROP TABLE filled")
        if works:
            _log.info("index: %d works of the older layout", len(works))
    for name, what in _INDEXES.items():
        op.execute(f"CREATE INDEX IF NOT EXISTS {name} ON chunks {what}")


def downgrade() -> None:
    """Drop the indexes and the setting; leave what was filled in to the revision that drops its columns."""
    op.execute(f"DROP INDEX {', '.join(_INDEXES)}")
    op.execute("ALTER TABLE chunks RESET (toast_tuple_target)")


def _write(connection: psycopg.Connection[Any], work: int, adopted: AdoptedDocument) -> None:
    document, root = adopted.document, adopted.root
    connection.execute(
        _SET_WORK,
        {
            **document._asdict(),
            "metadata": None,
            "lines": canonical_json(document.lines),
            "root": root.id,
            "end": root.end,
            "end_line": root.end_line,
            "work": work,
        },
    )
    with connection.cursor() as cursor, cursor.copy(_COPY) as copy:
        copy.set_types(_TYPES)
        for row in _filled_rows(adopted):
            copy.write_row(row)
    connection.execute(_FILL, [work])


def _filled_rows(adopted: AdoptedDocument) -> Iterator[FilledColumns]:
    for seq, (row, section) in enumerate(adopted.sections.items(), 1):
        yield FilledColumns(row, section.id, seq, list(section.path), section.start, section.end)
    for row, chunk in adopted.chunks.items():
        yield _filled_chunk(row, chunk)


def _filled_chunk(row: int, chunk: Chunk) -> FilledColumns:
    return FilledColumns(
        row,
        chunk.id,
        chunk.index,
        list(chunk.section_path),
        chunk.start,
        chunk.end,
        titles_column([chunk.section_path]),
        to_record(chunk),
        lexemes(words(chunk.content, LANGUAGE)) if chunk.indexable else None,
        heading_lexemes(words(" ".join(headings_of(chunk)), LANGUAGE)) if chunk.indexable else None,
        chunk.content_hash,
    )
