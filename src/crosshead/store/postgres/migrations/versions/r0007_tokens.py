"""Add the token vectors of chunks, which MaxSim compares."""

from __future__ import annotations

from alembic import op

from crosshead.store.postgres.migrations.additions import Additions

revision = "0007"
down_revision = "0006"

ADDS = Additions(revision, columns={"chunks": ("tokens",)})


def upgrade() -> None:
    """Add the column; sign bits look like noise, so compression is off."""
    op.execute("ALTER TABLE chunks ADD COLUMN tokens BYTEA[]")
    op.execute("ALTER TABLE chunks ALTER tokens SET STORAGE EXTERNAL")


def downgrade() -> None:
    """Drop the column; token vectors can be made again."""
    op.execute("ALTER TABLE chunks DROP COLUMN tokens")
