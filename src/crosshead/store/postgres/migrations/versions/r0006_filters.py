"""Speed up filters, also for long titles and sources.

An entry of a GIN index holds at most 2,712 bytes, so that of a title only the beginning is indexed. An index of hashes
holds a source of any length.
"""

from __future__ import annotations

from alembic import op

from crosshead.store.postgres.migrations.additions import Additions
from crosshead.store.postgres.rows.texts import TITLE_KEY

revision = "0006"
down_revision = "0005"

ADDS = Additions(revision, columns={"chunks": ("title_keys",)})

_HAS_LONG_TITLES = f"""
SELECT EXISTS (SELECT FROM chunks, unnest(titles) AS title WHERE length(title) > {TITLE_KEY})
"""
_CREATE_FUNCTION = f"""
CREATE OR REPLACE FUNCTION pg_temp.title_keys(titles TEXT[]) RETURNS TEXT[] LANGUAGE sql AS $$
    SELECT array_agg(left(title, {TITLE_KEY}) ORDER BY place) FROM unnest(titles) WITH ORDINALITY AS each (title, place)
    HAVING max(length(title)) > {TITLE_KEY}
$$
"""
# An update would leave dead rows that the index would hold; this way the database rewrites the table.
_FILL = "ALTER TABLE chunks ALTER title_keys TYPE TEXT[] USING pg_temp.title_keys(titles)"


def upgrade() -> None:
    """Add indexes for filters; an earlier form of the last revision may have made others."""
    op.execute("DROP INDEX IF EXISTS works_source, chunks_titles")
    op.execute("ALTER TABLE chunks ADD COLUMN title_keys TEXT[]")
    if op.get_bind().exec_driver_sql(_HAS_LONG_TITLES).scalar():
        op.execute(_CREATE_FUNCTION)
        op.execute(_FILL)
    op.execute("CREATE INDEX chunks_titles ON chunks USING gin (COALESCE(title_keys, titles))")
    op.execute("CREATE INDEX works_source ON works USING hash (source)")


def downgrade() -> None:
    """Drop the indexes, one of them with its column."""
    op.execute("DROP INDEX works_source")
    op.execute("ALTER TABLE chunks DROP COLUMN title_keys")
