"""crosshead bench search: what questions cost, in a folder of documents or in an index."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from crosshead.cli.commands.measure.bench_search import MODES, heading_queries, read_queries
from crosshead.errors import CrossheadError
from crosshead.index import Index

Run = Callable[..., Result]


def test_documents_are_indexed_for_the_run_and_asked_for_their_headings(run: Run, docs: str) -> None:
    result = run("bench", "search", docs, "--count", 7, "--rounds", 2, "-k", 3, "--embedder", "static", "--json")
    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout)
    assert (figures["documents"], figures["questions"], figures["rounds"], figures["embedder"]) == (40, 7, 2, "static")
    assert [each["mode"] for each in figures["modes"]] == list(MODES)
    for each in figures["modes"]:
        assert each["hits"] == 21
        assert 0 < each["p50_ms"] <= each["p95_ms"] <= each["max_ms"]
        assert each["hits_per_second"] > 0
    assert not Path(".crosshead").exists()


def test_an_index_is_asked_questions_of_a_file(run: Run, guide: str) -> None:
    assert run("index", guide, "--embedder", "static").exit_code == 0
    Path("questions.txt").write_text("How do I install it?\n\nWords before\n")
    lines = run("bench", "search", "--questions", "questions.txt", "--rounds", 1).stdout.splitlines()
    assert lines[0].startswith("1 document · ")
    assert "2 queries" in lines[0]
    assert [line.split()[0] for line in lines[2:5]] == list(MODES)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"id": "a", "question": "What?", "evidence": []}\n', ["What?"]),
        ("  What now?  \nAnd then?", ["What now?", "And then?"]),
    ],
)
def test_questions_are_lines_or_those_of_an_evaluation(tmp_path: Path, text: str, expected: list[str]) -> None:
    (tmp_path / "questions").write_text(text)
    assert read_queries(tmp_path / "questions") == expected


@pytest.mark.parametrize("text", ["", "\n", '{"id": 1}', "{broken", '{"question"'])
def test_a_file_without_questions(tmp_path: Path, text: str) -> None:
    (tmp_path / "questions").write_text(text)
    with pytest.raises(CrossheadError):
        read_queries(tmp_path / "questions")


def test_headings_come_from_all_over_the_documents(docs: str) -> None:
    with Index(embedder="static") as index:
        index.add(docs)
        every, some = heading_queries(index, 10_000), heading_queries(index, 4)
    assert len({*every}) == len(every) == 40 + 6
    assert len({*some} & {*every}) == 4


@pytest.mark.parametrize(
    ("args", "part"),
    [
        (["missing"], "missing"),
        (["--questions", "missing.txt"], "missing.txt"),
        (["--index", "nowhere"], "no index"),
        (["plain.txt"], "no headings to search for"),
    ],
)
def test_mistake_is_one_line(run: Run, guide: str, args: list[str], part: str) -> None:
    Path("plain.txt").write_text("just words\n")
    run("index", guide, "--embedder", "static")
    result = run("bench", "search", *args)
    assert result.exit_code == 2
    assert part in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_database_is_asked_as_well(run: Run, guide: str, database: str) -> None:
    assert run("index", guide, "--embedder", "static", "--index", database).exit_code == 0
    figures = json.loads(run("bench", "search", "--index", database, "--rounds", 1, "--json").stdout)
    assert figures["location"].startswith("postgresql://")
    assert all(each["hits"] for each in figures["modes"])
