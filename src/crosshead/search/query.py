"""A query as it is typed -> the question, and what its answers must hold.

1. `-word` and `-"a phrase"` leave out chunks that hold it; a single letter, as in `tar -x`, is a flag and stays
2. `"a phrase"` must be there
3. `a OR b`, of words or phrases: one of them must be there
4. everything else is the question: it ranks, but nothing of it has to be there

A word is there in any of its forms, a phrase as it is written, whatever stands between its words: blanks, a line break,
marks of Markdown. The headings above a chunk are read as its text is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from crosshead.language.words import WORD, words
from crosshead.search.words import QueryWords, read_in
from crosshead.types import Chunk

_PART: Final = re.compile(
    r"(?<!\S)(?P<minus>-(?=[^\W\d_][^\s.,;:!?)]|[\"“]))?"
    r'(?:"(?P<phrase>[^"\n]*[^"\s][^"\n]*)"(?!\w)|“(?P<curly>[^”\n]*[^”\s][^”\n]*)”(?!\w)|(?P<word>\S+))'
)
_OR: Final = "OR"
_AROUND_WORDS: Final = ".,;:!?()"
_GAP: Final = r"(?:\W|_){1,8}?"
"""What may stand between the words of a phrase."""
_SPACED: Final = re.compile("[^\\W\u3000-\U0003134f]")
"""A character of a word that spaces set apart; other scripts have none."""

Words = Mapping[str, frozenset[str]]
"""The words of a text, by the languages that it is read in."""
IsIn = Callable[[str, Words], bool]
"""Tells whether a text with these words holds something."""


class QueryPart(NamedTuple):
    """A word, or a phrase in quotation marks, of a query."""

    typed: str
    text: str
    is_phrase: bool
    is_excluded: bool

    @property
    def is_or(self) -> bool:
        """Does it join what stands before and behind it?"""
        return self.typed == _OR


class Conditions(NamedTuple):
    """What a chunk must hold, and what it must not."""

    required: tuple[tuple[IsIn, ...], ...] = ()
    """Of each group one."""
    excluded: tuple[IsIn, ...] = ()
    languages: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.required or self.excluded)

    def allow(self, chunk: Chunk) -> bool:
        """Return whether a chunk holds what it must, and nothing that it must not."""
        text = unicodedata.normalize("NFKC", "\n".join((*chunk.full_path, chunk.content)))
        held = {language: frozenset(words(text, language)) for language in self.languages}
        return all(any(is_in(text, held) for is_in in group) for group in self.required) and not any(
            is_in(text, held) for is_in in self.excluded
        )


class Query(NamedTuple):
    """A query that was read."""

    text: str
    """The question: what is left out, and the word OR, is no part of it."""
    readings: tuple[QueryWords, ...]
    conditions: Conditions


def read_query(query: str, languages: Sequence[str]) -> Query:
    """Tell the question from the conditions, and read both in some languages."""
    parts = [*_parts(query)]
    asked = [part for part in parts if not part.is_excluded]
    groups = _groups(asked)
    typed = [part.typed for group in groups for part in group]
    demanded = (group for group in groups if len(group) > 1 or group[0].is_phrase)
    text = query if len(typed) == len(parts) else " ".join(typed)
    readings = read_in((text, *(part.text for part in asked if part.is_phrase)), languages)
    chosen = tuple(reading.language for reading in readings)
    return Query(
        text,
        readings,
        Conditions(
            tuple(tuple(_is_in(part, chosen) for part in group) for group in demanded),
            tuple(_is_in(part, chosen) for part in parts if part.is_excluded),
            chosen,
        ),
    )


def _parts(query: str) -> Iterator[QueryPart]:
    for match in _PART.finditer(query):
        phrase = match["phrase"] or match["curly"]
        text = phrase or match["word"].strip(_AROUND_WORDS)
        yield QueryPart(match[0], text.strip(), phrase is not None, match["minus"] is not None)


def _groups(parts: Sequence[QueryPart]) -> list[list[QueryPart]]:
    """Join what stands on both sides of an OR."""
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
    if WORD.fullmatch(part.text) and not part.is_phrase:
        wanted = {language: frozenset(words(part.text, language)) for language in languages}
        return lambda _, held: any(wanted[language] <= held[language] for language in languages)
    pattern = _pattern(unicodedata.normalize("NFKC", part.text))
    return lambda text, _: pattern.search(text) is not None


def _pattern(phrase: str) -> re.Pattern[str]:
    parts = (re.sub("['’]", "['’]", re.escape(part)) for part in phrase.split())
    before = r"(?<![^\W_])" if _SPACED.match(phrase[:1]) else ""
    after = r"(?![^\W_])" if _SPACED.match(phrase[-1:]) else ""
    return re.compile(before + _GAP.join(parts) + after, re.IGNORECASE)
