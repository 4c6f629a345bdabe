"""Which tables and columns the schema of the connection has.

A later schema of the search path may hold tables of the same name; these do not count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import psycopg

IN_SCHEMA: Final = "to_regclass(quote_ident(current_schema()) || '.' || %s)"
"""The relation of a name in the schema of the connection, or NULL."""


def has_table(connection: psycopg.Connection[Any], table: str) -> bool:
    """Return whether a table exists."""
    return connection.execute(f"SELECT {IN_SCHEMA} IS NOT NULL", [table]).fetchone() == (True,)


def columns_of(connection: psycopg.Connection[Any], table: str) -> set[str]:
    """Return the columns of a table; none if it does not exist."""
    query = f"SELECT attname FROM pg_attribute WHERE attrelid = {IN_SCHEMA} AND NOT attisdropped"
    return {name for (name,) in connection.execute(query, [table])}
