"""Commands that search several indexes as one, and those that do not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Run
from tests.support.language_models import Script, chat_server

TEXTS = {
    "team": "# Keys\n\nRotate the signing keys every quarter.\n",
    "notes": "# Keys\n\nThe spare keys are in the red safe, next to the stairs.\n",
}


@pytest.fixture
def indexed(run: Run, tmp_path: Path) -> list[object]:
    """Two indexes whose documents have the same source."""
    for name, text in TEXTS.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "README.md").write_text(text)
        assert run("index", f"{name}/README.md", "--index", f"{name}/.crosshead").exit_code == 0
    return ["--index", "team/.crosshead", "--index", "notes/.crosshead"]


class TestSearch:
    def test_hits_are_printed_with_their_index(self, run: Run, indexed: list[object]) -> None:
        result = run("search", "keys", *indexed)
        cited = [line[4:] for line in result.stdout.splitlines() if "README.md" in line]
        assert sorted(cited) == ["notes/.crosshead: notes/README.md:1-3", "team/.crosshead: team/README.md:1-3"]
        assert result.stderr == ""

    def test_a_pattern_stands_for_all(self, run: Run, indexed: list[object]) -> None:
        pattern = run("search", "keys", "--index", "*/.crosshead", "--json")
        found = [json.loads(line) for line in pattern.stdout.splitlines()]
        assert {each["index"] for each in found} == {"notes/.crosshead", "team/.crosshead"}
        assert all(each["complete"] and each["missing"] == [] for each in found)

    def test_one_index_is_searched_as_before(self, run: Run, indexed: list[object]) -> None:
        hit = json.loads(run("search", "keys", *indexed[:2], "--json").stdout.splitlines()[0])
        assert not hit.keys() & {"index", "complete", "missing"}

    def test_a_missing_index_is_named(self, run: Run, indexed: list[object]) -> None:
        result = run("search", "keys", *indexed[:2], "--index", "none", "--json", "--part-timeout", 5)
        (hit,) = map(json.loads, result.stdout.splitlines())
        assert not hit["complete"]
        assert [each["index"] for each in hit["missing"]] == ["none"]
        assert result.stderr.startswith("warning: not searched: none: there is no index here")

    def test_all_can_be_required(self, run: Run, indexed: list[object]) -> None:
        result = run("search", "keys", *indexed, "--index", "none", "--require-all")
        assert result.exit_code != 0
        assert result.stderr.startswith("error: 1 of 3 indexes could not be searched: none: there is no index here")

    def test_passages(self, run: Run, indexed: list[object]) -> None:
        text = run("search", "keys", "--passages", "--all", *indexed).stdout
        assert "quarter" in text
        assert "red safe" in text

    def test_the_index_of_the_environment(
        self, run: Run, indexed: list[object], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("CROSSHEAD_INDEX", "*/.crosshead")
        assert "notes/.crosshead: " in run("search", "keys").stdout


class TestOtherCommands:
    def test_hits_are_shown_by_their_number(self, run: Run, indexed: list[object]) -> None:
        first = run("search", "red safe", *indexed).stdout.splitlines()[0][4:]
        assert first.startswith("notes/.crosshead: ")
        shown = run("show", 1, *indexed)
        assert "red safe" in shown.stdout
        assert run("show", 1, *indexed[:2]).stderr.count("--index") == 2

    def test_a_path_leads_to_the_document_of_its_index(self, run: Run, indexed: list[object]) -> None:
        (document,) = map(json.loads, run("show", "README.md", *indexed, "--json").stdout.splitlines())
        assert document["index"] == "team/.crosshead"

    def test_related_sections(self, run: Run, indexed: list[object]) -> None:
        assert run("related", "README.md:3", *indexed).exit_code == 0

    def test_an_answer_cites_each_index_and_is_verified(
        self, run: Run, indexed: list[object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with chat_server() as server:
            monkeypatch.setenv("OLLAMA_HOST", server.url)
            server.script = Script(parts=["The spare keys are in the red safe [1]."])
            asked = run("ask", "red safe", *indexed, "--llm", "ollama:scripted", "--all", "--json")
        answer = json.loads(asked.stdout)
        assert answer["missing"] == []
        assert answer["proof"]["ok"]
        (tmp_path / "answer.json").write_text(asked.stdout)
        assert run("verify", "answer.json", *indexed).exit_code == 0

    @pytest.mark.parametrize("command", [["status"], ["list"], ["optimize"], ["index", "team"], ["remove", "x"]])
    def test_others_take_one(self, run: Run, indexed: list[object], command: list[str]) -> None:
        several = run(*command, *indexed)
        assert several.exit_code != 0
        assert several.stderr.startswith(f"error: crosshead {command[0]} takes one --index")

    def test_a_pattern_is_not_one_index(self, run: Run, indexed: list[object]) -> None:
        result = run("status", "--index", "*/.crosshead")
        assert result.stderr.startswith("error: */.crosshead: this command takes one index")
