from __future__ import annotations

import pytest

from crosshead.language.words import words
from crosshead.search.query.stopwords import content_words, count_function_words


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("the rotation of keys", "en", words("rotation keys", "en")),
        ("การอ้างอิง", "th", words("อ้างอิง", "th")),
        ("อย่างไร", "th", words("อย่างไร", "th")),
        ("什么文件", "zh", words("文件", "zh")),
    ],
)
def test_function_words_are_left_out_but_not_their_parts_in_other_words(
    text: str, language: str, expected: list[str]
) -> None:
    assert content_words(text, language) == expected


@pytest.mark.parametrize(
    ("text", "language", "count"),
    [("the rotation of keys", "en", 2), ("การอ้างอิง API ของ", "th", 2), ("อ้างอิง", "th", 0), ("什么文件", "zh", 1)],
)
def test_function_words_are_counted_by_word_or_run(text: str, language: str, count: int) -> None:
    assert count_function_words(text, language) == count
