from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Run

from crosshead.index import Index


def write_questions(count: int) -> None:
    item = {"file": "guide.md", "start_line": 12, "end_line": 14}
    lines = [{"id": f"q{at}", "question": "how do I install it", "evidence": [item]} for at in range(count)]
    Path("questions.jsonl").write_text("\n".join(map(json.dumps, lines)))


def test_settings_are_kept_only_if_they_gain_more_than_chance(run: Run, guide: str) -> None:
    run("index", guide, "--embedder", "static")
    write_questions(44)
    result = run("tune", "questions.jsonl")
    assert result.exit_code == 0, result.output
    assert "44 questions" not in result.stdout
    assert "questions to choose on" in result.stdout
    assert "95 % interval" in result.stdout
    assert "kept: " not in result.stdout
    found = json.loads(run("tune", "questions.jsonl", "--json").stdout)
    assert found["chosen_on"] + found["reported_on"] == 44
    assert not found["kept"]


def test_reset_goes_back_to_the_settings_of_a_new_index(run: Run, guide: str) -> None:
    run("index", guide, "--embedder", "static")
    with Index(".crosshead") as index:
        index.keep_search_options({"heading_weight": 1.0})
    assert run("tune", "--reset").exit_code == 0
    with Index(".crosshead") as index:
        assert index.search_defaults().heading_weight == 0.25


def test_few_questions_and_none_are_refused_in_a_line(run: Run, guide: str) -> None:
    run("index", guide, "--embedder", "static")
    write_questions(5)
    few, none = run("tune", "questions.jsonl"), run("tune")
    assert (few.exit_code, none.exit_code) == (2, 2)
    assert "tuning needs 40 questions, there are 5" in few.stderr
    assert "no ratings yet in" in none.stderr
