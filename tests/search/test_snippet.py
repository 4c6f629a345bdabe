from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crosshead.language.words import words
from crosshead.search.query.words import QueryWords
from crosshead.search.snippet import CLOSING, LONGEST, OPENING, SnippetWords, make_snippet


def snippet(content: str, query: str) -> str:
    return make_snippet(content, SnippetWords([QueryWords("und", tuple(words(query, "und")))]))


@pytest.mark.parametrize(
    ("content", "query", "expected"),
    [
        ("", "x", ""),
        ("\n\n", "x", ""),
        ("Nothing of it.", "rotate", "Nothing of it."),
        ("Rotating a key.", "rotate keys", "[[Rotating]] a [[key]]."),
        ("Set max_tokens=5 now", "max_tokens", "Set [[max_tokens]]=5 now"),
        ("Set max_tokens now", "tokens", "Set [[max_tokens]] now"),
        ("Ключи обновляются ежедневно.", "обновляется ключа", "[[Ключи]] [[обновляются]] ежедневно."),
        ("鍵を毎日回転させる。", "毎日", "鍵を[[毎日]]回転させる。"),
        ("鍵を毎日回転させる。", "鍵", "[[鍵]]を毎日回転させる。"),
        ("鍵を毎日回転させる。", "毎日回転", "鍵を[[毎日回転]]させる。"),
        ("สำหรับกระบวน", "สำหรับ", "[[สำหรับ]]กระบวน"),
        ("การอ้างอิงของ", "อ้ งอิง", "การ[[อ้างอิง]]ของ"),
        ("ﾃﾞｰﾀ 件", "件", "ﾃﾞｰﾀ [[件]]"),
        ("re\u0301sume\u0301 here", "resume", "[[re\u0301sume\u0301]] here"),
        ("a [link](x) and [[wiki]]", "link", "a [[[link]]](x) and [[wiki]]"),
    ],
)
def test_found_words_are_marked(content: str, query: str, expected: str) -> None:
    assert snippet(content, query) == expected


def test_the_three_lines_with_most_of_the_words_are_taken() -> None:
    content = "# Title\n\none\ntwo\n\nthe key\nin between\nrotates\nlast\n"
    assert snippet(content, "key rotate") == "the [[key]]\nin between\n[[rotates]]"


def test_the_first_of_equal_places_is_taken() -> None:
    assert snippet("key 1\nx\ny\nz\nkey 2\n", "key").startswith("[[key]] 1")


@pytest.mark.parametrize("space", [" ", ""])
def test_a_long_line_is_cut_around_the_words(space: str) -> None:
    filler = (f"文字{space}" if not space else f"filler{space}") * 500
    found = snippet(f"{filler} needle in it {filler}", "needle")
    assert "[[needle]]" in found
    assert found.startswith("…")
    assert found.endswith("…")
    assert len(found) <= LONGEST + 10


def test_a_long_line_without_the_words_is_cut_at_its_end() -> None:
    found = snippet("word " * 500, "other")
    assert found.startswith("word")
    assert found.endswith("…")


def test_lines_after_a_long_one_are_left_out() -> None:
    assert "\n" not in snippet(f"key {'x ' * 400}\nsecond\nthird", "key")


@given(st.text(st.sampled_from("ab 日カé\n._-"), max_size=400), st.text(st.sampled_from("ab 日カé_"), max_size=20))
def test_without_marks_a_snippet_is_text_of_the_chunk(content: str, query: str) -> None:
    found = snippet(content, query)
    for line in found.replace(OPENING, "").replace(CLOSING, "").split("\n"):
        assert line.strip("…") in content
    assert found.count(OPENING) == found.count(CLOSING)


@given(st.text(), st.text())
def test_any_text_has_a_snippet(content: str, query: str) -> None:
    snippet(content, query)
