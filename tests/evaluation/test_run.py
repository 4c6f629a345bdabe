"""Asking an index."""

from __future__ import annotations

from pathlib import Path

import pytest

from crosshead.errors import CrossheadError, OptionsError
from crosshead.evaluation import Evaluation, Evidence, Question, evaluate
from crosshead.index import Index

KEYS = "# Keys\n\nAbout keys.\n\n## Rotation\n\nRotate keys every 90 days.\n"
PRICES = "# Prices\n\nAn apple costs one, a pear costs two.\n"


def question(id: str, text: str, file: str, start_line: int, end_line: int, kind: str = "") -> Question:
    return Question(id, text, ((Evidence(file, start_line, end_line),),), kind)


QUESTIONS = [
    question("keys", "How often do keys rotate?", "docs/keys.md", 7, 7, "lookup"),
    question("pear", "What does a pear cost?", "docs/prices.md", 3, 3, "lookup"),
    question("blank", "What is an apple?", "docs/prices.md", 100, 101, "hard"),
    question("plain", "Rotation", "docs/keys.md", 5, 7),
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    folder: Path = tmp_path_factory.mktemp("root")
    index = Index(folder / "index", embedder="static")
    index.add_text(KEYS, source="docs/keys.md")
    index.add_text(PRICES, source="docs/prices.md")
    return index


@pytest.fixture(scope="module")
def evaluation(index: Index) -> Evaluation:
    return evaluate(index, QUESTIONS)


def test_every_question_is_asked_once(index: Index, evaluation: Evaluation) -> None:
    done: list[int] = []
    again = evaluate(index, QUESTIONS, on_progress=done.append)
    assert done == [1, 2, 3, 4]
    assert again == evaluation
    assert [figures["hit@1"] for figures in evaluation.figures] == [1, 1, 0, 1]


def test_means_are_of_all_questions_and_by_kind(evaluation: Evaluation) -> None:
    assert evaluation.means["hit@1"] == 0.75
    assert {kind: each.means["hit@1"] for kind, each in evaluation.kinds.items()} == {"hard": 0.0, "lookup": 1.0}
    assert [each.id for each in evaluation.kinds["lookup"].questions] == ["keys", "pear"]


def test_missed_questions_are_named(evaluation: Evaluation) -> None:
    assert evaluation.missed == ("blank",)


def test_json_has_figures_kinds_and_misses(evaluation: Evaluation) -> None:
    data = evaluation.to_json()
    assert data["figures"] == evaluation.means
    assert data["kinds"] == {
        kind: {"questions": len(each.questions), **each.means} for kind, each in evaluation.kinds.items()
    }
    assert data["missed"] == ("blank",)


def test_options_of_the_search_are_handed_on(index: Index) -> None:
    figures = evaluate(index, QUESTIONS, mode="lexical", budgets=[1, 50], source="docs/prices.md").figures
    assert [each["hit@10"] for each in figures] == [0, 1, 0, 0]
    assert [each["recall@1"] for each in figures] == [0, 0, 0, 0]
    assert [each["recall@50"] for each in figures] == [0, 1, 0, 0]


@pytest.mark.parametrize(
    ("options", "message"),
    [({"limit": 9}, "limit=9"), ({"budgets": [500, 0]}, "a budget of 0"), ({"mode": "loud"}, "mode='loud'")],
)
def test_impossible_options_are_refused(index: Index, options: dict[str, object], message: str) -> None:
    with pytest.raises(OptionsError, match=message):
        evaluate(index, QUESTIONS, **options)  # type: ignore[arg-type]


def test_no_questions_are_refused(index: Index) -> None:
    with pytest.raises(OptionsError, match="no questions"):
        evaluate(index, [])


@pytest.mark.parametrize(
    ("file", "hint"),
    [
        ("keys.md", "did you mean 'docs/keys.md'?"),
        ("docs/keyz.md", "did you mean 'docs/keys.md'?"),
        ("#", "documents are named as in 'docs/keys.md'"),
    ],
)
def test_document_that_is_not_there_is_an_error(index: Index, file: str, hint: str) -> None:
    with pytest.raises(CrossheadError) as caught:
        evaluate(index, [question("q7", "Why?", file, 1, 1)])
    assert str(caught.value) == f"question 'q7': no document {file!r}: {hint}"


def test_empty_index_is_said_to_be_empty(tmp_path: Path) -> None:
    with (
        Index(tmp_path / "index", embedder="static") as index,
        pytest.raises(CrossheadError, match="the index has no documents"),
    ):
        evaluate(index, QUESTIONS)
