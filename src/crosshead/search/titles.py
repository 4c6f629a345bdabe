"""Is a question the title of a section?"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from crosshead.search.stopwords import content_words
from crosshead.words import words

LONGEST_TITLE: Final = 200
"""Characters; a longer question is no title."""
SAME_MEANING: Final = 0.5
"""How far a title is the question that has its stems only, without words that say nothing: "Python" for "In Python"."""


class TitleMatch:
    """Compares titles with one question."""

    def __init__(self, query: str, language: str) -> None:
        self._words, self._stems = _read(query, language)
        self._language = language
        plain = " ".join(query.split())
        self.spellings = tuple({plain, plain.rstrip(" .:;!?…。！？")} - {""}) if len(plain) <= LONGEST_TITLE else ()
        """How a title may be written that is the question."""

    def __call__(self, title: str) -> float:
        """Return how far a title is the question: 1 if its words are the same, 0 if it is another one."""
        own, stems = _read(title, self._language)
        if not own:
            return 0.0
        return 1.0 if own == self._words else SAME_MEANING if stems == self._stems else 0.0

    def is_among(self, titles: Iterable[str]) -> bool:
        """Return whether one of some titles has the words of the question."""
        return any(self(title) == 1.0 for title in titles)


# The same headings are compared with every question.
@lru_cache(maxsize=50_000)
def _read(text: str, language: str) -> tuple[list[str], list[str]]:
    """Return all words of a text as they stand there, and the stems of those that carry its meaning."""
    return words(text, "simple"), content_words(words(text, language))
