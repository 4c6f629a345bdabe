"""What Alembic runs to apply revisions, over the connection of `revisions.change_revision`."""

from __future__ import annotations

from alembic import context

from crosshead.store.postgres.database.revisions import VERSION_TABLE

context.configure(
    connection=context.config.attributes["connection"],
    version_table=VERSION_TABLE,
    transaction_per_migration=True,
)
with context.begin_transaction():
    context.run_migrations()
