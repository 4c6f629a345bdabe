"""A query as typed -> the text to rank by, and the conditions that hits must meet.

1. `-word` and `-"a phrase"` exclude chunks; a single letter, as in `tar -x`, is a flag and stays in the text
2. `"a phrase"` is required
3. `a OR b`, of words or phrases, requires one of them
4. everything else ranks, but is not required

A word matches in any of its forms, a phrase as written, whatever is between its words: blanks, a line break, marks of
Markdown. The headings above a chunk count as its text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from crosshead.language.words import word_pattern, words
from crosshead.search.query.words import QueryWords, read_in
from crosshead.types import Chunk

_PART: Final = re.compile(
    r"(?<!\S)(?P<minus>-(?=[^\W\d_][^\s.,;:!?)]|[\"“]))?"
    r'(?:"(?P<phrase>[^"\n]*[^"\s][^"\n]*)"(?!\w)|“(?P<curly>[^”\n]*[^”\s][^”\n]*)”(?!\w)|(?P<word>\S+))'
)
_OR: Final = "OR"
_AROUND_WORDS: Final = ".,;:!?()"
_GAP: Final = r"(?:\W|_){1,8}?"
"""What may be between the words of a phrase."""
_SPACED: Final = re.compile("[^\\W\u3000-\U0003134f]")
"""A character of a script that has spaces between its words."""

Words = Callable[[str], frozenset[str]]
"""Returns the words of a text as a language reads them."""
IsIn = Callable[[str, Words], bool]
"""Returns whether a text with these words matches."""


class QueryPart(NamedTuple):
    """A word, or a phrase in quotation marks, of a query."""

    typed: str
    text: str
    is_phrase: bool
    is_excluded: bool

    @property
    def is_or(self) -> bool:
        """Is it the operator between two alternatives?"""
        return self.typed == _OR


class Conditions(NamedTuple):
    """What a chunk must hold, and what it must not hold."""

    required: tuple[tuple[IsIn, ...], ...] = ()
    """One of each group is required."""
    excluded: tuple[IsIn, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.required or self.excluded)

    def allow(self, chunk: Chunk) -> bool:
        """Return whether a chunk meets all conditions."""
        text = unicodedata.normalize("NFKC", "\n".join((*chunk.full_path, chunk.content)))
        held = cache(lambda language: frozenset(words(text, language)))
        return all(any(is_in(text, held) for is_in in group) for group in self.required) and not any(
            is_in(text, held) for is_in in self.excluded
        )


class Query(NamedTuple):
    """A query taken apart."""

    text: str
    """The text to rank by, without excluded words and without OR."""
    readings: tuple[QueryWords, ...]
    conditions: Conditions


def read_query(query: str, languages: Sequence[str]) -> Query:
    """Separate the text of a query from its conditions, and read both in some languages."""
    parts = [*_parts(query)]
    included = [part for part in parts if not part.is_excluded]
    groups = _groups(included)
    typed = [part.typed for group in groups for part in group]
    required = (group for group in groups if len(group) > 1 or group[0].is_phrase)
    text = query if len(typed) == len(parts) else " ".join(typed)
    readings = read_in((text, *(part.text for part in included if part.is_phrase)), languages)
    read_as = tuple(reading.language for reading in readings)
    return Query(
        text,
        readings,
        Conditions(
            tuple(tuple(_is_in(part, read_as) for part in group) for group in required),
            tuple(_is_in(part, read_as) for part in parts if part.is_excluded),
        ),
    )


def _parts(query: str) -> Iterator[QueryPart]:
    for match in _PART.finditer(query):
        phrase = match["phrase"] or match["curly"]
        text = phrase or match["word"].strip(_AROUND_WORDS)
        yield QueryPart(match[0], text.strip(), phrase is not None, match["minus"] is not None)


def _groups(parts: Sequence[QueryPart]) -> list[list[QueryPart]]:
    """Group the alternatives on both sides of each OR."""
    groups: list[list[QueryPart]] = []
    for at, part in enumerate(parts):
        is_between = 0 < at < len(parts) - 1
        if part.is_or and is_between:
            continue
        if at > 1 and parts[at - 1].is_or:
            groups[-1].append(part)
        else:
            groups.append([part])
    return groups


def _is_in(part: QueryPart, languages: Sequence[str]) -> IsIn:
    if word_pattern(part.text).fullmatch(part.text) and not part.is_phrase:
        wanted = {language: frozenset(words(part.text, language)) for language in languages}
        return lambda _, held: any(wanted[language] <= held(language) for language in languages)
    pattern = _pattern(unicodedata.normalize("NFKC", part.text))
    return lambda text, _: pattern.search(text) is not None


def _pattern(phrase: str) -> re.Pattern[str]:
    parts = (re.sub("['’]", "['’]", re.escape(part)) for part in phrase.split())
    before = r"(?<![^\W_])" if _SPACED.match(phrase[:1]) else ""
    after = r"(?![^\W_])" if _SPACED.match(phrase[-1:]) else ""
    return re.compile(before + _GAP.join(parts) + after, re.IGNORECASE)
