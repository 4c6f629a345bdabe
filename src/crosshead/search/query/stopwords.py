"""The words of a query without stop words: the function words of its language."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from crosshead.language.frequent import CODES, FUNCTION_WORDS
from crosshead.language.words import word_pattern, words

_NAMES: Final = {code: name for name, code in CODES.items()}
_BY_SCRIPT: Final = ("english", "russian")
_UNSPACED: Final = ("chinese", "japanese", "thai")
"""Languages without spaces between words, whose function words are cut out of the text."""
_CONTRACTED: Final = re.compile(r"\b\w+n['’]t\b|(?<=\w)['’](?:s|d|m|ll|re|ve)\b", re.IGNORECASE)
"""English function words, and ends of words, that an apostrophe cuts in two."""
_IS_GRAMMAR: Final = re.compile("[\u3040-\u309f]+$").match
"""Hiragana alone is mostly endings and particles."""


def content_words(text: str, language: str) -> list[str]:
    """Return the words of a text without stop words, in order; all words if only stop words are left."""
    stops = stop_words(language)
    found = words(_function_words(_UNSPACED).sub(" ", _CONTRACTED.sub("", text)), language)
    return [word for word in found if word not in stops and not _IS_GRAMMAR(word)] or words(text, language)


def count_function_words(text: str, language: str) -> int:
    """Return how many words of a text are function words of a language; without spaces, how many runs contain one."""
    name = _NAMES.get(language, language)
    if name in _UNSPACED:
        return sum(_function_words((name,)).search(run) is not None for run in word_pattern(text).findall(text))
    stops = stop_words(language)
    return sum(not stops.isdisjoint(words(word, language)) for word in word_pattern(text).findall(text))


@cache
def stop_words(language: str) -> frozenset[str]:
    """Return the stop words of a language as `words` returns them; languages in other scripts include English ones.

    In scripts without spaces, a pair of characters counts only if it is a whole stop word: other words have it too.
    """
    name = _NAMES.get(language, language)
    own = FUNCTION_WORDS.get(name, "")
    is_latin = own[:1].isascii() and own != ""
    usual = _BY_SCRIPT if not own else () if is_latin else ("english",)
    others = words(" ".join(FUNCTION_WORDS[each] for each in usual), language)
    return frozenset((*_whole_words(own, language, name in _UNSPACED), *others))


def _whole_words(listed: str, language: str, unspaced: bool) -> list[str]:
    if not unspaced:
        return words(listed, language)
    return [form for word in listed.split() for form in words(word, language) if len(form) == 1 or form == word]


@cache
def _function_words(languages: tuple[str, ...]) -> re.Pattern[str]:
    found = {word for name in languages for word in FUNCTION_WORDS[name].split()}
    return re.compile("|".join(sorted(map(re.escape, found), key=lambda word: (-len(word), word))))
