"""A query -> its words, as each language of an index reads them.

1. every language has its own stems and function words; what languages read alike is one reading
2. where the function words tell the language of the query, others are left out
3. a text matches a query as well as it does in the reading that fits best: a document is in one language, and words of
   other readings that happen to be in it do not add up
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from crosshead.language.frequent import UNDETERMINED
from crosshead.search.stopwords import content_words, count_function_words

DOUBT: Final = 1
"""Function words by which a language may be behind another one, and still be that of the query."""


class QueryWords(NamedTuple):
    """The words of a query in one language."""

    language: str
    wanted: tuple[str, ...]
    """Those that carry a meaning, each once."""


def languages_of(documents: Mapping[str, int], earlier: str) -> list[str]:
    """Return the languages of an index, the most frequent first; documents without one are read as `earlier`."""
    ordered = sorted(documents, key=lambda language: (-documents[language], language))
    return [language or earlier for language in ordered] or [UNDETERMINED]


def read_in(texts: Sequence[str], languages: Sequence[str]) -> tuple[QueryWords, ...]:
    """Return the readings of a query and of its phrases, whose words are all kept if none of them carries a meaning."""
    if len(languages) > 1:
        counts = {each: count_function_words(texts[0], each) for each in languages}
        least = max(counts.values()) - DOUBT
        languages = [each for each in languages if counts[each] >= least]
    readings: dict[tuple[str, ...], QueryWords] = {}
    for language in languages:
        wanted = tuple(dict.fromkeys(word for text in texts for word in content_words(text, language)))
        readings.setdefault(wanted, QueryWords(language, wanted))
    return tuple(readings.values())
