"""What Alembic runs to apply revisions, over the connection that `crosshead.store.postgres.migrate` opened."""

from __future__ import annotations

from alembic import context

from crosshead.store.postgres.migrate import VERSION_TABLE

context.configure(
    connection=context.config.attributes["connection"],
    version_table=VERSION_TABLE,
    transaction_per_migration=True,
)
with context.begin_transaction():
    context.run_migrations()
