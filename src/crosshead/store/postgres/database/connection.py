"""Connect to a database, and explain what goes wrong.

Messages name the server and the database, never the user, the password or the options of a URL. They do not repeat what
the driver says about a URL: if a password holds an unescaped character, the driver quotes half of it.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from crosshead.errors import (
    AccessDenied,
    CrossheadError,
    IndexNotFound,
    Locked,
    OptionsError,
    StoreError,
    Unreachable,
    Unstorable,
    UnsuitableServer,
)
from crosshead.store.opening import POSTGRES

if TYPE_CHECKING:
    import psycopg

OLDEST_SERVER: Final = 14
OLDEST_PGVECTOR: Final = (0, 8)
TIMEOUT_SECONDS: Final = 10
"""How long to wait for a server that does not answer, unless the URL sets it."""
LOCK: Final = 0x43524F53
"""First key of the advisory lock that a migration takes exclusively and writers share; the second is the schema."""
LOCK_SECONDS: Final = 2.0
"""How long to wait for it: the server releases a lock a moment after its program has ended."""

_HOST: Final = r"(?:[^@/?:,\[\]]*|\[[0-9a-fA-F:.]+\])(?::\d*)?"
_URL: Final = re.compile(
    rf"postgres(?:ql)?://(?:[^@/?]*@)?(?P<hosts>{_HOST}(?:,{_HOST})*)(?:/(?P<database>[^@/?]*))?(?:\?[^@]*)?"
)
_REFUSALS: Final = (
    ("does not exist", IndexNotFound, "there is no such database, or no such user: create it, or correct the URL"),
    ("password", AccessDenied, "the user or the password is wrong: correct the URL"),
    ("authentication", AccessDenied, "the user or the password is wrong: correct the URL"),
    ("pg_hba.conf", AccessDenied, "the server does not let this user in from here: allow it in pg_hba.conf"),
    ("too many", Unreachable, "the server has no connection left: try again later, or raise max_connections"),
    ("certificate", Unreachable, "the server's certificate is not valid: correct sslmode or sslrootcert in the URL"),
)


def public_url(url: str) -> str:
    """Return a URL without user, password and options; raise `OptionsError` if it is not valid."""
    parts = _URL.fullmatch(url)
    if not parts:
        raise OptionsError(
            f"the URL of the database is not valid: write {POSTGRES.url}, with every special character in it as %XX"
        )
    return f"postgresql://{parts['hosts']}/{parts['database'] or ''}"


def connection_options(url: str) -> dict[str, Any]:
    """Return the arguments of the driver for a URL, with our defaults."""
    name = public_url(url)
    try:
        from psycopg import ProgrammingError
        from psycopg.conninfo import conninfo_to_dict
    except ImportError as error:
        raise POSTGRES.missing() from error
    try:
        options = conninfo_to_dict(url)
    except ProgrammingError:
        raise OptionsError(f"{name}: the URL has a port or an option that the driver does not know") from None
    return {"connect_timeout": TIMEOUT_SECONDS, "application_name": "crosshead", **options}


def connect(url: str) -> psycopg.Connection[Any]:
    """Open a connection in autocommit mode, after checking that the server can hold an index."""
    options = connection_options(url)
    import psycopg

    try:
        connection = psycopg.connect(**options, autocommit=True)
    except psycopg.Error as error:
        raise _refused(public_url(url), str(error)) from error
    try:
        with translate_errors(url):
            check_server(connection, url)
    except CrossheadError:
        connection.close()
        raise
    return connection


@contextmanager
def translate_errors(url: str) -> Iterator[None]:
    """Turn errors of the driver, also wrapped by SQLAlchemy, into ours."""
    import psycopg

    try:
        yield
    except psycopg.Error as error:
        raise _explained(public_url(url), error) from error
    except Exception as error:
        cause = _driver_error(error)
        if cause is None:
            raise
        raise _explained(public_url(url), cause) from error


def take_lock(connection: psycopg.Connection[Any], url: str) -> None:
    """Lock out all writers until the connection is closed; raise `Locked` if one is writing."""
    query = "SELECT pg_try_advisory_lock(%s, current_schema()::regnamespace::oid::int)"
    deadline = time.monotonic() + LOCK_SECONDS
    while connection.execute(query, [LOCK]).fetchone() != (True,):
        if time.monotonic() > deadline:
            raise Locked(f"{public_url(url)}: another process is writing to this index; try again when it is done")
        time.sleep(LOCK_SECONDS / 20)


def check_server(connection: psycopg.Connection[Any], url: str) -> None:
    """Raise an error if the server cannot hold an index."""
    name = public_url(url)
    server = connection.info.server_version // 10_000
    if server < OLDEST_SERVER:
        raise UnsuitableServer(f"{name}: PostgreSQL {server} is too old: an index needs {OLDEST_SERVER} or later")
    if connection.execute("SELECT current_schema()").fetchone() == (None,):
        raise StoreError(f"{name}: the search path names no schema that exists: create it, or correct the URL")
    _check_pgvector(connection, name)


def _driver_error(error: BaseException | None) -> psycopg.Error | None:
    """Return the driver's error inside one of SQLAlchemy, which wraps it, or fails again while it cleans up."""
    import psycopg

    while error and not isinstance(error, psycopg.Error) and type(error).__module__.startswith("sqlalchemy."):
        error = getattr(error, "orig", None) or error.__context__
    return error if isinstance(error, psycopg.Error) else None


def _refused(name: str, message: str) -> StoreError:
    """Explain a failed connection by its text: it has no error code."""
    for sign, kind, advice in _REFUSALS:
        if sign in message:
            return kind(f"{name}: {advice}")
    return Unreachable(f"{name}: the server does not answer: check that it runs, and the host and port in the URL")


def _explained(name: str, error: psycopg.Error) -> StoreError:
    from psycopg import errors

    message = (error.diag.message_primary or str(error)).partition("\n")[0]
    match error:
        case errors.InsufficientPrivilege() if "extension" in message:
            return AccessDenied(f"{name}: {message}: let a superuser run CREATE EXTENSION vector in this database")
        case errors.InsufficientPrivilege():
            return AccessDenied(f"{name}: {message}: connect as the owner of the tables, or let the owner grant it")
        case errors.ReadOnlySqlTransaction():
            return AccessDenied(f"{name}: the database can only be read: connect to the primary server")
        case errors.LockNotAvailable() | errors.DeadlockDetected():
            return Locked(f"{name}: another program holds the tables; try again when it is done")
        case errors.OperationalError() if error.sqlstate is None or error.sqlstate.startswith(("08", "57P")):
            return Unreachable(f"{name}: the connection was lost; run the same command again, it goes on from there")
        case errors.FeatureNotSupported() | errors.DependentObjectsStillExist() if error.diag.message_detail:
            dependent = error.diag.message_detail.partition("\n")[0]
            return StoreError(f"{name}: {message}: {dependent}: drop it, and create it again afterwards")
        case errors.DataError() | errors.IntegrityError() | errors.ProgramLimitExceeded() | errors.InternalError_():
            detail = (error.diag.message_detail or "").partition("\n")[0].rstrip(".")
            is_short = detail and not detail.startswith("Failing row")  # which would show all of its text
            return Unstorable(f"{name}: {message}{f' ({detail})' if is_short else ''}")
    return StoreError(f"{name}: {message}")


def _check_pgvector(connection: psycopg.Connection[Any], name: str) -> None:
    query = "SELECT installed_version, default_version FROM pg_available_extensions WHERE name = 'vector'"
    found = connection.execute(query).fetchone()
    needed = ".".join(map(str, OLDEST_PGVECTOR))
    if not found:
        raise UnsuitableServer(f"{name}: the server has no pgvector: install pgvector {needed} or later on it")
    installed, available = found
    if _version(installed or available) >= OLDEST_PGVECTOR:
        return
    if _version(available) >= OLDEST_PGVECTOR:
        raise UnsuitableServer(f"{name}: pgvector {installed} is too old: run ALTER EXTENSION vector UPDATE")
    raise UnsuitableServer(f"{name}: pgvector {available} is too old: install {needed} or later on the server")


def _version(text: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", text)))
