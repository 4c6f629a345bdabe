"""How to recognize tables of the older layout.

A database of that layout has no version of ours. It counts as revision 0001, also if another program has moved all or
some of its breadcrumbs: 0002 leaves those alone. While `migration_progress` exists, the tables are between 0001 and
0002: an upgrade then starts from the lower revision, a downgrade from the upper one.
"""

from __future__ import annotations

from typing import Final

from crosshead.store.postgres.database.catalog import columns_of, has_table
from crosshead.store.postgres.database.pool import Connection

REVISION: Final = "0001"
"""The revision of the older layout."""
_COLUMNS: Final = frozenset(
    ("id", "parent_id", "work_id", "level", "content", "embedding", "start_line", "end_line", "vector_status")
)
_PROGRESS_COLUMNS: Final = frozenset(("revision", "direction", "last_id"))
"""They tell our table of progress from one of another program."""


def has_tables(connection: Connection) -> bool:
    """Return whether the database has tables of the older layout."""
    return columns_of(connection, "chunks") >= _COLUMNS and has_table(connection, "works")


def is_unfinished(connection: Connection) -> bool:
    """Return whether an upgrade or downgrade was interrupted between 0001 and 0002."""
    return columns_of(connection, "migration_progress") >= _PROGRESS_COLUMNS
