"""How likely hits are to answer: the model, its promise, and the questions that it is learned from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

import crosshead
from crosshead.search.confidence.judge import calibrations_for
from crosshead.search.confidence.learn import learn
from crosshead.search.confidence.promise import choose_threshold
from crosshead.search.confidence.questions import NO_WORD, QuestionMaker, Rarities
from crosshead.search.query.conditions import read_query
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
    known = {"": calibration()}
    assert calibrations_for(known, SearchRequest(query="keys", source="a*")) is known
    assert calibrations_for(known, SearchRequest(query="keys", mode="lexical")) == {}
    weighted = SearchRequest(query="keys", dense_weight=2.0, given=frozenset(("dense_weight",)))
    assert calibrations_for(known, weighted) == {}
    assert calibrations_for({}, SearchRequest(query="keys")) == {}


COMMON, RARE, UNKNOWN = 1.0, 6.0, 7.0
OTHER_WORDS = ("printer", "paper", "jams", "drawer", "envelopes")


def rarities(words: Sequence[str]) -> list[float]:
    return [UNKNOWN if word == NO_WORD else COMMON for word in words]


def make(chunks: Sequence[Chunk], languages: Sequence[str] = ("en",), rarities: Rarities = rarities) -> QuestionMaker:
    return QuestionMaker(languages, chunks, rarities)


@pytest.fixture
def chunk() -> Chunk:
    return crosshead.chunk(GUIDE)[0]


@pytest.fixture
def other() -> Chunk:
    return crosshead.chunk("# Office\n\n## Paper\n\nPrinter paper jams drawer envelopes.\n")[0]


def with_ids(chunk: Chunk, count: int) -> list[Chunk]:
    return [replace(chunk, id=f"{number:032x}") for number in range(count)]


def test_a_question_is_a_few_words_of_a_heading_or_a_sentence(chunk: Chunk) -> None:
    maker = make([chunk])  # nothing but its own words to replace words with
    for each in with_ids(chunk, 20):
        assert set(maker.answered(each, 0).split()) == {"Guide", "Keys"}
        for number in (1, 2):
            question = maker.answered(each, number)
            assert set(question.split()) <= set(chunk.content.replace(".", "").split())
            assert len(question.split()) >= 3


def test_words_of_a_question_are_replaced_by_those_of_other_chunks(chunk: Chunk, other: Chunk) -> None:
    maker = make([other])
    asked = [maker.answered(each, 1).split() for each in with_ids(chunk, 100)]
    replaced = [sum(word.casefold() in OTHER_WORDS for word in question) / len(question) for question in asked]
    assert 0.2 < sum(replaced) / len(replaced) < 0.7
    assert any(share == 0.0 for share in replaced)
    assert any(share > 0.6 for share in replaced)


def test_a_word_that_hardly_any_chunk_has_becomes_one_that_none_has(chunk: Chunk, other: Chunk) -> None:
    known = {*OTHER_WORDS, *chunk.content.casefold().replace(".", "").split()}

    def all_rare(words: Sequence[str]) -> list[float]:
        return [UNKNOWN if word == NO_WORD else RARE for word in words]

    for rare, is_changed in ((rarities, False), (all_rare, True)):
        asked = [make([other], rarities=rare).answered(each, 1).casefold() for each in with_ids(chunk, 30)]
        assert any(set(question.split()) - known for question in asked) is is_changed


def test_names_stay_in_an_answered_question_and_are_unknown_in_another_one(other: Chunk) -> None:
    (chunk,) = crosshead.chunk("# Setup\n\nset MAX_TOKENS before start_server opens ports\n")
    maker = make([other])
    for each in with_ids(chunk, 30):
        answered, unanswered = maker.answered(each, 1), maker.unanswered(each, 1)
        assert "MAX_TOKENS" in answered or "start_server" in answered
        assert not {"MAX_TOKENS", "start_server"} & set(unanswered.split())


def test_a_question_about_something_else_shares_few_words(chunk: Chunk, other: Chunk) -> None:
    maker = make([other])
    words = set(chunk.content.split())

    def share(questions: Iterable[str]) -> float:
        return sum(word in words for question in questions for word in question.split())

    chunks = with_ids(chunk, 50)
    assert share(maker.unanswered(each, 1) for each in chunks) < share(maker.answered(each, 1) for each in chunks)


def test_a_script_without_spaces_is_replaced_in_parts() -> None:
    (chunk,), (other,) = (
        crosshead.chunk(f"# {title}\n\n{text}\n")
        for title, text in (
            ("索引", "软件包的构建过程需要检查全部依赖关系"),
            ("打印", "打印机卡纸时请打开侧面抽屉取出纸张"),
        )
    )
    maker = make([other], ["zh"])
    asked = [maker.answered(each, 1) for each in with_ids(chunk, 40)]
    assert all(question for question in asked)
    shared = [len(set(question) & set(chunk.content)) / len(set(question)) for question in asked]
    assert 0.2 < sum(shared) / len(shared) < 0.8


def test_a_question_excludes_and_requires_nothing(other: Chunk) -> None:
    (chunk,) = crosshead.chunk('# Flags\n\nCall the "loader" tool -with "two" words OR -three flags "quoted" here\n')
    maker = make([other])
    for each in with_ids(chunk, 30):
        for question in (maker.answered(each, 1), maker.unanswered(each, 1)):
            assert not read_query(question, ["en"]).conditions


def test_the_same_chunk_makes_the_same_questions(chunk: Chunk, other: Chunk) -> None:
    asked = [(maker.answered(chunk, 2), maker.unanswered(chunk, 2)) for maker in (make([other]) for _ in range(3))]
    assert all(asked[0])
    assert len({*asked}) == 1


@pytest.mark.parametrize("text", ["# A\n", "```\nrm -rf build\n```\n", "- x\n"])
def test_a_chunk_with_too_little_text_makes_no_question(text: str) -> None:
    (chunk,) = crosshead.chunk(text)
    assert make([chunk]).answered(chunk, 1) == ""
