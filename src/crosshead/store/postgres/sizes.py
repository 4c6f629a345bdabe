"""What the bytes of the tables are, from their indexes and a sample of their rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from crosshead.store.postgres.database.pool import Connection
from crosshead.store.sizes import sum_parts
from crosshead.types import StoredSizes

TABLES: Final = ("works", "chunks", "windows")
ROWS_MEASURED: Final = 3_000
"""Rows to sample for the shares of columns."""

_TABLE: Final = "SELECT coalesce(pg_table_size(oid), 0), greatest(reltuples, 1) FROM pg_class WHERE oid = %s::regclass"
_COLUMNS: Final = """
    SELECT quote_ident(attname) FROM pg_attribute
    WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum
"""
_INDEXES: Final = """
    SELECT coalesce(attname::text, ''), coalesce(pg_relation_size(indexrelid), 0) FROM pg_index
    LEFT JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0] WHERE indrelid = %s::regclass
"""


def sizes_of(connection: Connection) -> StoredSizes:
    """Return what the bytes of all tables are."""
    return sum_parts((each for table in TABLES for each in _parts_of(connection, table)), 0)


def _parts_of(connection: Connection, table: str) -> Iterator[tuple[str, float]]:
    size, rows = connection.execute(_TABLE, [table]).fetchone() or (0, 1)
    columns = [name for (name,) in connection.execute(_COLUMNS, [table])]
    sums = ", ".join(f"coalesce(sum(pg_column_size({name})), 0)::float8" for name in columns)
    share = min(100 * ROWS_MEASURED / rows, 100)
    measured = connection.execute(f"SELECT {sums} FROM {table} TABLESAMPLE SYSTEM ({share:f})").fetchone() or ()
    whole = sum(measured) or 1
    yield from ((name, size * each / whole) for name, each in zip(columns, measured, strict=True))
    yield from connection.execute(_INDEXES, [table])
