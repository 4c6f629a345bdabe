"""The tokens of chunks, for models that compare them."""

from __future__ import annotations

from alembic import op

from crosshead.store.postgres.migrations.additions import Additions

revision = "0007"
down_revision = "0006"

ADDS = Additions(revision, columns={"chunks": ("tokens",)})


def upgrade() -> None:
    """Add their column; signs look like noise, which nothing makes smaller."""
    op.execute("ALTER TABLE chunks ADD COLUMN tokens BYTEA[]")
    op.execute("ALTER TABLE chunks ALTER tokens SET STORAGE EXTERNAL")


def downgrade() -> None:
    """Drop them; they can be made again."""
    op.execute("ALTER TABLE chunks DROP COLUMN tokens")
