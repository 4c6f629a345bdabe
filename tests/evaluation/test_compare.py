"""Differences of two evaluations, with intervals."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crosshead.errors import OptionsError
from crosshead.evaluation import Difference, Evaluation, Evidence, Question, compare
from crosshead.evaluation.compare import DRAWS

VALUES = st.lists(st.tuples(*[st.sampled_from([0.0, 0.25, 0.5, 1.0])] * 2), min_size=1, max_size=12)


def evaluation(values: list[float], name: str = "mrr@10", prefix: str = "q") -> Evaluation:
    evidence = ((Evidence("a.md", 1, 1),),)
    questions = tuple(Question(f"{prefix}{number}", "Why?", evidence) for number in range(len(values)))
    return Evaluation(questions, tuple({name: value} for value in values))


def test_equal_evaluations_do_not_differ() -> None:
    ours = evaluation([0.0, 1.0, 0.5])
    assert compare(ours, ours) == {"mrr@10": Difference(0.0, 0.0, 0.0)}


def test_same_gain_everywhere_has_no_spread() -> None:
    difference = compare(evaluation([0.5, 1.0, 0.75]), evaluation([0.25, 0.75, 0.5]))["mrr@10"]
    assert difference == Difference(0.25, 0.25, 0.25)
    assert difference.is_clear


def test_interval_agrees_with_the_normal_approximation() -> None:
    """60 of 100 questions gain 1: the mean is 0.6, its standard error the square root of 0.6 * 0.4 / 100."""
    difference = compare(evaluation([1.0] * 60 + [0.0] * 40), evaluation([0.0] * 100))["mrr@10"]
    assert difference.mean == pytest.approx(0.6)
    assert difference.low == pytest.approx(0.6 - 1.96 * 0.049, abs=0.011)
    assert difference.high == pytest.approx(0.6 + 1.96 * 0.049, abs=0.011)


def test_pairs_are_kept_together() -> None:
    """The values vary widely, the gain does not: an unpaired comparison would see nothing."""
    draw = random.Random(1)
    base = [draw.random() for _ in range(50)]
    difference = compare(evaluation([value + 0.01 for value in base]), evaluation(base))["mrr@10"]
    assert difference.low == pytest.approx(0.01)
    assert difference.high == pytest.approx(0.01)


def test_gain_of_one_question_among_many_is_not_clear() -> None:
    difference = compare(evaluation([1.0] + [0.0] * 19), evaluation([0.0] * 20))["mrr@10"]
    assert not difference.is_clear
    assert difference.low == 0.0


def test_seed_decides_the_draws() -> None:
    draw = random.Random(2)
    ours, theirs = evaluation([draw.random() for _ in range(9)]), evaluation([0.5] * 9)
    assert compare(ours, theirs) == compare(ours, theirs)
    assert compare(ours, theirs, seed=1) != compare(ours, theirs, seed=2)


@settings(max_examples=5)
@given(VALUES)
def test_mean_lies_within_and_order_turns_the_sign(values: list[tuple[float, float]]) -> None:
    ours, theirs = evaluation([a for a, _ in values]), evaluation([b for _, b in values])
    there, back = compare(ours, theirs)["mrr@10"], compare(theirs, ours)["mrr@10"]
    assert there.low - 1e-9 <= there.mean <= there.high + 1e-9
    assert (back.mean, back.low, back.high) == pytest.approx((-there.mean, -there.high, -there.low))


def test_interval_equals_one_drawn_in_plain_python() -> None:
    draw = random.Random(3)
    gains = [draw.choice([-0.5, 0.0, 0.0, 1.0]) for _ in range(30)]
    difference = compare(evaluation(gains), evaluation([0.0] * 30))["mrr@10"]
    means = sorted(sum(draw.choices(gains, k=30)) / 30 for _ in range(DRAWS))
    assert difference.low == pytest.approx(means[int(0.025 * DRAWS)], abs=0.02)
    assert difference.high == pytest.approx(means[int(0.975 * DRAWS)], abs=0.02)


def test_other_questions_are_refused() -> None:
    with pytest.raises(OptionsError, match="different questions"):
        compare(evaluation([1.0]), evaluation([1.0], prefix="p"))
    with pytest.raises(OptionsError, match="different questions"):
        compare(evaluation([1.0]), evaluation([1.0, 1.0]))


def test_figures_that_only_one_has_are_left_out() -> None:
    assert compare(evaluation([1.0]), evaluation([1.0], name="recall@5")) == {}
