"""The JSON of answers."""

from __future__ import annotations

import json

import pytest

from crosshead.errors import OptionsError
from crosshead.types import Answer, CitedSpan, Sentence

ANSWER = Answer(
    "How often?",
    "Yearly [1].",
    (Sentence("Yearly [1].", (1,), 0, 11),),
    (CitedSpan(1, "guide.md", "aa", 5, 20, "bb", "guide.md:2-3"),),
    model="scripted",
)
WRONG = {
    "[]": "the answer must be a JSON object",
    '{"schema": "crosshead.chunk/1"}': 'schema must be "crosshead.answer/1", not "crosshead.chunk/1"',
    '{"question": "?"}': "the answer has no text",
    '{"text": 5}': "text must be text",
    '{"text": "a", "sentences": [5]}': "sentences[0] must be a JSON object",
    '{"text": "a", "sentences": [{"text": "a", "citations": ["1"]}]}': (
        "sentences[0].citations must be a list of whole numbers"
    ),
    '{"text": "a", "citations": [{"source": "a.md"}]}': "citations[0].n is missing",
    '{"text": "a", "citations": [{"n": 1}]}': "citations[0] needs source or citation",
    '{"text": "a", "citations": [{"n": 1, "source": "a", "start": -1, "end": 2}]}': (
        "citations[0].start must be a whole number of 0 or more"
    ),
    '{"text": "a", "citations": [{"n": 1, "source": "a", "start": 2, "end": 1}]}': (
        "citations[0] needs start and end, in this order, or neither"
    ),
}


def test_json_holds_all_of_an_answer() -> None:
    assert Answer.from_json(json.loads(json.dumps(ANSWER.to_json()))) == ANSWER


def test_answers_of_other_programs_may_leave_out_what_they_do_not_know() -> None:
    answer = Answer.from_json({"text": "Yearly [1].", "citations": [{"n": 1, "citation": "guide.md:2"}], "by": "me"})
    assert answer.citations == (CitedSpan(1, "", citation="guide.md:2"),)
    assert Answer.from_json({"sentences": [{"text": "A."}, {"text": "B."}]}).text == "A.\nB."


@pytest.mark.parametrize(("text", "reason"), WRONG.items())
def test_what_is_wrong_is_named(text: str, reason: str) -> None:
    with pytest.raises(OptionsError) as error:
        Answer.from_json(json.loads(text))
    assert str(error.value) == reason
