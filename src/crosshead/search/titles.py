"""Is a question the title of a section?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from crosshead.language.words import words
from crosshead.search.stopwords import content_words
from crosshead.search.words import QueryWords

LONGEST_TITLE: Final = 200
"""Characters; a longer question is no title."""
SAME_MEANING: Final = 0.5
"""How far a title is the question that has its stems only, without words that say nothing: "Python" for "In Python"."""


class TitleMatch:
    """Compares titles with one question."""

    def __init__(self, query: str, readings: Sequence[QueryWords]) -> None:
        self._words = _plain(query)
        self._stems = {reading.language: _stems(query, reading.language) for reading in readings}
        plain = " ".join(query.split())
        self.spellings = tuple({plain, plain.rstrip(" .:;!?…。！？")} - {""}) if len(plain) <= LONGEST_TITLE else ()
        """How a title may be written that is the question."""

    def __call__(self, title: str) -> float:
        """Return how far a title is the question: 1 if its words are the same, 0 if it is another one."""
        own = _plain(title)
        if not own:
            return 0.0
        if own == self._words:
            return 1.0
        is_alike = any(_stems(title, language) == stems for language, stems in self._stems.items())
        return SAME_MEANING if is_alike else 0.0

    def is_among(self, titles: Iterable[str]) -> bool:
        """Return whether one of some titles has the words of the question."""
        return any(self(title) == 1.0 for title in titles)


# The same headings are compared with every question.
@lru_cache(maxsize=50_000)
def _plain(text: str) -> list[str]:
    return words(text, "simple")


@lru_cache(maxsize=50_000)
def _stems(text: str, language: str) -> list[str]:
    """Return the stems of the words that carry the meaning of a text."""
    return content_words(text, language)
