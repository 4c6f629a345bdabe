"""How much of a context an answer may take."""

from __future__ import annotations

import pytest

from crosshead.mcp.answers.indexing import Note
from crosshead.mcp.budget import FRAME_TOKENS, Budget


def test_parts_are_taken_while_there_is_room() -> None:
    budget = Budget(FRAME_TOKENS + 40)
    taken = [budget.take(Note(note="one two three four five")) for _ in range(10)]
    assert taken == sorted(taken, reverse=True)
    assert True in taken
    assert False in taken
    assert budget.left >= 0


@pytest.mark.parametrize("text", ["", "short", "two\nlines\n"])
def test_what_fits_is_not_cut(text: str) -> None:
    assert Budget(FRAME_TOKENS + 50).cut(text) == text


def test_cut_ends_with_a_whole_line() -> None:
    text = "a line of words\n" * 100
    cut = Budget(FRAME_TOKENS + 50).cut(text)
    assert text.startswith(f"{cut}\n")
    assert 5 < cut.count("\n") < 15


def test_line_that_is_too_long_is_cut_anywhere() -> None:
    text = "word " * 1000
    cut = Budget(FRAME_TOKENS + 50).cut(text)
    assert text.startswith(cut)
    assert 100 < len(cut) < 300


def test_nothing_is_left_where_there_is_no_room() -> None:
    assert Budget(FRAME_TOKENS).cut("text") == ""
