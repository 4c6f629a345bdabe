"""A query -> its words, as each language of an index reads them.

1. every language has its own stems and function words; languages that read the query alike share a reading
2. if function words show the language of the query, others are left out
3. a text matches a query as well as its best reading: a document is in one language, and chance matches of other
   readings do not add up
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from crosshead.language.frequent import UNDETERMINED
from crosshead.search.query.stopwords import content_words, count_function_words

DOUBT: Final = 1
"""By how many function words a language may trail another one, and still be that of the query."""


class QueryWords(NamedTuple):
    """The words of a query in one language."""

    language: str
    wanted: tuple[str, ...]
    """Without stop words, each once."""


def languages_of(documents: Mapping[str, int], earlier: str) -> list[str]:
    """Return the languages of an index, most frequent first; documents without one count as `earlier`."""
    ordered = sorted(documents, key=lambda language: (-documents[language], language))
    return [language or earlier for language in ordered] or [UNDETERMINED]


def read_in(texts: Sequence[str], languages: Sequence[str]) -> tuple[QueryWords, ...]:
    """Return the readings of a query and its phrases; a text of stop words only keeps them."""
    if len(languages) > 1:
        counts = {each: count_function_words(texts[0], each) for each in languages}
        least = max(counts.values()) - DOUBT
        languages = [each for each in languages if counts[each] >= least]
    readings: dict[tuple[str, ...], QueryWords] = {}
    for language in languages:
        wanted = tuple(dict.fromkeys(word for text in texts for word in content_words(text, language)))
        readings.setdefault(wanted, QueryWords(language, wanted))
    return tuple(readings.values())
