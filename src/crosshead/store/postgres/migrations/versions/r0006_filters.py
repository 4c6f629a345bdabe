"""What makes filters quick, however long titles and sources are.

An entry of a GIN index holds at most 2,712 bytes, so that of a title only the beginning is indexed. An index of hashes
holds a source of any length.
"""

from __future__ import annotations

from alembic import op

from crosshead.store.postgres.texts import TITLE_KEY

revision = "0006"
down_revision = "0005"

_CUT_LONG_TITLES = f"""
UPDATE chunks SET title_keys = ARRAY(
    SELECT left(title, {TITLE_KEY}) FROM unnest(titles) WITH ORDINALITY AS each (title, place) ORDER BY place
)
WHERE EXISTS (SELECT FROM unnest(titles) AS title WHERE length(title) > {TITLE_KEY})
"""


def upgrade() -> None:
    """Add indexes for filters; an earlier form of the last revision may have made others."""
    op.execute("DROP INDEX IF EXISTS works_source, chunks_titles")
    op.execute("ALTER TABLE chunks ADD COLUMN title_keys TEXT[]")
    op.execute(_CUT_LONG_TITLES)
    op.execute("CREATE INDEX chunks_titles ON chunks USING gin (COALESCE(title_keys, titles))")
    op.execute("CREATE INDEX works_source ON works USING hash (source)")


def downgrade() -> None:
    """Drop the indexes, one of them with its column."""
    op.execute("DROP INDEX works_source")
    op.execute("ALTER TABLE chunks DROP COLUMN title_keys")
