from __future__ import annotations

import pytest

from crosshead.formats.pdf.page.words.right_to_left import in_reading_order

LAM, ALEF, FATHA = "\u0644", "\u0627", "\u064e"


@pytest.mark.parametrize(
    ("given", "middles", "read"),
    [
        (LAM + ALEF, (9.0, 1.0), LAM + ALEF),
        (ALEF + LAM, (1.0, 9.0), LAM + ALEF),
        ("\u05dd\u05d5\u05dc\u05e9", (1.0, 2.0, 3.0, 4.0), "\u05e9\u05dc\u05d5\u05dd"),
        (ALEF + FATHA + LAM, (1.0, 9.1, 9.0), LAM + FATHA + ALEF),
        (ALEF + "1", (1.0, 9.0), ALEF + "1"),
    ],
    ids=["in order", "ligature", "whole word", "vowel sign", "number"],
)
def test_letters_are_read_from_the_right(given: str, middles: tuple[float, ...], read: str) -> None:
    assert in_reading_order(given, middles.__getitem__) == read
