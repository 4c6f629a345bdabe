"""The older layout: the breadcrumb is the first line of the content.

A row of level H1 to H5 is a heading with its text as content; a row of level H1-chunk to H5-chunk is text below it.
"""

from __future__ import annotations

from alembic import op

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
    create_trigger()


def downgrade() -> None:
    """Drop the tables with all that is in them."""
    op.execute("DROP TABLE chunks")
    op.execute("DROP TABLE works")
    op.execute("DROP FUNCTION IF EXISTS chunks_tsvector_update()")


def create_trigger() -> None:
    """Let the database keep the text search vector up to date."""
    op.execute(
        """
        CREATE OR REPLACE FUNCTION chunks_tsvector_update() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            NEW.content_tsvector := to_tsvector('english', COALESCE(NEW.content, ''));
            RETURN NEW;
        END
        $$
        """
    )
    op.execute(
        """
        CREATE TRIGGER tsvector_update BEFORE INSERT OR UPDATE ON chunks
        FOR EACH ROW EXECUTE FUNCTION chunks_tsvector_update()
        """
    )
