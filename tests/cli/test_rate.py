from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Run
from tests.support.language_models import Script, chat_server

from crosshead.index import Index


@pytest.fixture(autouse=True)
def _indexed(run: Run, guide: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CROSSHEAD_CACHE", str(tmp_path / "cache"))
    assert run("index", guide, "--embedder", "static").exit_code == 0


def test_ratings_are_questions_that_eval_measures(run: Run) -> None:
    assert run("eval").exit_code == 2
    assert run("search", "how do I install it").exit_code == 0
    rated = run("rate", "1", "good")
    assert rated.exit_code == 0, rated.output
    assert rated.stdout.startswith("rated good: guide.md:")
    assert '"how do I install it"' in rated.stdout
    result = json.loads(run("eval", "--json").stdout)
    assert result["questions"] == 1
    assert result["runs"]["auto"]["figures"]["hit@1"] == 1.0


def test_answer_is_rated_by_what_it_cites(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with chat_server() as server:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        server.script = Script(parts=["Run pip install crosshead [1]."])
        assert run("ask", "how do I install it", "--llm", "ollama:scripted").exit_code == 0
    assert run("rate", "answer", "good").exit_code == 0
    line = json.loads(Path(".crosshead/questions.jsonl").read_text())
    assert line["question"] == "how do I install it"
    assert [each["file"] for each in line["evidence"]] == ["guide.md"]


def test_ratings_survive_a_change_of_the_index_and_a_new_one(run: Run, guide: str) -> None:
    run("search", "how do I install it")
    run("rate", "1", "good")
    assert run("index", guide, "--max-tokens", "100").exit_code == 0
    kept = Path(".crosshead/questions.jsonl").read_text()
    for path in [*Path(".crosshead").rglob("*")]:
        if path.is_file() and path.name != "questions.jsonl":
            path.unlink()
    with Index(".crosshead", embedder="static") as index:
        index.add(guide)
        assert index.doctor() == []
    assert Path(".crosshead/questions.jsonl").read_text() == kept
    assert run("eval").exit_code == 0


@pytest.mark.parametrize(
    ("args", "error"),
    [
        (("9", "good"), "there is no hit 9"),
        (("first", "good"), "'first' must be the number of a hit, or `answer`"),
        (("answer", "good"), "there is no answer with citations to rate: run crosshead ask first"),
        (("1", "fine"), "'fine' is not one of"),
    ],
)
def test_mistakes_are_one_line(run: Run, args: tuple[str, ...], error: str) -> None:
    run("search", "how do I install it")
    result = run("rate", *args)
    assert result.exit_code == 2
    assert error in result.stderr
    assert not Path(".crosshead/questions.jsonl").exists()


def test_rating_needs_a_search(run: Run) -> None:
    assert "run crosshead search first" in run("rate", "1", "good").stderr
