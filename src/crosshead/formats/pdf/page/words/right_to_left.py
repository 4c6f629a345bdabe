"""Put the letters of words that are read from right to left into reading order.

pdfium sometimes returns the letters of a word from left to right, and those of a ligature always. Their positions show
the reading order: the first letter is the one furthest to the right.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Final

RIGHT_TO_LEFT: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_OTHER: Final = re.compile("(?![\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc])[^\\W_]")


def in_reading_order(text: str, middle_of: Callable[[int], float]) -> str:
    """Return a word's letters from right to left; `middle_of` returns the horizontal position of each.

    Numbers and letters of other scripts are read from left to right: a word that has some is not changed.
    """
    return "".join([text[index] for index in reading_order(text, middle_of)])


def reading_order(text: str, middle_of: Callable[[int], float]) -> Sequence[int]:
    """Return the numbers of a word's letters in the order in which they are read."""
    if len(text) < 2 or _OTHER.search(text):
        return range(len(text))
    middles = [middle_of(index) for index in range(len(text))]
    letters = [index for index, character in enumerate(text) if not unicodedata.combining(character)]
    if not letters:
        return range(len(text))
    marks = {index: _nearest(index, letters, middles) for index in {*range(len(text))}.difference(letters)}
    ordered: list[int] = []
    for letter in sorted(letters, key=lambda index: -middles[index]):
        ordered += [letter, *[mark for mark, owner in marks.items() if owner == letter]]
    return ordered


def _nearest(mark: int, letters: Sequence[int], middles: Sequence[float]) -> int:
    """Return the letter that a vowel sign belongs to: the nearest."""
    return min(letters, key=lambda index: abs(middles[index] - middles[mark]))
