"""What tests of databases run besides Crosshead."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg


def execute(url: str, *statements: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)  # type: ignore[call-overload]


def ask(url: str, query: str) -> object:
    with psycopg.connect(url) as connection:
        row = connection.execute(query).fetchone()  # type: ignore[call-overload]
    return row and row[0]


def wipe(url: str) -> None:
    execute(url, "DROP SCHEMA public CASCADE", "CREATE SCHEMA public")


@contextmanager
def dying_at(url: str, row_id: int) -> Iterator[None]:
    """Let the server end the connection that changes a row."""
    execute(
        url,
        "CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        "PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$",
        f"CREATE TRIGGER dying BEFORE UPDATE ON chunks FOR EACH ROW WHEN (OLD.id = {row_id}) EXECUTE FUNCTION die()",
    )
    yield
    execute(url, "DROP TRIGGER dying ON chunks", "DROP FUNCTION die()")
