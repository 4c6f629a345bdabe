"""The revision of the tables: read it, check it, and have Alembic bring the tables to another one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from crosshead.errors import IndexNotFound, MigrationRequired, StoreError
from crosshead.store.postgres import legacy
from crosshead.store.postgres.database.catalog import has_table
from crosshead.store.postgres.database.connection import connect, public_url, take_lock, translate_errors

if TYPE_CHECKING:
    import psycopg

VERSION_TABLE: Final = "crosshead_version"
REVISIONS: Final = ("0001", "0002", "0003", "0004", "0005", "0006", "0007", "0008")
HEAD: Final = REVISIONS[-1]
"""The revision that this program works with."""
LOCK_TIMEOUT_SECONDS: Final = 60
"""How long to wait for a program that uses the tables."""


def current_revision(connection: psycopg.Connection[Any], url: str) -> str | None:
    """Return the revision of the tables; None if there are none."""
    if recorded := recorded_revision(connection):
        return recorded
    if not has_table(connection, "chunks") and not has_table(connection, "works"):
        return None
    if legacy.has_tables(connection):
        return legacy.REVISION
    raise StoreError(
        f"{public_url(url)}: the tables works and chunks here are of another program: use another database, or another "
        "schema with ?options=-csearch_path%3DNAME"
    )


def recorded_revision(connection: psycopg.Connection[Any]) -> str | None:
    """Return the revision that Alembic recorded; None if it has not been here."""
    if not has_table(connection, VERSION_TABLE):
        return None
    row = connection.execute(f"SELECT version_num FROM {VERSION_TABLE}").fetchone()
    return str(row[0]) if row else None


def check_revision(connection: psycopg.Connection[Any], url: str) -> None:
    """Raise an error unless the tables have the revision that this program works with."""
    revision = current_revision(connection, url)
    if revision is None:
        raise not_found(url)
    check_not_newer(revision, url)
    if revision != HEAD or legacy.is_unfinished(connection):
        raise MigrationRequired(
            f"{public_url(url)}: the tables have revision {revision}, this program needs {HEAD}: back up the database, "
            "then run: crosshead db upgrade --index URL"
        )


def not_found(url: str) -> IndexNotFound:
    """Return the error of a database without an index."""
    return IndexNotFound(f"{public_url(url)}: there is no index here; make one with: crosshead index PATH --index URL")


def check_not_newer(revision: str | None, url: str) -> None:
    """Raise an error if a later version of Crosshead made the tables."""
    if revision is not None and revision not in REVISIONS:
        raise MigrationRequired(
            f"{public_url(url)}: written by a newer version of Crosshead (revision {revision}); update it: "
            "pip install -U crosshead"
        )


def create_tables(url: str) -> None:
    """Create the tables in an empty database, unless another process was faster."""
    with connect(url) as connection, translate_errors(url):
        take_lock(connection, url)
        if current_revision(connection, url) is None:
            change_revision(connection, None, HEAD)


def change_revision(connection: psycopg.Connection[Any], before: str | None, after: str) -> Mapping[Any, Any]:
    """Run the revisions from one to another over a locked connection; return what they report."""
    from alembic import command
    from alembic.config import Config
    from sqlalchemy import NullPool, create_engine

    recorded = recorded_revision(connection)
    # Statements are short and many, which does not pay for compiling them.
    connection.execute(f"SET statement_timeout = 0; SET lock_timeout = '{LOCK_TIMEOUT_SECONDS}s'; SET jit = off")
    connection.autocommit = False
    engine = create_engine("postgresql+psycopg://", creator=lambda: connection, poolclass=NullPool)
    with engine.connect() as wrapped:
        config = Config(attributes={"connection": wrapped})
        config.set_main_option("script_location", str(Path(__file__).parents[1] / "migrations").replace("%", "%%"))
        if recorded != before:
            command.stamp(config, before or "base", purge=True)
        (command.downgrade if before and after < before else command.upgrade)(config, after)
        return config.attributes
