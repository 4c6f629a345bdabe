"""Metadata from the command line and from crosshead.toml."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def _documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROSSHEAD_CACHE", str(tmp_path / "cache"))
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/keys.md").write_text("---\nteam: infra\n---\n# Keys\n\nRotate the keys.\n")
    (tmp_path / "docs/locks.md").write_text("# Locks\n\nKeys fit into locks.\n")


def listed(run: Run) -> dict[str, object]:
    lines = [json.loads(line) for line in run("list", "--json").stdout.splitlines()]
    return {each["source"]: each["metadata"] for each in lines}


def found(run: Run, *where: str) -> list[str]:
    flags = [each for condition in where for each in ("--where", condition)]
    return sorted(json.loads(line)["source"] for line in run("search", "keys", *flags, "--json").stdout.splitlines())


def test_what_is_given_is_what_filters_find(run: Run) -> None:
    given = ("--meta", "team=web", "--meta", "tags=a,b", "--meta", "year=2026", "--meta", "title=Keys, locks")
    assert run("index", "docs", *given).stdout == "2 added; 2 texts embedded\n"
    assert found(run, "team=web", "tags=b", "year>=2026", "title=Keys, locks") == ["docs/keys.md", "docs/locks.md"]
    assert run("index", "docs").stdout == "2 unchanged; 0 texts embedded\n"
    assert run("index", "docs/keys.md", "--meta", "team=").stdout == "1 updated; 0 texts embedded\n"
    assert found(run, "team=infra") == ["docs/keys.md"]
    assert "metadata        tags, team, title, year" in run("status").stdout


def test_tables_of_the_settings_file_are_for_every_command_that_indexes(run: Run, tmp_path: Path) -> None:
    (tmp_path / "crosshead.toml").write_text(
        "[chunk]\nmax_tokens = 300\n[[metadata]]\nfiles = 'locks.*'\nteam = 'web'\n"
    )
    assert run("chunk", "docs").exit_code == 0
    assert run("index", "docs").exit_code == 0
    assert listed(run) == {"docs/keys.md": {"team": "infra"}, "docs/locks.md": {"team": "web"}}
    (tmp_path / "crosshead.toml").unlink()
    assert run("index", "docs").stdout == "1 updated, 1 unchanged; 0 texts embedded\n"
    assert listed(run)["docs/locks.md"] == {}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["docs", "--meta", "team"], "'team' is not metadata: write KEY=VALUE, as in team=infra or tags=a,b"),
        (["docs", "--meta", "year>=2026"], "'year>=2026' is not metadata: write KEY=VALUE"),
        (["docs", "--meta", "x=[a, {b: 1}]"], "metadata: x=['a', {'b': 1}] is not a text, a number"),
        (["docs", "--meta", "x=.inf"], "metadata: x=inf is not a text, a number"),
        (["--meta", "team=infra"], "--meta is for documents: name their PATH"),
    ],
)
def test_mistakes_are_one_line_and_nothing_is_indexed(run: Run, arguments: list[str], message: str) -> None:
    result = run("index", *arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"error: {message}")
    assert result.stderr.count("\n") == 1
    assert not Path(".crosshead").exists()


def test_a_table_that_is_wrong_is_a_mistake_in_one_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "crosshead.toml").write_text("[[metadata]]\nglob = '*'\nteam = 'web'\n")
    result = run("index", "docs")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"error: {tmp_path}/crosshead.toml: [[metadata]] 1: it needs a line that says for")
    assert result.stderr.count("\n") == 1
    assert not Path(".crosshead").exists()
