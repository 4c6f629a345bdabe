"""Is a question the title of a section?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from crosshead.search.stopwords import content_words
from crosshead.words import words

SAME_MEANING: Final = 0.5
"""How far a title is the question that differs only in words that say nothing: "In Python" is not "Python"."""


class TitleMatch:
    """Compares titles with one question."""

    def __init__(self, query: str, language: str) -> None:
        self._asked = _both(query, language)
        self._language = language

    def best(self, titles: Iterable[str]) -> float:
        """Return how far one of some titles is the question: 1 if its words are the same, 0 if not at all."""
        return max(map(self, titles), default=0.0)

    def __call__(self, title: str) -> float:
        """Return how far a title is the question."""
        asked, telling = self._asked
        own, own_telling = _both(title, self._language)
        if not own:
            return 0.0
        return 1.0 if own == asked else SAME_MEANING if own_telling == telling else 0.0


# The same headings are compared with every question.
@lru_cache(maxsize=50_000)
def _both(text: str, language: str) -> tuple[Sequence[str], Sequence[str]]:
    """Return all words of a text, and those that carry its meaning."""
    found = words(text, language)
    return found, content_words(found)
