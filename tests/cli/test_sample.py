"""crosshead check --sample: chunks from all over the documents, and what can be told by rule."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Run
from typer.testing import Result

from crosshead.cli.sample import draw

TORN = "word " * 2_000


def json_lines(result: Result) -> list[Any]:
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.parametrize(
    ("total", "size", "drawn"),
    [
        (0, 5, []),
        (3, 5, [0, 1, 2]),
        (5, 5, [0, 1, 2, 3, 4]),
        (9, 3, [1, 4, 7]),
        (100, 4, [12, 37, 62, 87]),
        (7, 1, [3]),
    ],
)
def test_chunks_are_drawn_at_equal_distances(total: int, size: int, drawn: list[int]) -> None:
    assert draw(total, size) == drawn


def test_every_chunk_is_shown_as_a_reader_gets_it(run: Run, docs: str) -> None:
    chunks = json_lines(run("chunk", docs, "--json"))
    *sampled, summary = json_lines(run("check", docs, "--sample", 9, "--json"))
    drawn = [chunks[number] for number in draw(len(chunks), 9)]
    assert [each["id"] for each in sampled] == [each["id"] for each in drawn]
    for each, chunk in zip(sampled, drawn, strict=True):
        assert {key: each[key] for key in ("source", "citation", "breadcrumb", "token_count")} == {
            key: chunk[key] for key in ("source", "citation", "breadcrumb", "token_count")
        }
        assert each["text"].endswith(chunk["content"])
        assert each["text"].startswith(chunk["heading_prefix"])
    assert (summary["chunks"], summary["sampled"], summary["readable"], summary["ok"]) == (len(chunks), 9, 1.0, True)


def test_neighbors_are_of_the_same_document(run: Run, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.md").write_text(f"# One\n\n{name} first.\n\n# Two\n\n{name} second.\n")
    *sampled, _ = json_lines(run("check", "a.md", "b.md", "--sample", 50, "--json"))
    assert [(each["before"], each["after"]) for each in sampled] == [
        ("", "# Two"), ("a first.", ""), ("", "# Two"), ("b first.", ""),
    ]  # fmt: skip


def test_table_tells_shares_and_the_goal(run: Run, tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text("---\ntitle: Book\n---\n\n# Guide\n\nText.\n")
    (tmp_path / "torn.md").write_text(f"# Guide\n\n{TORN}\n")
    good = run("check", "good.md", "--sample", 50)
    assert good.exit_code == 0
    assert good.stdout.startswith("1/1  good.md:5-7 · Book > Guide · 5 tokens\n\n# Guide\n\nText.\n")
    assert "reached: the goal is more than 90% readable on their own · 1 of 1 chunk" in good.stdout
    torn = run("check", "torn.md", "--sample", 2).stdout
    rows = [line.split() for line in torn.splitlines()]
    assert ["ends", "inside", "a", "sentence", "2", "100%"] in rows
    assert ["is", "readable", "on", "its", "own", "0", "0%"] in rows
    assert torn.count("! begins inside a sentence") == 2
    assert "missed: the goal is more than 90%" in torn


def test_missed_goal_fails_if_that_is_asked_for(run: Run, tmp_path: Path) -> None:
    (tmp_path / "torn.md").write_text(TORN)
    assert run("check", "torn.md", "--sample", 9).exit_code == 0
    result = run("check", "torn.md", "--sample", 9, "--strict", "--json")
    assert result.exit_code == 1
    *_, summary = json_lines(result)
    assert not summary["ok"]
    assert summary["faults"]["no_heading"] == 0
    assert summary["faults"]["ends_inside_sentence"] > 0.5


def test_document_that_cannot_be_read_is_told_once(run: Run, tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text("Text.\n")
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7 nothing")
    result = run("check", "good.md", "broken.pdf", "--sample", 9)
    assert result.exit_code == 1
    assert result.stderr.count("broken.pdf") == 1
    assert "1 of 1 chunk" in result.stdout


def test_sample_does_not_depend_on_the_number_of_processes(run: Run, docs: str) -> None:
    one, two = (run("check", docs, "--sample", 7, "--jobs", jobs).stdout for jobs in (1, 2))
    assert one == two


def test_nothing_to_draw_from_is_no_fault(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty.md").write_text("")
    result = run("check", "empty.md", "--sample", 9, "--strict", "--json")
    assert result.exit_code == 0
    assert json_lines(result)[-1]["sampled"] == 0


def test_sample_of_none_is_a_mistake(run: Run, guide: str) -> None:
    assert run("check", guide, "--sample", 0).exit_code == 2
