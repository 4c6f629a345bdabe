"""What can be wrong with a database is said in one line, without the credentials."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from tests.conftest import TEST_DSN

from crosshead.errors import (
    AccessDenied,
    CrossheadError,
    IndexNotFound,
    MigrationRequired,
    MissingExtra,
    OptionsError,
    StoreError,
    Unreachable,
    UnsuitableServer,
)
from crosshead.store.opening import POSTGRES, find_kind, open_store
from crosshead.store.postgres.database import connection as connections
from crosshead.store.postgres.database import revisions
from crosshead.store.postgres.database.connection import connect, public_url, translate_errors
from crosshead.store.postgres.legacy import migrate

SECRET = "hunter2"


def with_options(url: str, options: str) -> str:
    return f"{url}{'&' if '?' in url else '?'}options={options}"


def failure(url: str) -> CrossheadError:
    with pytest.raises(CrossheadError) as caught:
        connect(url)
    assert "\n" not in str(caught.value)
    return caught.value


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://me:hunter2@db.example:5433/docs?sslmode=require&password=hunter2", "db.example:5433/docs"),
        ("postgres://localhost/docs", "localhost/docs"),
        ("postgresql:///docs?host=/run/postgresql", "/docs"),
        ("postgresql://", "/"),
        ("postgresql://me@[::1]:5432/docs", "[::1]:5432/docs"),
        ("postgresql://me:hun%40ter2@a:1,b:2/docs", "a:1,b:2/docs"),
    ],
)
def test_place_shows_server_and_database_only(url: str, shown: str) -> None:
    assert public_url(url) == f"postgresql://{shown}"
    assert find_kind(url) == POSTGRES


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://me:hunter2@host:port/docs", "postgresql://me:hun/hunter2@host/docs",
        "postgresql://me:hun?hunter2@host/docs", "postgresql://me:1?hunter2@host/docs",
        "postgresql://me:x@hunter2@host/docs", "postgresql://me@x:hunter2@host/docs", "mysql://me:hunter2@host/docs",
        "postgresql://me:hunter2@host:99999/docs", "postgresql://me:hunter2@host/docs?bogus=hunter2",
        "postgresql://me:hunter2%zz@host/docs", "postgresql://me:hunter2@127.0.0.1:1/docs",
        "postgresql://me:hunter2@hunter.invalid/docs",
    ],
)  # fmt: skip
def test_no_error_tells_the_password(url: str) -> None:
    error = failure(url)
    assert isinstance(error, OptionsError | Unreachable)
    assert SECRET not in "".join(traceback.format_exception(error))


@pytest.mark.parametrize("call", [connect, migrate.upgrade, migrate.plan])
def test_extra_that_is_not_installed(monkeypatch: pytest.MonkeyPatch, call: Callable[[str], object]) -> None:
    for package in ("psycopg", "alembic", "sqlalchemy"):
        monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra, match=r"crosshead\[postgres\]"):
        call("postgresql://host/docs")


def test_server_that_does_not_answer() -> None:
    error = failure("postgresql://127.0.0.1:1/docs")
    assert isinstance(error, Unreachable)
    assert "check that it runs" in str(error)


def test_database_that_does_not_exist(server: str) -> None:
    error = failure(urlsplit(server)._replace(path="/nothing_here").geturl())
    assert isinstance(error, IndexNotFound)
    assert "there is no such database" in str(error)


@pytest.mark.parametrize(
    ("message", "kind", "part"),
    [
        ('FATAL:  password authentication failed for user "me"', AccessDenied, "password is wrong"),
        ("fe_sendauth: no password supplied", AccessDenied, "password is wrong"),
        ('FATAL:  no pg_hba.conf entry for host "10.0.0.1", user "me"', AccessDenied, "pg_hba.conf"),
        ("FATAL:  sorry, too many clients already", Unreachable, "max_connections"),
        ("SSL error: certificate verify failed", Unreachable, "sslrootcert"),
        ("timeout expired", Unreachable, "does not answer"),
    ],
)
def test_refusals(monkeypatch: pytest.MonkeyPatch, message: str, kind: type[StoreError], part: str) -> None:
    def refuse(**options: object) -> None:
        raise psycopg.OperationalError(message)

    monkeypatch.setattr(psycopg, "connect", refuse)
    error = failure("postgresql://me:hunter2@host/docs")
    assert type(error) is kind
    assert part in str(error)


def test_server_too_old(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "OLDEST_SERVER", 99)
    error = failure(database)
    assert isinstance(error, UnsuitableServer)
    assert "an index needs 99 or later" in str(error)


@pytest.mark.parametrize(
    ("row", "part"),
    [
        ("", "install pgvector 0.8 or later"),
        ("('vector', '0.7.4', '0.8.0')", "run ALTER EXTENSION vector UPDATE"),
        ("('vector', NULL, '0.7.4')", "pgvector 0.7.4 is too old: install 0.8"),
    ],
)
def test_pgvector_missing_or_too_old(database: str, row: str, part: str) -> None:
    """A view of the same name stands in front of the server's own."""
    values = f"VALUES {row}" if row else "SELECT NULL, NULL, NULL LIMIT 0"
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA fake")
        connection.execute(
            f"CREATE VIEW fake.pg_available_extensions (name, installed_version, default_version) AS {values}"
        )
    error = failure(with_options(database, "-csearch_path%3Dfake,pg_catalog"))
    assert isinstance(error, UnsuitableServer)
    assert part in str(error)


def test_schema_that_does_not_exist(database: str) -> None:
    assert "no schema that exists" in str(failure(with_options(database, "-csearch_path%3Dnowhere")))


@pytest.fixture
def reader(database: str) -> Iterator[str]:
    """The URL of a user who may read only."""
    with psycopg.connect(database, autocommit=True) as connection:
        name = urlsplit(database).path[1:].replace("test", "reader")
        connection.execute(f"CREATE ROLE {name} LOGIN PASSWORD '{SECRET}'")
        parts = urlsplit(database)
        host = parts.netloc.rpartition("@")[2]
        yield parts._replace(netloc=f"{name}:{SECRET}@{host}").geturl()
        connection.execute(f"DROP OWNED BY {name}")
        connection.execute(f"DROP ROLE {name}")


def test_missing_rights(reader: str, database: str) -> None:
    with pytest.raises(AccessDenied, match="permission denied") as caught:
        migrate.upgrade(reader)
    assert "connect as the owner" in str(caught.value)
    migrate.upgrade(database, "0001")
    with pytest.raises(AccessDenied, match="permission denied"):
        migrate.upgrade(reader)


def test_extension_that_only_a_superuser_may_create(reader: str, database: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("DROP EXTENSION IF EXISTS vector")
        connection.execute(f"GRANT CREATE ON SCHEMA public TO {urlsplit(reader).username}")
    with pytest.raises(AccessDenied, match="superuser run CREATE EXTENSION vector in this database"):
        migrate.upgrade(reader)


def test_wrong_password(reader: str, database: str) -> None:
    with asking_for_passwords(reader, database):
        connect(reader).close()
        error = failure(reader.replace(SECRET, "hunter3"))
    assert isinstance(error, AccessDenied)
    assert "password is wrong" in str(error)
    assert "hunter3" not in "".join(traceback.format_exception(error))


@contextmanager
def asking_for_passwords(url: str, database: str) -> Iterator[None]:
    """Let the server that the tests started ask a user for a password; another one is left as it is."""
    if TEST_DSN:
        try:
            psycopg.connect(url.replace(SECRET, "hunter3")).close()
        except psycopg.OperationalError:
            yield
            return
        pytest.skip("this server lets everybody in")
    with psycopg.connect(database, autocommit=True) as connection:
        (path,) = connection.execute("SHOW hba_file").fetchone() or ("",)
        rules = Path(path)
        before = rules.read_text()
        try:
            rules.write_text(f"local all {urlsplit(url).username} scram-sha-256\n{before}")
            connection.execute("SELECT pg_reload_conf()")
            yield
        finally:
            rules.write_text(before)
            connection.execute("SELECT pg_reload_conf()")


def test_database_that_can_only_be_read(database: str) -> None:
    with pytest.raises(AccessDenied, match="can only be read"):
        migrate.upgrade(with_options(database, "-cdefault_transaction_read_only%3Don"))


def test_schema_older_than_the_program(database: str) -> None:
    with connect(database) as connection, pytest.raises(IndexNotFound, match="crosshead index"):
        revisions.check_revision(connection, database)
    migrate.upgrade(database, "0002")
    with connect(database) as connection, pytest.raises(MigrationRequired, match="crosshead db upgrade"):
        revisions.check_revision(connection, database)


def test_other_errors_stay_what_they_are(database: str) -> None:
    with pytest.raises(KeyError), translate_errors(database):
        raise KeyError("x")
    with (
        pytest.raises(StoreError, match='relation "missing" does not exist'),
        connect(database) as connection,
        translate_errors(database),
    ):
        connection.execute("SELECT * FROM missing")


@pytest.mark.parametrize(
    "location", ["postgresql:/me:secret@host/docs", "Postgres:me:secret@host", Path("postgresql://me:secret@host/docs")]
)
def test_a_mistyped_url_is_no_folder(location: str | Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OptionsError, match="two slashes") as raised:
        open_store(location, create={})
    assert "secret" not in str(raised.value)
    assert not list(tmp_path.iterdir())
