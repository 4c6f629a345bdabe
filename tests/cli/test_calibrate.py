"""crosshead calibrate, and what `index`, `search` and `status` make of it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

Run = Callable[..., Result]

DOCS = Path(__file__).parents[2] / "docs"
QUESTION = "how do I index a folder of PDF files"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with documents and their index, made by the command line."""
    from typer.testing import CliRunner

    from crosshead.cli import app

    folder = tmp_path_factory.mktemp("made")
    shutil.copytree(DOCS, folder / "docs", ignore=shutil.ignore_patterns("images"))
    result = CliRunner().invoke(
        app, ["index", str(folder / "docs"), "--index", str(folder / "index"), "--embedder", "static"]
    )
    assert result.exit_code == 0
    (folder / "said.txt").write_text(result.stderr)
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """A copy of it, to change."""
    return shutil.copytree(made, tmp_path / "copy")


def status(run: Run, folder: Path) -> dict[str, object]:
    return json.loads(run("status", "--index", folder / "index", "--json").stdout)


def test_a_new_index_is_calibrated_and_says_so(run: Run, made: Path) -> None:
    assert "calibrated: 5% false alarms promised" in (made / "said.txt").read_text()
    known = status(run, made)
    assert known["calibration"]["chunks"] == known["chunks"]
    shown = run("status", "--index", made / "index").stdout
    assert "5% false alarms promised" in shown


def test_an_index_is_calibrated_again_when_it_has_grown_by_half(run: Run, folder: Path) -> None:
    before = status(run, folder)["calibration"]
    again = run("index", folder / "docs", "--index", folder / "index")
    assert "calibrated" not in again.stderr
    for number in range(3):
        shutil.copytree(folder / "docs", folder / f"docs/copy{number}", ignore=shutil.ignore_patterns("copy*"))
    grown = run("index", folder / "docs", "--index", folder / "index")
    assert "calibrated: 5% false alarms promised" in grown.stderr
    assert status(run, folder)["calibration"]["chunks"] > 1.5 * before["chunks"]


def test_scores_show_the_confidence(run: Run, made: Path) -> None:
    assert " confidence 0." in run("search", QUESTION, "--index", made / "index", "--scores").stdout
    lines = run("search", QUESTION, "--index", made / "index", "--json").stdout.splitlines()
    confidences = [json.loads(line)["confidence"] for line in lines]
    assert confidences == sorted(confidences, reverse=True)


def test_min_confidence_leaves_out_hits(run: Run, made: Path) -> None:
    all_hits = run("search", QUESTION, "--index", made / "index", "--json").stdout.splitlines()
    least = json.loads(all_hits[1])["confidence"]
    kept = run("search", QUESTION, "--index", made / "index", "--json", "--min-confidence", least).stdout.splitlines()
    assert 2 <= len(kept) < len(all_hits)
    refused = run("search", QUESTION, "--index", made / "index", "--min-confidence", "0.5", "--mode", "lexical")
    assert refused.exit_code == 2
    assert "crosshead calibrate" in refused.stderr


def test_another_rate_gives_another_threshold(run: Run, folder: Path) -> None:
    before = status(run, folder)["calibration"]
    result = run("calibrate", "--index", folder / "index", "--false-alarms", "0.3")
    assert result.exit_code == 0
    assert "30% false alarms promised" in result.stdout
    after = status(run, folder)["calibration"]
    assert after["threshold"] > before["threshold"]


def test_questions_of_users_are_found_in_the_folder_of_the_index(run: Run, folder: Path) -> None:
    evidence = [{"file": "indexing.md", "start_line": 1, "end_line": 1}]
    questions = [{"id": str(number), "question": f"{QUESTION} {number}", "evidence": evidence} for number in range(40)]
    (folder / "index/questions.jsonl").write_text("\n".join(map(json.dumps, questions)))
    made = json.loads(run("calibrate", "--index", folder / "index", "--json").stdout)
    assert made["asked"] == made["questions"] == 40


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(("--false-alarms", "0"), "between 0 and 1"), (("--questions", "missing.jsonl"), "missing.jsonl")],
)
def test_a_mistake_is_one_line(run: Run, folder: Path, arguments: tuple[str, str], said: str) -> None:
    result = run("calibrate", "--index", folder / "index", *arguments)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


def test_too_little_text_is_said(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\nSome words about keys.\n")
    indexed = run("index", tmp_path / "a.md", "--index", tmp_path / "index", "--embedder", "static")
    assert "calibrated" not in indexed.stderr
    result = run("calibrate", "--index", tmp_path / "index")
    assert result.exit_code == 1
    assert "too little text" in result.stderr
    assert "too little text" in run("status", "--index", tmp_path / "index").stdout
