"""Ratings become questions, which later ratings add to or take from."""

from __future__ import annotations

from multiprocessing import get_context
from pathlib import Path

import pytest

from crosshead.errors import CrossheadError, OptionsError
from crosshead.evaluation import Evidence, load_questions, rate

FIRST, SECOND = Evidence("a.md", 1, 3), Evidence("b.md", 4, 9)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "questions.jsonl"


def test_good_hits_answer_each_by_itself(path: Path) -> None:
    rate(path, "how  long?", [FIRST], good=True)
    rate(path, "how long?", [SECOND], good=True)
    rate(path, "how short?", [SECOND], good=True)
    long, short = load_questions(path)
    assert (long.text, long.required) == ("how long?", ((FIRST, SECOND),))
    assert short.required == ((SECOND,),)


def test_bad_takes_back_what_was_good(path: Path) -> None:
    for hit, good in ((FIRST, True), (SECOND, True), (FIRST, False), (FIRST, True), (SECOND, False)):
        rate(path, "how long?", [hit], good=good)
    (question,) = load_questions(path)
    assert question.required == ((FIRST,),)


def test_question_with_bad_hits_only_is_left_out(path: Path) -> None:
    rate(path, "how long?", [FIRST], good=False)
    with pytest.raises(CrossheadError, match="no question has a hit that was rated good: crosshead rate N good"):
        load_questions(path)
    rate(path, "how short?", [FIRST], good=True)
    assert [each.text for each in load_questions(path)] == ["how short?"]


def test_questions_written_by_hand_stay_beside_ratings(path: Path) -> None:
    item = '{"file": "a.md", "start_line": 1, "end_line": 2}'
    path.write_text(f'{{"id": "q1", "question": "Why?", "evidence": [{item}]}}')  # without a line break at its end
    rate(path, "how long?", [FIRST], good=True)
    assert [each.text for each in load_questions(path)] == ["Why?", "how long?"]


def test_processes_may_rate_at_once(path: Path) -> None:
    with get_context("spawn").Pool(3) as pool:
        pool.starmap(rate_often, [(path, name) for name in "abc"])
    assert sorted(each.text for each in load_questions(path)) == sorted(
        f"{name} {at}?" for name in "abc" for at in range(40)
    )


def rate_often(path: Path, name: str) -> None:
    for at in range(40):
        rate(path, f"{name} {at}?", [FIRST], good=True)


@pytest.mark.parametrize(("question", "rated"), [(" ", [FIRST]), ("how?", [])])
def test_rating_of_nothing_is_refused(path: Path, question: str, rated: list[Evidence]) -> None:
    with pytest.raises(OptionsError, match="needs a question, and lines"):
        rate(path, question, rated, good=True)
    assert not path.exists()


def test_rating_that_cannot_be_kept_is_an_error_of_one_line(tmp_path: Path) -> None:
    with pytest.raises(CrossheadError, match="the rating cannot be kept: No such file or directory"):
        rate(tmp_path / "nowhere" / "questions.jsonl", "how?", [FIRST], good=True)
