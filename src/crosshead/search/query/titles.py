"""Is a query the title of a section?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from crosshead.language.words import words
from crosshead.search.query.stopwords import content_words
from crosshead.search.query.words import QueryWords

LONGEST_TITLE: Final = 200
"""Characters; a longer query is not a title."""
SAME_MEANING: Final = 0.5
"""Score of a title that matches the query only after stemming and removing stop words: "Python" for "In Python"."""


class TitleMatch:
    """Compares titles with one query."""

    def __init__(self, query: str, readings: Sequence[QueryWords]) -> None:
        self._words = _plain(query)
        self._stems = {reading.language: _stems(query, reading.language) for reading in readings}
        plain = " ".join(query.split())
        self.spellings = tuple({plain, plain.rstrip(" .:;!?…。！？")} - {""}) if len(plain) <= LONGEST_TITLE else ()
        """The ways in which a title that is the query may be written."""

    def __call__(self, title: str) -> float:
        """Return how well a title matches the query: 1 if its words are the same, 0 if it does not match."""
        own = _plain(title)
        if not own:
            return 0.0
        if own == self._words:
            return 1.0
        is_alike = any(_stems(title, language) == stems for language, stems in self._stems.items())
        return SAME_MEANING if is_alike else 0.0

    def is_among(self, titles: Iterable[str]) -> bool:
        """Return whether one of the titles has the same words as the query."""
        return any(self(title) == 1.0 for title in titles)


# The same headings are compared with every query.
@lru_cache(maxsize=50_000)
def _plain(text: str) -> list[str]:
    return words(text, "simple")


@lru_cache(maxsize=50_000)
def _stems(text: str, language: str) -> list[str]:
    """Return the stems of a text without stop words."""
    return content_words(text, language)
