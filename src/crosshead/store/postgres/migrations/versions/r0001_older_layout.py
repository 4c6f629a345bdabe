"""The older layout: the breadcrumb is the first line of the content.

A row of level H1 to H5 is a heading with its text as content; a row of level H1-chunk to H5-chunk is text below it.
"""

from __future__ import annotations

from alembic import op

from crosshead.store.postgres.legacy.text_search import CREATE_FUNCTION, CREATE_TRIGGER

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    op.execute("CREATE EXTENSION IF NOT EXISTS vector")
    op.execute("CREATE TABLE works (id INT PRIMARY KEY, title TEXT)")
    op.execute(
        """
        CREATE TABLE chunks (
            id INT PRIMARY KEY,
            parent_id INT NULL REFERENCES chunks,
            work_id INT,
            level VARCHAR(20),
            content TEXT,
            embedding VECTOR(768),
            start_line INT,
            end_line INT,
            vector_status VARCHAR(10),
            content_tsvector TSVECTOR
        )
        """
    )
    op.execute(CREATE_FUNCTION)
    op.execute(CREATE_TRIGGER)


def downgrade() -> None:
    """Drop the tables with all that is in them."""
    op.execute("DROP TABLE chunks")
    op.execute("DROP TABLE works")
    op.execute("DROP FUNCTION IF EXISTS chunks_tsvector_update()")
