"""What becomes of migrated documents: a model is chosen, and their files take their place."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from tests.store.legacy import Row, write_legacy
from typer.testing import Result

from crosshead.store.postgres.legacy import migrate

Run = Callable[..., Result]

ROWS = [
    Row(1, None, 1, "H1", "# Handbuch", None, 1, 1, "no_vec"),
    Row(2, 1, 1, "H1-chunk", "Handbuch\nAlle Häuser haben Türen.", None, 2, 3, "to_vec"),
    Row(3, None, 2, "H1-chunk", "Something else.", None, 2, 3, "to_vec"),
]


@pytest.fixture(autouse=True)
def _no_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROSSHEAD_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def migrated(database: str) -> str:
    write_legacy(database, ROWS)
    migrate.upgrade(database)
    return database


def retitle(url: str, titles: dict[int, str]) -> None:
    with psycopg.connect(url) as connection:
        for work, title in titles.items():
            connection.execute(
                "INSERT INTO works VALUES (%s, %s) ON CONFLICT (id) DO UPDATE SET title = %s", [work, title, title]
            )


def test_language_root_and_text_are_chosen_with_the_model(run: Run, migrated: str, tmp_path: Path) -> None:
    flags = ["--embedder", "static", "--language", "german", "--embed-text", "content", "--root", str(tmp_path)]
    result = run("embed", "--pending", *flags, "--index", migrated)
    assert (result.exit_code, result.stdout) == (0, "2 chunks embedded\n")
    assert result.stderr.splitlines()[-1] == "embedding: 2 of 2"
    status = json.loads(run("status", "--index", migrated, "--json").stdout)
    chosen = status["settings"]
    assert (chosen["language"], chosen["embed_text"], chosen["root"]) == ("german", "content", str(tmp_path))
    for question in ("haus", "handbücher"):
        found = run("search", question, "--mode", "lexical", "--index", migrated, "--json").stdout
        assert "Alle Häuser" in json.loads(found.splitlines()[0])["chunk"]["content"]
    again = run("embed", "--pending", "--language", "french", "--index", migrated)
    assert again.exit_code == 0
    assert "changed language german -> french" in again.stdout


def test_files_take_the_place_of_migrated_documents(run: Run, database: str, tmp_path: Path) -> None:
    write_legacy(database, [])
    works = {1: "Keys", 2: "docs/paths.md", 3: "stem", 4: "Twice", 5: "Twice", 6: "Gone", 7: "named.md"}
    retitle(database, works)
    migrate.upgrade(database)
    docs = tmp_path / "docs"
    docs.mkdir()
    for name, title in {"a": "Keys", "paths": "Other", "stem": "Else", "twice": "Twice", "named": "More"}.items():
        (docs / f"{name}.md").write_text(f"# {title}\n\ntext\n")
    result = run("index", str(docs), "--index", database, "--root", str(tmp_path), "--embedder", "static")
    assert result.exit_code == 0, result.output
    assert "docs/a.md takes the place of the migrated document Keys" in result.stderr
    status = json.loads(run("status", "--index", database, "--json").stdout)
    assert (status["documents"], status["migrated"]) == (8, ["Gone", "Twice", "Twice (5)"])
    shown = run("status", "--index", database).stdout
    assert "migrated        3 that no indexed file took the place of" in shown
    assert "Twice (5)" in shown
    again = run("index", str(docs), "--index", database)
    assert again.stdout == "5 unchanged; 0 texts embedded\n"


def test_status_of_the_database_is_never_cut_in_a_pipe(run: Run, database: str) -> None:
    title, text = "T" * 300, "word " * 15
    write_legacy(database, [ROWS[0]._replace(content=title), ROWS[1]._replace(content=f"{title}\n{text}.\nmore")])
    migrate.upgrade(database)
    assert f"row 2: {title} | {text}." in run("db", "status", "--index", database).stdout


def test_rows_without_content_fail_nowhere(run: Run, database: str, tmp_path: Path) -> None:
    write_legacy(
        database,
        [
            Row(1, None, 1, "H1", "Guide", None, 1, 1, "no_vec"),
            Row(2, 1, 1, "H2", None, None, 2, 2, "vec"),
            Row(3, 2, 1, "H2-chunk", None, None, 3, 3, "to_vec"),
            Row(4, 2, 1, "H2-chunk", "Guide\nRotate keys.", None, None, None, "to_vec"),
            Row(5, 2, 1, "H2-chunk", None, None, None, None, "vec"),
            Row(6, None, 1, "H1-chunk", "", None, None, None, None),
            Row(7, None, 2, "H1", None, None, None, None, None),
            Row(8, 7, 2, "H1-chunk", None, None, None, None, None),
        ],
    )
    migrate.upgrade(database)

    def call(*args: str) -> str:
        result = run(*args)
        assert result.exit_code == 0, result.output
        return result.stdout

    at = ["--index", database]
    assert call("embed", "--pending", "--embedder", "static", "--language", "german", *at) == "1 chunk embedded\n"
    for flags in ([], ["--mode", "dense"], ["--mode", "lexical"], ["--passages"], ["--expand"], ["--json"]):
        assert "Rotate keys." in call("search", "rotate", *flags, *at)
    with psycopg.connect(database) as connection:
        ids = [id for (id,) in connection.execute("SELECT chunk_id FROM chunks")]
    assert len(ids) == 8
    for id in ids:
        call("show", id, *at)
        call("show", id, "--json", *at)
    call("status", *at)
    assert "Guide" in call("list", *at)
    assert call("doctor", database).endswith(": sound\n")
    call("copy", database, str(tmp_path / "copied"))
    assert call("doctor", str(tmp_path / "copied")).endswith(": sound\n")
    assert "Rotate keys." in call("search", "rotate", "--index", str(tmp_path / "copied"))
    call("optimize", *at)
    call("db", "status", *at)
    assert call("remove", "Guide", *at) == "Guide: 1 removed\n"
