"""The words of a query that carry its meaning: function words of its language are left out."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from crosshead.languages import CODES, FUNCTION_WORDS
from crosshead.words import WORD, words

_NAMES: Final = {code: name for name, code in CODES.items()}
_BY_SCRIPT: Final = ("english", "russian")
_UNSPACED: Final = ("chinese", "japanese", "thai")
"""Languages whose function words are cut out of a text, because no spaces set them apart."""
_IS_GRAMMAR: Final = re.compile("[\u3040-\u309f]+$").match
"""Hiragana alone is mostly endings and particles."""


def content_words(text: str, language: str) -> list[str]:
    """Return the words of a text that carry its meaning, in order; all of them if none does."""
    stops = stop_words(language)
    found = words(_unspaced_function_words().sub(" ", text), language)
    return [word for word in found if word not in stops and not _IS_GRAMMAR(word)] or words(text, language)


def count_function_words(text: str, language: str) -> int:
    """Return how many words of a text are function words of a language."""
    stops = stop_words(language)
    return sum(not stops.isdisjoint(words(word, language)) for word in WORD.findall(text))


@cache
def stop_words(language: str) -> frozenset[str]:
    """Return the function words of a language, as `words` gives them; of one in another script also English ones."""
    name = _NAMES.get(language, language)
    own = FUNCTION_WORDS.get(name, "")
    is_latin = own[:1].isascii() and own != ""
    usual = _BY_SCRIPT if not own else () if is_latin else ("english",)
    return frozenset(words(" ".join((own, *(FUNCTION_WORDS[each] for each in usual))), language))


@cache
def _unspaced_function_words() -> re.Pattern[str]:
    found = {word for name in _UNSPACED for word in FUNCTION_WORDS[name].split()}
    return re.compile("|".join(sorted(map(re.escape, found), key=lambda word: (-len(word), word))))
