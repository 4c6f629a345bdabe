"""Which numbered lines of a plain text are headings."""

from __future__ import annotations

import pytest
from tests.formats.sound import headings, read_soundly

PROSE = "Some words that are long enough to be a paragraph of their own."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"1. Start\n\n{PROSE}\n\n2. End\n\n{PROSE}\n", [(1, "1. Start"), (1, "2. End")]),
        (f"1 Start\n\n{PROSE}\n\n1.1 More\n\n{PROSE}\n\n2 End\n", [(1, "1 Start"), (2, "1.1 More"), (1, "2 End")]),
        (f"1.  Start\n\n   {PROSE}\n\n1.1.  More\n\n   {PROSE}\n", [(1, "1. Start"), (2, "1.1. More")]),
        (f"Top\n===\n\n1. Start\n\n{PROSE}\n\n2. End\n", [(1, "Top"), (2, "1. Start"), (2, "2. End")]),
        (f"CHAPTER I.\n\n{PROSE}\n\nCHAPTER II.\n\n{PROSE}\n", [(1, "CHAPTER I."), (1, "CHAPTER II.")]),
        (f"Part 1\n\nChapter 1: A\n\n{PROSE}\n", [(1, "Part 1"), (2, "Chapter 1: A")]),
        ("1. Milk\n\n2. Eggs\n\n3. Bread\n", []),
        (f"1. Open it\n\n   {PROSE}\n\n2. Close it\n\n   {PROSE}\n", []),
        (f"1. Start\n\n{PROSE}\n", []),
        (f"7. Seven\n\n{PROSE}\n\n9. Nine\n\n{PROSE}\n", []),
        (f"1. This is a sentence.\n\n{PROSE}\n\n2. And another one.\n\n{PROSE}\n", []),
        (f"Chapter 1 is the best\n\n{PROSE}\n", []),
    ],
)
def test_headings_by_number(text: str, expected: list[tuple[int, str]]) -> None:
    assert headings(read_soundly(text, "text")) == expected
