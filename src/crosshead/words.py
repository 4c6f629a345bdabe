"""Text -> the words that lexical search compares, the same ones for every store and for the query.

1. letters are compared without case and without the accents of Latin script
2. an identifier, path or hyphenated word is found whole and by its parts: `max_tokens`, `maxTokens`, `--max-tokens`
3. Chinese, Japanese and Korean text has no spaces: it is cut into pairs of characters
4. a word is reduced to its stem in the language of its script, or in the one that the index is told
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Final

from crosshead.errors import MissingExtra, OptionsError

LONGEST_WORD: Final = 64
"""Characters; what is longer is data, and only its beginning is worth comparing."""

_CJK: Final = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f"
_WORD: Final = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}](?:[\w.:/\\@#+-]*[^\W_{_CJK}])?")
_PART: Final = re.compile(rf"[{_CJK}]+|[^\W\d_{_CJK}]+|\d+")
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_IS_CJK: Final = re.compile(f"[{_CJK}]").match
_LATIN: Final = re.compile(r"[a-z]").match
_CYRILLIC: Final = re.compile("[\u0400-\u04ff]").match

Stem = Callable[[str], str]


def words(text: str, language: str = "auto") -> list[str]:
    """Return the words of a text in order; an identifier is followed by its parts.

    >>> words("Rotating max_tokens")
    ['rotat', 'max_tokens', 'max', 'token']
    """
    stem = stemmer(language)
    found: list[str] = []
    for word in _WORD.findall(text):
        if word.isalpha() and word[1:].islower():
            found.append(stem(fold(word)) if not _IS_CJK(word) else word)
        else:
            found += _split(word, stem)
    return found


def _split(word: str, stem: Stem) -> list[str]:
    """Return a word that is no plain one whole and in parts."""
    if _IS_CJK(word):
        return [word[at : at + 2] for at in range(max(1, len(word) - 1))]
    parts: list[str] = []
    for part in _PART.findall(_CAMEL.sub(" ", word)):
        parts += _split(part, stem) if _IS_CJK(part) else [stem(fold(part))]
    whole = fold(word)[:LONGEST_WORD]
    return parts if len(parts) < 2 else [whole, *parts]


@lru_cache(maxsize=50_000)
def fold(word: str) -> str:
    """Return a word as it is compared: without case, and without accents if it is Latin."""
    word = unicodedata.normalize("NFKC", word).casefold()
    if word.isascii() or _CYRILLIC(word):
        return word
    bare = "".join(each for each in unicodedata.normalize("NFD", word) if not unicodedata.combining(each))
    return bare if bare.isascii() else word


@cache
def stemmer(language: str) -> Stem:
    """Return what reduces words to their stems; `simple` leaves them as they are."""
    if language == "simple":
        return str
    try:
        import Stemmer
    except ImportError as error:
        raise MissingExtra("index", "Searching") from error
    known = Stemmer.algorithms()
    if language != "auto":
        if language not in known:
            raise OptionsError(f"unknown language {language!r}; known are auto, simple, {', '.join(sorted(known))}")
        return lru_cache(maxsize=50_000)(Stemmer.Stemmer(language, 0).stemWord)
    latin, cyrillic = Stemmer.Stemmer("english", 0).stemWord, Stemmer.Stemmer("russian", 0).stemWord

    @lru_cache(maxsize=50_000)
    def stem(word: str) -> str:
        return latin(word) if _LATIN(word) else cyrillic(word) if _CYRILLIC(word) else word

    return stem
