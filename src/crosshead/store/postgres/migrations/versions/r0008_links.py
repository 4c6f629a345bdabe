"""Add the links of documents, and the keys by which those that link to a document are found."""

from __future__ import annotations

from alembic import op

from crosshead.store.postgres.migrations.additions import Additions

revision = "0008"
down_revision = "0007"

ADDS = Additions(revision, columns={"works": ("links", "link_keys")}, relations=("works_link_keys",))


def upgrade() -> None:
    """Add the columns; they are filled when a document is indexed again."""
    op.execute("ALTER TABLE works ADD COLUMN links JSON, ADD COLUMN link_keys TEXT[]")
    op.execute("CREATE INDEX works_link_keys ON works USING gin (link_keys)")


def downgrade() -> None:
    """Drop the columns; the next indexing run would find the links again."""
    op.execute("ALTER TABLE works DROP COLUMN links, DROP COLUMN link_keys")
