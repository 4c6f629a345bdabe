"""crosshead db upgrade, downgrade and status."""

from __future__ import annotations

import json
from collections.abc import Callable
from urllib.parse import urlsplit

import psycopg
import pytest
from tests.store.legacy import Row, write_legacy
from typer.testing import Result

from crosshead.store.postgres.database.revisions import HEAD

Run = Callable[..., Result]

ROWS = [
    Row(1, None, 1, "H1", "Guide", None, 1, 1, "no_vec"),
    Row(2, 1, 1, "H1-chunk", "Guide\nMoved text.", None, 2, 3, "vec"),
    Row(3, 1, 1, "H1-chunk", "Other\nLeft text.", None, 4, 5, "vec_err"),
]


@pytest.fixture
def legacy(database: str) -> str:
    write_legacy(database, ROWS)
    return database


def test_dry_run_says_what_would_be_done_and_does_nothing(run: Run, legacy: str) -> None:
    result = run("db", "upgrade", "--index", legacy, "--dry-run")
    assert result.exit_code == 0
    assert f"0001 -> {HEAD} (dry run, nothing is changed)" in result.stdout
    assert (
        "3 rows, 1 breadcrumb moved\n"
        "1 row to embed again: crosshead embed --pending --embedder NAME\n"
        "1 row left alone\n"
    ) in result.stdout
    assert json.loads(run("db", "status", "--index", legacy, "--json").stdout)["revision"] == "0001"


def test_upgrade_reports_every_row_that_it_left_alone(run: Run, legacy: str) -> None:
    result = run("db", "upgrade", "--index", legacy)
    assert result.exit_code == 0
    assert "row 3: its first line is not the breadcrumb" in result.stdout
    assert "breadcrumbs in all: 3 rows, 1 moved, 1 to embed again, 1 left alone" in result.stderr
    again = run("db", "upgrade", "--index", legacy)
    assert f"has revision {HEAD} already" in again.stdout


def test_dry_run_names_what_will_fail_and_what_to_do(run: Run, legacy: str) -> None:
    with psycopg.connect(legacy) as connection:
        connection.execute("CREATE VIEW words AS SELECT content_tsvector FROM chunks")
        connection.execute("ALTER TABLE works ADD source TEXT")
    result = run("db", "upgrade", "--index", legacy, "--dry-run")
    assert result.exit_code == 1
    assert (
        "error: this would fail: column works.source is in the way of a column of Crosshead: rename it" in result.stderr
    )
    assert "error: this would fail: view words depends on chunks.content_tsvector" in result.stderr
    refused = run("db", "upgrade", "--index", legacy)
    assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
    assert "nothing was changed" in refused.stderr


def test_heading_rows_that_had_vectors_are_said_before_and_after(run: Run, database: str) -> None:
    write_legacy(database, [ROWS[0]._replace(vector_status="vec"), *ROWS[1:]])
    for flags in (["--dry-run"], []):
        said = run("db", "upgrade", "--index", database, *flags).stdout
        assert "2 rows to embed again" in said
        assert "no new vector for 1 heading row of these: headings are found with their text" in said


def test_breadcrumbs_of_which_none_is_recognized_are_no_success(run: Run, database: str) -> None:
    write_legacy(database, [ROWS[0], ROWS[1]._replace(content="Manual > Keys\nMoved text.")])
    for flags in (["--dry-run"], []):
        result = run("db", "upgrade", "--index", database, *flags)
        assert result.exit_code == 1
        assert "no breadcrumb was recognized, but 1 row begins" in result.stderr


def test_rows_that_are_odd_are_told_before_and_after(run: Run, legacy: str) -> None:
    with psycopg.connect(legacy) as connection:
        connection.execute("INSERT INTO chunks (id, work_id, level, content) VALUES (4, 99, 'H1-chunk', 'text')")
    for command in (["upgrade", "--dry-run"], ["upgrade"], ["status"]):
        assert "row 4: its work 99 is gone, and it is not in the index" in run("db", *command, "--index", legacy).stdout


def test_upgrade_and_downgrade_as_json(run: Run, legacy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROSSHEAD_INDEX", legacy)
    up = json.loads(run("db", "upgrade", "--json").stdout)
    assert (up["before"], up["after"], up["dry_run"]) == ("0001", HEAD, False)
    assert up["breadcrumbs"] == {"rows": 3, "moved": 1, "reset": 1, "left_alone": 1, "lookalikes": 0, "headings": 0}
    assert up["left_alone"] == [[3, "its first line is not the breadcrumb"]]
    planned = json.loads(run("db", "downgrade", "--to", "1", "--dry-run", "--json").stdout)
    down = json.loads(run("db", "downgrade", "--to", "0001", "--json").stdout)
    assert planned == {**down, "dry_run": True}
    assert (down["before"], down["after"], down["breadcrumbs"]["moved"]) == (HEAD, "0001", 1)
    with psycopg.connect(legacy) as connection:
        contents = connection.execute("SELECT content FROM chunks ORDER BY id").fetchall()
    assert [content for (content,) in contents] == [row.content for row in ROWS]


def test_status_before_and_after(run: Run, database: str) -> None:
    assert "none, the database is empty" in run("db", "status", "--index", database).stdout
    write_legacy(database, ROWS)
    before = run("db", "status", "--index", database).stdout
    assert f"0001; the program needs {HEAD}: crosshead db upgrade" in before
    run("db", "upgrade", "--index", database)
    lines = run("db", "status", "--index", database).stdout.splitlines()
    facts = {line.split("  ")[0]: line.split("  ")[-1].strip() for line in lines}
    assert facts["revision"] == f"{HEAD}, the newest"
    assert (facts["works"], facts["sections"], facts["chunks"]) == ("2", "1", "2")
    assert facts["vectors"] == "no_vec 1, to_vec 1, vec_err 1"
    assert (facts["breadcrumbs"], facts["left alone"]) == ("1", "1")
    assert "row 2: Guide | Moved text." in lines


@pytest.mark.parametrize(
    ("args", "part"),
    [
        (["status"], "no database is named"),
        (["status", "--index", ".crosshead"], "must be the URL of a database"),
        (["upgrade", "--index", "postgresql://me:hunter2@127.0.0.1:1/docs"], "the server does not answer"),
        (["downgrade", "--index", "postgresql://me:hun/hunter2@host/docs", "--debug"], "is not valid"),
    ],
)
def test_mistake_is_one_line_without_credentials(run: Run, args: list[str], part: str) -> None:
    result = run("db", *args)
    assert result.exit_code == 2
    assert part in result.stderr.splitlines()[-1]
    assert "hunter2" not in result.stderr + result.stdout
    assert "--debug" in args or result.stderr.count("\n") == 1


def test_status_shows_no_credentials(run: Run, database: str) -> None:
    secret = urlsplit(database).password or "hunter2"
    url = f"{database}{'&' if '?' in database else '?'}password={secret}"
    for flags in ([], ["--json"]):
        result = run("db", "status", "--index", url, *flags)
        assert result.exit_code == 0
        assert secret not in result.output
