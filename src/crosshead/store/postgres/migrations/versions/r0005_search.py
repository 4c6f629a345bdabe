"""What makes writing and searching quick.

Rows stay in one piece up to the size of a page: packing parts of them, or storing them apart, costs more than it saves,
because a search reads vectors and words of rows again and again. Rows that are there already stay as they are.
"""

from __future__ import annotations

from alembic import op

revision = "0005"
down_revision = "0004"

_FREQUENT_WORDS = 300
"""Statistics target of the text search vector: ten times as many words are known as frequent."""


def upgrade() -> None:
    """Add indexes for filters, and settings for rows and statistics."""
    op.execute("ALTER TABLE chunks SET (toast_tuple_target = 8160)")
    op.execute(f"ALTER TABLE chunks ALTER content_tsvector SET STATISTICS {_FREQUENT_WORDS}")
    op.execute("CREATE INDEX chunks_titles ON chunks USING gin (titles)")
    op.execute("CREATE INDEX works_source ON works (source)")


def downgrade() -> None:
    """Drop the indexes and the settings."""
    op.execute("DROP INDEX works_source")
    op.execute("DROP INDEX chunks_titles")
    op.execute("ALTER TABLE chunks ALTER content_tsvector SET STATISTICS -1")
    op.execute("ALTER TABLE chunks RESET (toast_tuple_target)")
