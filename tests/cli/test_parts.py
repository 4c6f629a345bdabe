"""crosshead index --parts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Run


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for number in range(8):
        (folder / f"{number}.md").write_text(f"# Page {number}\n\nText of page {number}, which has some words.\n")
    return folder


def test_parts_are_made_once_and_found_again(run: Run, docs: Path, tmp_path: Path) -> None:
    assert run("index", "docs", "--parts", 3).stdout == "8 added; 8 texts embedded\n"
    assert sorted(each.name for each in (tmp_path / ".crosshead").iterdir() if each.is_dir()) == [
        "part-000",
        "part-001",
        "part-002",
    ]
    (docs / "3.md").unlink()
    (docs / "4.md").write_text("# Page 4\n\nOther text.\n")
    assert run("index", "docs").stdout == "1 updated, 6 unchanged, 1 removed; 1 text embedded\n"
    again = json.loads(run("index", "docs", "--json", "--parts", 3).stdout)
    assert (again["unchanged"], again["updated"]) == (7, 0)
    status = json.loads(run("status", "--json").stdout)
    assert (status["documents"], status["chunks"]) == (7, 7)
    assert len(run("list", "--json").stdout.splitlines()) == 7
    assert run("search", "page 5").stdout.splitlines()[0].endswith("docs/5.md:1-3")
    assert run("optimize").stdout.startswith("optimized: ")
    assert run("remove", "docs/4.md", "docs/3.md").stdout == "docs/4.md: 1 removed\n"
    assert run("remove", "docs").stdout == "docs: 6 removed\n"


def test_settings_of_all_parts_are_changed(run: Run, docs: Path) -> None:
    run("index", "docs", "--parts", 2)
    changed = run("index", "docs", "--max-tokens", 100)
    assert changed.stdout.splitlines()[-1] == "8 unchanged; 0 texts embedded"
    for part in ("part-000", "part-001"):
        status = json.loads(run("status", "--json", "--index", f".crosshead/{part}").stdout)
        assert status["settings"]["chunk"]["max_tokens"] == 100
        assert status["root"] == str(docs.parent)


def test_what_parts_cannot_do_is_an_error_of_one_line(run: Run, docs: Path) -> None:
    run("index", "docs", "--parts", 2)
    other = run("index", "docs", "--parts", 3)
    assert (other.exit_code, other.stdout) == (2, "")
    assert other.stderr.startswith("error: .crosshead: this index has 2 parts: leave out --parts, or make another")
    tuned = run("tune")
    assert tuned.exit_code == 2
    assert tuned.stderr.startswith("error: .crosshead: this command takes one index: name a part of it")
    watched = run("index", "docs", "--watch")
    assert watched.exit_code == 2
    assert watched.stderr.startswith("error: --watch follows one index")
    run("index", "docs", "--index", "whole")
    whole = run("index", "docs", "--index", "whole", "--parts", 2)
    assert whole.exit_code == 2
    assert "this index is one whole" in whole.stderr
    assert run("index", "empty-handed", "--index", "new", "--parts", 2).exit_code == 2
