"""crosshead eval."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import Result

from crosshead.cli.views.measure.evaluation import interval, show_progress
from crosshead.evaluation import Difference

Run = Callable[..., Result]

QUESTIONS = [
    {
        "id": "q1",
        "kind": "lookup",
        "question": "rotate keys",
        "evidence": [{"file": "keys.md", "start_line": 9, "end_line": 11}],
    },
    {
        "id": "q2",
        "kind": "table",
        "question": "price of a pear",
        "evidence": [{"file": "in/prices.csv", "start_line": 4, "end_line": 4}],
    },
    {"id": "q3", "question": "about", "evidence": [{"file": "keys.md", "start_line": 50, "end_line": 60}]},
]


@pytest.fixture(autouse=True)
def _no_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROSSHEAD_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    docs = tmp_path / "docs"
    (docs / "in").mkdir(parents=True)
    (docs / "keys.md").write_text(
        "---\nteam: infra\n---\n\n# Keys\n\nAbout keys.\n\n## Rotation\n\nRotate keys every 90 days.\n"
    )
    (docs / "in" / "prices.csv").write_text("name,price\nApple,1\nPear,2\n")
    write_questions(tmp_path, QUESTIONS)
    return docs


def write_questions(folder: Path, questions: list[dict[str, object]]) -> None:
    (folder / "questions.jsonl").write_text("\n".join(map(json.dumps, questions)))


def test_figures_are_shown_by_kind(run: Run, folder: Path) -> None:
    result = run("eval", "questions.jsonl", "--docs", "docs", "--budget", 100)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "3 questions · 2 documents · hybrid search · static · 20 hits",
        "              all  lookup  table",
        "questions       3       1      1",
        "MRR@10      0.667   1.000  1.000",
        "hit@1       0.667   1.000  1.000",
        "hit@3       0.667   1.000  1.000",
        "hit@5       0.667   1.000  1.000",
        "hit@10      0.667   1.000  1.000",
        "recall@100  0.667   1.000  1.000",
        "not within ten hits: q3",
    ]
    assert result.stderr.startswith("warning: embedding with the static table")


def test_documents_are_indexed_nowhere_that_stays(run: Run, folder: Path, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    assert run("eval", "questions.jsonl", "--docs", "docs").exit_code == 0
    assert sorted(tmp_path.rglob("*")) == before


def test_strategies_stand_side_by_side(run: Run, folder: Path) -> None:
    lines = run("eval", "questions.jsonl", "--docs", "docs", "--compare", "fixed").stdout.splitlines()
    assert lines[1] == "              auto  fixed  difference     95 % interval"
    assert lines[2] == "MRR@10       0.667  0.667      +0.000  +0.000 to +0.000"
    assert "auto, by kind" in lines
    assert "fixed, by kind" in lines
    assert lines[-2:] == ["auto: not within ten hits: q3", "fixed: not within ten hits: q3"]


def test_json_is_one_object(run: Run, folder: Path) -> None:
    data = json.loads(run("eval", "questions.jsonl", "--docs", "docs", "--compare", "fixed", "--json").stdout)
    assert (data["questions"], data["documents"], data["embedder"]) == (3, 2, "static")
    assert (data["mode"], data["limit"], data["failed"]) == ("hybrid", 20, {})
    assert data["runs"]["auto"]["figures"]["hit@10"] == pytest.approx(2 / 3)
    assert data["runs"]["fixed"]["kinds"]["table"]["questions"] == 1
    assert data["runs"]["auto"]["missed"] == ["q3"]
    assert data["differences"]["recall@4000"] == {"mean": 0.0, "low": 0.0, "high": 0.0}


def test_index_that_is_there_is_asked(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("index", "docs", "--index", "made", "--root", "docs", "--strategy", "fixed", "--embedder", "static")
    asked = run("eval", "questions.jsonl", "--index", "made", "--mode", "lexical", "--json")
    data = json.loads(asked.stdout)
    assert data["mode"] == "lexical"
    assert data["runs"]["fixed"]["figures"]["hit@1"] == pytest.approx(2 / 3)
    assert asked.stderr == ""
    monkeypatch.setenv("CROSSHEAD_INDEX", "made")
    assert json.loads(run("eval", "questions.jsonl", "--json").stdout)["runs"].keys() == {"fixed"}
    assert json.loads(run("eval", "questions.jsonl", "--docs", "docs", "--json").stdout)["runs"].keys() == {"auto"}


def test_options_of_chunking_count_for_both(run: Run, folder: Path) -> None:
    filler = "Many words about pears. " * 40
    (folder / "long.md").write_text(f"# Long\n\n{filler}\n\n{filler}\n")
    flags = ("--docs", "docs", "--max-tokens", 50, "--strategy", "fixed", "--compare", "section", "--json")
    runs = json.loads(run("eval", "questions.jsonl", *flags).stdout)["runs"]
    assert list(runs) == ["fixed", "section"]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--docs", "nowhere"], "nowhere: no such folder"),
        (["--docs", "docs", "--index", "made"], "use either --docs or --index"),
        (["--compare", "fixed"], "name their folder with --docs"),
        (["--docs", "docs", "--compare", "auto"], "--compare auto: the documents are already cut this way"),
        (["--docs", "docs", "--compare", "loose"], "strategy='loose' is not one of"),
        (["--docs", "docs", "--mode", "loud"], "mode='loud' is not one of"),
        (["--docs", "docs", "--limit", "5"], "'--limit'"),
        (["--docs", "docs", "--budget", "0"], "'--budget'"),
        (["--docs", "docs", "--embedder", "nothing"], "unknown embedder 'nothing'"),
        (["--index", "none"], "none: there is no index here"),
    ],
)
def test_mistakes_are_one_line(run: Run, folder: Path, args: list[str], message: str) -> None:
    result = run("eval", "questions.jsonl", *args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_bad_question_names_its_line(run: Run, folder: Path, tmp_path: Path) -> None:
    write_questions(tmp_path, [QUESTIONS[0], {**QUESTIONS[1], "evidence": []}])
    result = run("eval", "questions.jsonl", "--docs", "docs")
    assert result.exit_code == 2
    assert result.stderr.startswith("error: questions.jsonl:2: evidence must be a list of at least one")
    assert run("eval", "none.jsonl", "--docs", "docs").stderr == "error: none.jsonl: No such file or directory\n"


def test_mistyped_document_is_found_before_anything_is_indexed(
    run: Run, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crosshead.index.Index.add", None)
    write_questions(tmp_path, [{**QUESTIONS[1], "evidence": [{"file": "prices.csv", "start_line": 1, "end_line": 1}]}])
    result = run("eval", "questions.jsonl", "--docs", "docs")
    assert result.stderr == "error: question 'q2': no document 'prices.csv': did you mean 'in/prices.csv'?\n"


def test_unreadable_documents_come_at_the_end(run: Run, folder: Path) -> None:
    (folder / "bad.docx").write_bytes(b"PK\x03\x04")
    result = run("eval", "questions.jsonl", "--docs", "docs", "--compare", "fixed")
    assert result.exit_code == 1
    assert "2 documents" in result.stdout
    assert result.stderr.count("error: bad.docx: ") == 1


def test_unreadable_document_with_evidence_says_why(run: Run, folder: Path, tmp_path: Path) -> None:
    (folder / "bad.docx").write_bytes(b"PK\x03\x04")
    write_questions(tmp_path, [{**QUESTIONS[0], "evidence": [{"file": "bad.docx", "start_line": 1, "end_line": 1}]}])
    result = run("eval", "questions.jsonl", "--docs", "docs")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: bad.docx: ")


def test_many_misses_are_counted(run: Run, folder: Path, tmp_path: Path) -> None:
    write_questions(tmp_path, [{**QUESTIONS[2], "id": f"m{number}"} for number in range(12)])
    told = run("eval", "questions.jsonl", "--docs", "docs").stdout.splitlines()[-1]
    assert told == "not within ten hits: m0, m1, m2, m3, m4, m5, m6, m7, m8, m9 and 2 more"


def test_interval_says_by_its_color_whether_the_sign_is_clear() -> None:
    assert [
        interval(Difference(*each)).style for each in ((0.1, 0.05, 0.2), (-0.1, -0.2, -0.05), (0.1, -0.1, 0.2))
    ] == [
        "green",
        "red",
        "dim",
    ]


def test_progress_is_shown_while_it_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    from crosshead.cli.views.measure import evaluation

    console = Console(force_terminal=True, record=True, width=120)
    monkeypatch.setattr(evaluation, "make_console", lambda **_: console)
    with show_progress(12) as show:
        show(7)
    assert "7/12" in console.export_text()
