"""What makes searching quick."""

from __future__ import annotations

from alembic import op

revision = "0005"
down_revision = "0004"

_FREQUENT_WORDS = 300
"""Statistics target of the text search vector: ten times as many words are known as frequent."""


def upgrade() -> None:
    """Add indexes for filters, and a setting for statistics."""
    op.execute(f"ALTER TABLE chunks ALTER content_tsvector SET STATISTICS {_FREQUENT_WORDS}")
    op.execute("CREATE INDEX chunks_titles ON chunks USING gin (titles)")
    op.execute("CREATE INDEX works_source ON works (source)")


def downgrade() -> None:
    """Drop the indexes and the setting."""
    op.execute("DROP INDEX works_source")
    op.execute("DROP INDEX chunks_titles")
    op.execute("ALTER TABLE chunks ALTER content_tsvector SET STATISTICS -1")
