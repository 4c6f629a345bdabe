"""Tuning keeps what helps on questions that nothing was chosen on, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from crosshead.errors import OptionsError
from crosshead.evaluation import Evidence, Question, evaluate, tune
from crosshead.index import Index

COUNT = 60
NAMES = [f"{first}{second}" for first in ("amber", "birch", "cedar", "delta", "ember", "fjord") for second in
         ("gate", "hill", "isle", "jetty", "knoll", "lake", "mill", "nook", "orchard", "port")]  # fmt: skip


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    """Sections about places: one has the name as its title, another mentions it in passing, again and again."""
    root = tmp_path_factory.mktemp("places")
    for name in NAMES:
        mentions = f"Ferries leave for {name} at nine, from {name} at noon, and to {name} at night.\n\n" * 2
        titled = f"## {name}\n\nIt was built long ago and is open to visitors, who come by boat in summer.\n\n"
        (root / f"{name}.md").write_text(f"# Notes\n\n## Timetable\n\n{mentions}{titled}")
    with Index(root / ".crosshead", embedder="static", min_tokens=1, target_tokens=40, max_tokens=60) as index:
        index.add(root)
        yield index


def titled(names: list[str]) -> list[Question]:
    return [question(name, "It was built", number) for number, name in enumerate(names)]


def question(name: str, text: str, number: int) -> Question:
    line = 9 if text.startswith("It") else 5
    return Question(f"q{number}", f"kindly describe {name}", ((Evidence(f"{name}.md", line, line),),))


def test_gain_on_unseen_questions_is_kept(index: Index) -> None:
    questions = titled(NAMES)
    found = tune(index, questions)
    assert found.chosen_on + found.reported_on == COUNT
    assert found.is_better
    assert found.after["heading_weight"] > found.before["heading_weight"]
    index.keep_search_options(found.after)
    try:
        kept = evaluate(index, questions, budgets=(1000,)).means
        assert index.search_defaults().heading_weight == found.after["heading_weight"]
    finally:
        index.keep_search_options(None)
    assert kept["mrr@10"] > evaluate(index, questions, budgets=(1000,)).means["mrr@10"]


def test_nothing_is_better_than_settings_that_answer_everything(index: Index) -> None:
    mentioned = [question(name, "Ferries leave", number) for number, name in enumerate(NAMES)]
    found = tune(index, mentioned)
    assert not found.is_better
    assert found.score_before > 0.9


def test_few_questions_are_refused(index: Index) -> None:
    with pytest.raises(OptionsError, match="tuning needs 40 questions, there are 39"):
        tune(index, titled(NAMES[:39]))


def test_wrong_option_is_not_kept(index: Index) -> None:
    with pytest.raises(OptionsError, match="heading_weight"):
        index.keep_search_options({"heading_weight": -1.0})
