from __future__ import annotations

import pytest

from crosshead.search.query.titles import LONGEST_TITLE, SAME_MEANING, TitleMatch
from crosshead.search.query.words import read_in


@pytest.mark.parametrize(
    ("query", "title", "expected"),
    [
        ("Critical Rules", "Critical Rules", 1.0),
        ("critical  rules?", "Critical Rules", 1.0),
        ("Which one?", "Which one?", 1.0),
        ("обновление ключей", "Обновление ключей", 1.0),
        ("鍵の回転", "鍵の回転", 1.0),
        ("In Python", "Python", SAME_MEANING),
        ("how do I rotate keys", "Rotating keys", SAME_MEANING),
        ("rules critical", "Critical Rules", 0.0),
        ("rules", "Critical Rules", 0.0),
        ("critical rules of the house", "Critical Rules", 0.0),
        ("???", "", 0.0),
        ("???", "!!!", 0.0),
    ],
)
def test_title_is_the_question_as_far_as_its_words_are(query: str, title: str, expected: float) -> None:
    match = TitleMatch(query, read_in([query], ["auto"]))
    assert match(title) == expected
    assert match.is_among(["Other", title]) == (expected == 1.0)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("Which  one?", {"Which one?", "Which one"}),
        ("Rules", {"Rules"}),
        ("...", {"..."}),
        ("x" * (LONGEST_TITLE + 1), set()),
    ],
)
def test_title_is_looked_for_with_and_without_its_last_mark(query: str, expected: set[str]) -> None:
    assert set(TitleMatch(query, read_in([query], ["auto"])).spellings) == expected
