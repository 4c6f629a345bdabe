"""Speed up lexical search."""

from __future__ import annotations

from alembic import op

from crosshead.store.postgres.migrations.additions import Additions

revision = "0005"
down_revision = "0004"

# An earlier form of this revision made them.
ADDS = Additions(revision, relations=("works_source", "chunks_titles"))

_FREQUENT_WORDS = 300
"""Statistics target of the text search vector: ten times as many words are known as frequent."""


def upgrade() -> None:
    """Add a setting for statistics."""
    op.execute(f"ALTER TABLE chunks ALTER content_tsvector SET STATISTICS {_FREQUENT_WORDS}")


def downgrade() -> None:
    """Drop the setting, and indexes that an earlier form of this revision made."""
    op.execute("DROP INDEX IF EXISTS works_source, chunks_titles")
    op.execute("ALTER TABLE chunks ALTER content_tsvector SET STATISTICS -1")
