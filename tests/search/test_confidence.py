"""How likely hits are to answer: the model, its promise, and the questions that it is learned from."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

import crosshead
from crosshead.search import QuestionMaker
from crosshead.search.confidence.judge import calibration_for
from crosshead.search.confidence.learn import learn
from crosshead.search.confidence.promise import choose_threshold
from crosshead.types import Calibration, Chunk, SearchRequest, Signals, SignalWeight

GUIDE = """\
# Guide

## Keys

The service rotates all signing keys of the cluster every ninety days without any interruption. Old certificates stay
valid for another week so that slow clients can follow.
"""
NEUTRAL = Signals(0.5, 0.5, 0.5, 0.5, 0.5)


def examples(random: Random, count: int, shift: float) -> list[Signals]:
    return [Signals(*(random.gauss(shift, 1.0) for _ in Signals._fields)) for _ in range(count)]


def calibration(**given: Any) -> Calibration:
    weights = {name: SignalWeight(0.5, 0.25, 1.0) for name in Signals._fields}
    return replace(Calibration(0.05, 0.5, weights, 0.0, 100, 0, 1_000), **given)


@pytest.mark.parametrize("count", [19, 20, 100, 333])
@pytest.mark.parametrize("rate", [0.05, 0.1, 0.5])
def test_further_questions_come_below_the_threshold_at_most_as_often_as_promised(count: int, rate: float) -> None:
    random = Random(count)
    rounds = 4_000
    below = 0
    for _ in range(rounds):
        *known, further = (random.random() for _ in range(count + 1))
        below += further < choose_threshold(known, rate)
    assert below / rounds <= rate + 3 * (rate * (1 - rate) / rounds) ** 0.5


def test_with_too_few_questions_nothing_is_weak() -> None:
    assert choose_threshold([0.5] * 18, 0.05) == 0.0
    assert choose_threshold([0.5] * 19, 0.05) == 0.5


def test_more_of_a_signal_never_lowers_the_confidence() -> None:
    random = Random(0)
    # Two signals are higher for hits that do not answer: their weights must not become negative.
    answering = [each._replace(cosine=-each.cosine, tokens=-each.tokens) for each in examples(random, 200, 0.7)]
    weights, intercept = learn(answering, examples(random, 200, 0.0))
    assert all(each.weight >= 0.0 for each in weights.values())
    assert max(each.weight for each in weights.values()) > 0.1
    learned = calibration(weights=weights, intercept=intercept)
    for name in Signals._fields:
        confidences = [learned.confidence(NEUTRAL._replace(**{name: value / 4})) for value in range(-8, 12)]
        assert confidences == sorted(confidences)


def test_a_signal_that_all_hits_share_does_not_count() -> None:
    random = Random(1)
    same = [each._replace(tokens=0.0) for each in examples(random, 100, 1.0)]
    weights, _ = learn(same, [each._replace(tokens=0.0) for each in examples(random, 100, 0.0)])
    assert weights["tokens"].weight == 0.0


def test_a_calibration_is_read_as_it_was_stored() -> None:
    stored = calibration(false_alarms=0.1, asked=3)
    assert Calibration.from_settings({"calibration": stored.to_json()}) == stored


@pytest.mark.parametrize("setting", [None, {"chunks": 7}, {"version": 99, "weights": {}}, "0.5", 3])
def test_a_setting_in_another_form_is_no_calibration(setting: object) -> None:
    assert Calibration.from_settings({} if setting is None else {"calibration": setting}) is None


def test_a_calibration_holds_for_the_scores_that_it_was_learned_with() -> None:
    known = calibration()
    assert calibration_for(known, SearchRequest(query="keys", source="a*")) is known
    assert calibration_for(known, SearchRequest(query="keys", mode="lexical")) is None
    weighted = SearchRequest(query="keys", dense_weight=2.0, given=frozenset(("dense_weight",)))
    assert calibration_for(known, weighted) is None
    assert calibration_for(None, SearchRequest(query="keys")) is None


def only_keys(word: str, count: int) -> list[str]:
    return ["secrets", "tokens", "passwords"][:count] if word.casefold() == "keys" else []


@pytest.fixture
def chunk() -> Chunk:
    return crosshead.chunk(GUIDE)[0]


def test_questions_are_of_headings_and_of_sentences_without_function_words(chunk: Chunk) -> None:
    maker = QuestionMaker(["en"], only_keys)
    heading, first, other = (maker.make(chunk, number).split() for number in range(3))
    assert set(heading) <= {"Guide", "Keys", "secrets", "tokens", "passwords"}
    for question in (first, other):
        assert 3 <= len(question) <= 7
        assert not {"the", "The", "of", "so", "that"} & set(question)


def test_words_of_a_question_are_replaced_by_similar_ones(chunk: Chunk) -> None:
    maker = QuestionMaker(["en"], only_keys)
    asked = [maker.make(replace(chunk, id=f"{number:032x}"), 0) for number in range(60)]
    replaced = sum("Keys" not in question for question in asked)
    assert 0 < replaced < 60


def test_the_same_chunk_makes_the_same_question(chunk: Chunk) -> None:
    asked = [QuestionMaker(["en"], only_keys).make(chunk, 2) for _ in range(3)]
    assert asked[0]
    assert len({*asked}) == 1


@pytest.mark.parametrize("text", ["# A\n", "```\nrm -rf build\n```\n", "- x\n"])
def test_a_chunk_with_too_little_text_makes_no_question(text: str) -> None:
    (chunk,) = crosshead.chunk(text)
    assert QuestionMaker(["en"], only_keys).make(chunk, 1) == ""
