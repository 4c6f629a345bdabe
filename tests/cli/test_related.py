"""crosshead related."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Run

ROTATE = "Rotate the signing keys every quarter. Announce the rotation a week before, and keep the old key for a day."


@pytest.fixture
def indexed(run: Run, tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "keys.md").write_text(f"# Keys\n\n{ROTATE}\n")
    (folder / "copy.md").write_text(f"# Old keys\n\n{ROTATE}\n")
    (folder / "night.md").write_text("# Nights\n\nBackups run every night, and the keys to them are in a safe.\n")
    run("index", "docs")
    return folder


def test_related_sections_are_listed_with_their_citations(run: Run, indexed: Path) -> None:
    lines = run("related", "docs/keys.md:3").stdout.splitlines()
    assert lines[0].split()[:2] == ["1", "docs/copy.md:1-3"]
    assert "copy: " in lines[0]
    assert lines[1].strip() == "Old keys"
    assert lines[2].split()[:2] == ["2", "docs/night.md:1-3"]
    assert "copy" not in lines[2]
    assert len(lines) == 4


def test_related_sections_as_json_and_from_the_last_search(run: Run, indexed: Path) -> None:
    found = [json.loads(line) for line in run("related", "docs/keys.md", "--json", "-n", 1).stdout.splitlines()]
    assert [(each["citation"], each["is_copy"], each["compared"]) for each in found] == [
        ("docs/copy.md:1-3", True, "vectors")
    ]
    hit = json.loads(run("search", "signing keys", "--source", "keys.md", "--json", "-k", 1).stdout)
    for address in ("1", "docs/keys.md#keys", hit["section_id"], hit["chunk"]["id"]):
        again = [json.loads(line) for line in run("related", address, "--json", "-n", 1).stdout.splitlines()]
        assert again == found


def test_an_anchor_that_does_not_exist_leads_nowhere(run: Run, indexed: Path) -> None:
    assert run("show", "docs/keys.md#keys").stdout.startswith("docs/keys.md")
    missing = run("related", "docs/keys.md#nothing")
    assert (missing.exit_code, missing.stdout) == (1, "")
    assert missing.stderr.startswith("error: nothing found at docs/keys.md#nothing")


def test_related_to_nothing_is_an_error_of_one_line(run: Run, indexed: Path) -> None:
    missing = run("related", "docs/gone.md")
    assert (missing.exit_code, missing.stdout) == (1, "")
    assert missing.stderr.startswith("error: nothing found at docs/gone.md")
    assert missing.stderr.count("\n") == 1
    for name in ("copy.md", "night.md"):
        (indexed / name).unlink()
    run("index", "docs", "--yes")
    alone = run("related", "docs/keys.md")
    assert (alone.exit_code, alone.stdout) == (1, "")
    assert "no other document" in alone.stderr
