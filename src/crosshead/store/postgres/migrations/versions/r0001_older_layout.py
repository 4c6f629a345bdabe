"""The older layout: the breadcrumb is the first line of the content.

A row of level H1 to H5 is a heading with its text as content; a row of level H1-chunk to H5-chunk is text below it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from alembic import op

if TYPE_CHECKING:
    import psycopg

revision = "0001"
down_revision = None

FITTING_VECTOR = "pg_temp.fitting_vector"
"""What the trigger would give; of a text with more words than the database can hold, those of its beginning."""
CREATE_FITTING_VECTOR = f"""
CREATE OR REPLACE FUNCTION {FITTING_VECTOR}(content TEXT) RETURNS tsvector LANGUAGE plpgsql AS $$
BEGIN
    RETURN to_tsvector('english', COALESCE(content, ''));
EXCEPTION WHEN program_limit_exceeded THEN
    RETURN {FITTING_VECTOR}(left(content, length(content) / 2));
END
$$
"""


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


@contextmanager
def without_trigger(connection: psycopg.Connection[Any]) -> Iterator[None]:
    """A transaction whose updates give the text search vector themselves, which the trigger might not be able to."""
    query = """
        SELECT FROM pg_trigger
        WHERE tgrelid = 'chunks'::regclass AND tgname = 'tsvector_update' AND tgenabled = 'O'
    """
    is_enabled = connection.execute(query).fetchone() is not None
    with connection.transaction():
        if is_enabled:
            connection.execute("ALTER TABLE chunks DISABLE TRIGGER tsvector_update")
        yield
        if is_enabled:
            connection.execute("ALTER TABLE chunks ENABLE TRIGGER tsvector_update")
