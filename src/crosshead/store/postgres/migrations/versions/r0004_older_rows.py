"""Rows of the older layout become part of the index: they are found, quoted and cited as any others.

A work is one transaction. It is done when it has a document id, so that an interrupted upgrade goes on with the next
one. The columns of the older layout stay as they are. Which model the index is of is for the first command to say that
writes to it.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from alembic import op

from crosshead.ids import canonical_json
from crosshead.model import Chunk
from crosshead.store.filters import titles_column
from crosshead.store.postgres.migrations.older_rows import Adopted, OlderRow, adopt
from crosshead.store.postgres.texts import heading_lexemes, lexemes
from crosshead.words import words

if TYPE_CHECKING:
    import psycopg

revision = "0004"
down_revision = "0003"

LANGUAGE = "auto"
"""What an index has unless it is told another one."""

_log = logging.getLogger("crosshead.migrations")

_WORKS = "SELECT id, COALESCE(title, '') FROM works WHERE document_id IS NULL ORDER BY id"
_ROWS = f"SELECT {', '.join(OlderRow._fields)} FROM chunks WHERE work_id = %s"
_SET_WORK = """
UPDATE works SET document_id = %(id)s, source = %(source)s, format = %(format)s, text = %(text)s,
    revision = %(revision)s, content_hash = %(content_hash)s, lines = %(lines)s, root_section_id = %(root)s,
    end_offset = %(end)s, end_line = %(end_line)s
WHERE id = %(work)s
"""
_SET_SECTION = """
UPDATE chunks SET chunk_id = %s, seq = %s, section_path = %s, start_offset = %s, end_offset = %s WHERE id = %s
"""
_SET_CHUNK = """
UPDATE chunks SET chunk_id = %s, seq = %s, section_path = %s, start_offset = %s, end_offset = %s, titles = %s,
    record = %s, terms = %s, heading_terms = %s, text_hash = %s
WHERE id = %s
"""


def upgrade() -> None:
    """Fill the columns of an index."""
    with op.get_context().autocommit_block():
        connection: Any = op.get_bind().connection.driver_connection
        works = connection.execute(_WORKS).fetchall()
        taken = {source for (source,) in connection.execute("SELECT source FROM works WHERE source IS NOT NULL")}
        for work, title in works:
            source = title or f"work {work}"
            while source in taken:
                source += f" ({work})"
            taken.add(source)
            with connection.transaction():
                rows = [OlderRow(*row) for row in connection.execute(_ROWS, [work])]
                _write(connection, work, adopt(source, title, rows))
        if works:
            _log.info("index: %d works of the older layout", len(works))


def downgrade() -> None:
    """Leave what was filled in to the revision that drops its columns."""


def _write(connection: psycopg.Connection[Any], work: int, adopted: Adopted) -> None:
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
    with connection.cursor() as cursor:
        cursor.executemany(
            _SET_SECTION,
            [
                (section.id, seq, list(section.path), section.start, section.end, row)
                for seq, (row, section) in enumerate(adopted.sections.items(), 1)
            ],
        )
        cursor.executemany(_SET_CHUNK, list(map(_chunk_values, adopted.chunks.values(), adopted.chunks)))


def _chunk_values(chunk: Chunk, row: int) -> tuple[Any, ...]:
    record = chunk.to_json()
    del record["content"]
    path = list(chunk.section_path)
    return (
        chunk.id,
        chunk.index,
        path,
        chunk.start,
        chunk.end,
        titles_column((*path, chunk.breadcrumb or "")),
        canonical_json(record),
        lexemes(words(chunk.content, LANGUAGE)) if chunk.indexable else None,
        heading_lexemes(words(" ".join(chunk.full_path), LANGUAGE)) if chunk.indexable else None,
        chunk.content_hash,
        row,
    )
