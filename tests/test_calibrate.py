"""Calibrating an index: its promise, the confidence of hits, and when it is done again."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from crosshead.errors import OptionsError
from crosshead.index import Index
from crosshead.index.calibrating import calibrate_index, needs_calibration
from crosshead.search.confidence.calibrate import is_of, question_maker, sample
from crosshead.types import Calibration

DOCS = Path(__file__).parents[1] / "docs"
ANSWERED = "how do I index a folder of PDF files"
NO_ANSWER = "Which vaccines does a veterinarian recommend for ferrets?"
NOTHING = "zyxw vlorp quuxing"
QUESTIONS = 220


def calibrate(index: Index, questions: int = QUESTIONS) -> Calibration:
    made = calibrate_index(index._index, questions=questions)
    assert made
    return made


@pytest.fixture(scope="module")
def calibrated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    """An index of this project's documentation; tests leave it as it is."""
    with Index(tmp_path_factory.mktemp("calibrated"), root=DOCS, embedder="static") as index:
        index.add(DOCS)
        calibrate(index)
        yield index


@pytest.fixture
def folder(calibrated: Index, tmp_path: Path) -> Path:
    """A copy of that index, to change."""
    return shutil.copytree(calibrated.location, tmp_path / "copy")


def test_the_promise_holds_for_questions_that_the_index_was_not_calibrated_on(calibrated: Index) -> None:
    store = calibrated._store
    chunks = sample(store, 3 * QUESTIONS)
    maker = question_maker(store, chunks)
    asked = [(chunk, maker.answered(chunk, number)) for number, chunk in enumerate(chunks) if number >= QUESTIONS]
    found = [(chunk, calibrated.search(question)) for chunk, question in asked if question]
    answered = [hits[0] for chunk, hits in found if any(is_of(hit, chunk) for hit in hits)]
    assert len(answered) >= 100
    weak = sum(hit.is_weak for hit in answered)
    # The rate varies with the questions that chose the threshold as with those that are asked here.
    assert weak / len(answered) <= 0.05 + 3 * (0.05 * 0.95 * (1 / 70 + 1 / len(answered))) ** 0.5


def test_a_question_about_something_else_is_less_sure_than_one_with_an_answer(calibrated: Index) -> None:
    (answered,), (other,) = (calibrated.search(question, 1) for question in (ANSWERED, NO_ANSWER))
    assert 0.0 <= (other.confidence or 0.0) < (answered.confidence or 0.0) <= 1.0


def test_hits_below_the_threshold_are_weak(calibrated: Index) -> None:
    stored = Calibration.from_settings(calibrated._store.settings)
    assert stored
    for question in (ANSWERED, NO_ANSWER, NOTHING):
        for hit in calibrated.search(question, 20):
            assert hit.is_weak == ((hit.confidence or 0.0) < stored.threshold)


def test_nothing_is_quoted_where_nothing_answers(calibrated: Index) -> None:
    assert calibrated.passages(ANSWERED)
    assert not calibrated.passages(NOTHING)
    assert calibrated.passages(NOTHING, all=True)


def test_confidence_never_rises_along_the_hits_and_does_not_depend_on_the_limit(calibrated: Index) -> None:
    hits = calibrated.search(ANSWERED, 20)
    confidences = [hit.confidence or 0.0 for hit in hits]
    assert confidences == sorted(confidences, reverse=True)
    for limit in (1, 3, 10):
        found = calibrated.search(ANSWERED, limit)
        assert [hit.chunk.id for hit in found] == [hit.chunk.id for hit in hits[:limit]]
        assert [hit.confidence for hit in found] == pytest.approx(confidences[:limit])


def test_min_confidence_leaves_out_hits(calibrated: Index) -> None:
    hits = calibrated.search(ANSWERED)
    least = (hits[2].confidence or 0.0) - 1e-6
    kept = calibrated.search(ANSWERED, min_confidence=least)
    assert [hit.chunk.id for hit in kept] == [hit.chunk.id for hit in hits if (hit.confidence or 0.0) >= least]
    assert 3 <= len(kept) < len(hits)
    assert calibrated.search(NO_ANSWER, min_confidence=0.99) == []


def test_json_of_a_hit_has_its_confidence(calibrated: Index) -> None:
    (hit,) = calibrated.search(ANSWERED, 1)
    assert json.loads(json.dumps(hit.to_json()))["confidence"] == hit.confidence


def test_searches_with_other_scores_are_judged_as_without_a_calibration(calibrated: Index) -> None:
    for hits in (calibrated.search(ANSWERED, mode="lexical"), calibrated.search(ANSWERED, dense_weight=0.1)):
        assert hits
        assert {hit.confidence for hit in hits} == {None}
    with pytest.raises(OptionsError, match="calibrated"):
        calibrated.search(ANSWERED, mode="lexical", min_confidence=0.5)


@pytest.mark.parametrize("least", [-0.1, 1.1, "high", float("nan")])
def test_min_confidence_is_a_share(calibrated: Index, least: object) -> None:
    with pytest.raises(OptionsError, match="min_confidence"):
        calibrated.search(ANSWERED, min_confidence=least)  # type: ignore[arg-type]


def test_the_same_index_gets_the_same_calibration(calibrated: Index, folder: Path) -> None:
    known = calibrated.status().calibration
    with Index(folder) as index:
        assert index.status().calibration == known
        again = calibrate(index)
        assert known
        assert again.threshold == pytest.approx(known.threshold, abs=1e-4)
        assert again.questions == known.questions


def test_status_says_how_an_index_is_calibrated(calibrated: Index) -> None:
    status = calibrated.status()
    assert status.calibration
    assert status.calibration.chunks == status.chunks
    assert status.calibration.false_alarms == 0.05
    assert "calibration" not in status.settings


def test_an_index_without_calibration_judges_by_scores(calibrated: Index, folder: Path) -> None:
    with Index(folder) as index:
        index._store.change_setting("calibration", None)
    with Index(folder) as index:
        assert index.status().calibration is None
        hits = index.search(ANSWERED)
        assert {hit.confidence for hit in hits} == {None}
        assert all(hit.is_weak == (hit.final_score < 0.26) for hit in hits)
        assert [hit.chunk.id for hit in hits] == [hit.chunk.id for hit in calibrated.search(ANSWERED)]
        with pytest.raises(OptionsError, match="crosshead calibrate"):
            index.search(ANSWERED, min_confidence=0.5)


def test_an_open_index_follows_a_calibration_by_another_one(folder: Path) -> None:
    with Index(folder) as reading, Index(folder) as writing:
        (before,) = reading.search(ANSWERED, 1)
        writing.calibrate(false_alarms=0.5)
        (after,) = reading.search(ANSWERED, 1)
        assert reading.status().calibration == writing.status().calibration
        assert before.confidence != pytest.approx(after.confidence, abs=1e-4)


def test_questions_of_users_choose_the_threshold(folder: Path) -> None:
    asked = [f"{ANSWERED} {number}" for number in range(45)]
    with Index(folder) as index:
        made = index.calibrate(questions=asked)
        assert made
        assert made.asked == made.questions == 45
        few = index.calibrate(questions=asked[:5])
        assert few
        assert few.asked == 5
        assert few.questions > 45


@pytest.mark.parametrize("rate", [0, 1, -1, 2.0, "0.05"])
def test_a_rate_is_between_0_and_1(calibrated: Index, rate: object) -> None:
    with pytest.raises(OptionsError, match="false_alarms"):
        calibrated.calibrate(false_alarms=rate)  # type: ignore[arg-type]


def test_an_index_with_little_text_is_not_calibrated(tmp_path: Path) -> None:
    with Index(tmp_path / "index", root=tmp_path, embedder="static") as index:
        assert index.calibrate() is None
        index.add_text("# A\n\nSome words about keys and their rotation.\n", source="a.md")
        assert index.calibrate() is None
        assert index.status().calibration is None
        assert index.search("keys")[0].confidence is None


def test_an_index_needs_another_calibration_when_it_has_grown_by_half(folder: Path) -> None:
    with Index(folder) as index:
        chunks = index.status().chunks
        assert not needs_calibration(index._index, is_new=False)
        for number in range(chunks // 2 - 1):
            index.add_text(f"# Note {number}\n\nNothing in it.\n", source=f"notes/{number}.md")
        assert not needs_calibration(index._index, is_new=False)
        for number in range(3):
            index.add_text(f"# More {number}\n\nNothing in it.\n", source=f"more/{number}.md")
        assert needs_calibration(index._index, is_new=False)


def test_an_index_that_never_was_calibrated_stays_so(folder: Path) -> None:
    with Index(folder) as index:
        index._store.change_setting("calibration", None)
        assert not needs_calibration(index._index, is_new=False)
        assert needs_calibration(index._index, is_new=True)


def test_other_chunks_need_another_calibration(folder: Path) -> None:
    with Index(folder) as index:
        index.change(max_tokens=200)
        assert index.status().calibration is None
        assert needs_calibration(index._index, is_new=False)


def test_a_database_is_calibrated_alike(calibrated: Index, database: str) -> None:
    calibrated.copy_to(database)
    with Index(database, root=DOCS) as copy:
        copied = copy.status().calibration
        assert copied == calibrated.status().calibration
        made = calibrate(copy)
        assert copied
        assert made.threshold == pytest.approx(copied.threshold, abs=0.1)
        (answered,), (other,) = (copy.search(question, 1) for question in (ANSWERED, NO_ANSWER))
        assert other.is_weak
        assert not answered.is_weak
