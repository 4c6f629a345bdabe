"""crosshead links."""

from __future__ import annotations

import json
from pathlib import Path

import lance
import pytest
from tests.cli.conftest import Run

from crosshead.types import MAX_LINKS


@pytest.fixture(autouse=True)
def _indexed(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CROSSHEAD_CACHE", str(tmp_path / "cache"))
    Path("docs").mkdir()
    Path("docs/a.md").write_text("# A\n\nSee [two](b.md#two), [gone](c.md) and [site](https://example.org).\n")
    Path("docs/b.md").write_text("# B\n\n## Two\n\n[back](a.md)\n\n[up](#b) [no](#tow)\n")
    Path("docs/d.md").write_text("# D\n\nNothing leads here.\n")
    assert run("index", "docs", "--embedder", "static").exit_code == 0


def test_links_out_of_a_document_and_into_it(run: Run) -> None:
    result = run("links", "docs/a.md")
    assert result.exit_code == 0, result.output
    assert result.stdout == (
        "links to:\n"
        "  docs/a.md:3 two -> docs/b.md#two\n"
        "  docs/a.md:3 gone -> docs/c.md (docs/c.md does not exist)\n"
        "linked from:\n"
        "  docs/b.md:5 back\n"
    )


def test_a_section_by_its_anchor_and_from_another_folder(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("docs")
    result = run("links", "b.md#two", "--index", "../.crosshead")
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[-2:] == ["linked from:", "  a.md:3 two"]


def test_links_of_a_hit(run: Run) -> None:
    assert run("search", "nothing leads here").exit_code == 0
    result = run("links", "1")
    assert result.stdout == "links to: nothing\nlinked from: nothing\n"


def test_broken_links_fail_a_check(run: Run) -> None:
    result = run("links", "--broken")
    assert result.exit_code == 1
    assert result.stdout == (
        "docs/a.md:3: docs/c.md does not exist (nearest: docs/d.md)\n"
        "docs/b.md:7: docs/b.md has no anchor #tow (nearest: #two)\n"
    )
    found = [json.loads(line) for line in run("links", "--broken", "--json").stdout.splitlines()]
    assert [(each["citation"], each["state"]) for each in found] == [
        ("docs/a.md:3", "no_document"),
        ("docs/b.md:7", "no_section"),
    ]


def test_nothing_broken(run: Run) -> None:
    Path("docs/c.md").write_text("# C\n")
    Path("docs/b.md").write_text("# B\n\n## Two\n")
    assert run("index", "docs").exit_code == 0
    result = run("links", "--broken")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "2 links in 4 documents: none is broken" in result.stderr


def test_documents_that_nothing_links_to(run: Run) -> None:
    result = run("links", "--orphans")
    assert (result.exit_code, result.stdout) == (0, "docs/d.md\n")
    assert json.loads(run("links", "--orphans", "--json").stdout) == {"orphan": "docs/d.md"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name a document or section, or check all with --broken or --orphans"),
        (["docs/a.md", "--broken"], "name a document or section, or check all with --broken or --orphans"),
        (["docs/none.md"], "nothing found at docs/none.md"),
        (["docs/a.md#none"], "no heading or id has the anchor #none"),
        (["--broken", "--anchors", "jekyll"], "anchors='jekyll' is not one of github, gitlab,"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(run: Run, arguments: list[str], message: str) -> None:
    result = run("links", *arguments)
    assert result.exit_code != 0
    assert message in " ".join(result.stderr.split())
    assert "Traceback" not in result.output


def test_too_many_links_are_said(run: Run) -> None:
    Path("docs/many.md").write_text("# M\n\n" + "[a](a.md)\n" * (MAX_LINKS + 5))
    assert run("index", "docs").exit_code == 0
    assert "docs/many.md: 5 further links are not in the index" in run("links", "--broken").stderr
    assert run("links", "docs/many.md").stdout.count("\n") == MAX_LINKS + 3


def test_links_of_an_index_in_parts(run: Run) -> None:
    assert run("index", "docs", "--embedder", "static", "--index", "parts", "--parts", 2).exit_code == 0
    whole = run("links", "--broken")
    result = run("links", "--broken", "--index", "parts")
    assert (result.exit_code, result.stdout) == (whole.exit_code, whole.stdout)
    assert run("links", "docs/b.md#two", "--index", "parts").stdout == run("links", "docs/b.md#two").stdout


def test_links_that_are_not_known_fail_a_check(run: Run) -> None:
    lance.dataset(".crosshead/rows.lance").delete("kind = 'links'")
    result = run("links", "--broken")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "warning: docs/a.md and 2 more: without links so far; read again with crosshead index\n"
