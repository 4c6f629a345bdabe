"""Text -> the words that lexical search compares, the same ones for every store and for the query.

1. letters are compared without case, and without the accents of Latin script; composed and wide forms are one
2. an identifier, path or hyphenated word is found whole and by its parts: `max_tokens`, `maxTokens`, `--max-tokens`
3. Chinese, Japanese and Korean text has no spaces: it is cut into pairs of characters, and an ideograph, which often
   is a word, is found alone as well
4. a word is reduced to its stem in the language of its script, or in the one that the index is told
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from itertools import chain
from typing import Final

from crosshead.errors import MissingExtra, OptionsError

LONGEST_WORD: Final = 64
"""Characters; what is longer is data, and only its beginning is worth comparing."""

_IDEOGRAPHS: Final = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_CJK: Final = rf"{_IDEOGRAPHS}\u3040-\u30ff\uac00-\ud7af\uff66-\uff9f"
_MARKS: Final = "".join(chr(code) for code in range(0x300, 0x2000) if unicodedata.category(chr(code)) in ("Mn", "Mc"))
"""Signs on and around letters, which `\\w` leaves out: the vowels of Indic scripts, accents that stand alone."""
_LETTERS: Final = rf"[^\W_{_CJK}]++(?:[{_MARKS}]++[^\W_{_CJK}]*+)*+"
WORD: Final = re.compile(rf"[{_CJK}]+|{_LETTERS}(?:[_.:/\\@#+-]+{_LETTERS})*")
"""A run of CJK characters, or a word with all that may hold an identifier together."""
_ASCII_WORD: Final = re.compile(r"[A-Za-z0-9]++(?:[_.:/\\@#+-]+[A-Za-z0-9]++)*")
"""The same for ASCII, in half of the time."""
_PART: Final = re.compile(rf"[^\W\d_]++(?:[{_MARKS}]++[^\W\d_]*+)*+|\d+")
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_ASCII_PART: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
"""What the two above find in ASCII, in one step."""
_ACCENTS: Final = re.compile("(?<=[a-z])[\u0300-\u036f]+")
_IS_CJK: Final = re.compile(f"[{_CJK}]").match
_IS_IDEOGRAPH: Final = re.compile(f"[{_IDEOGRAPHS}]").match

Stem = Callable[[str], str]


def words(text: str, language: str = "auto") -> list[str]:
    """Return the words of a text in order; an identifier is followed by its parts.

    >>> words("Rotating max_tokens")
    ['rotat', 'max_tokens', 'max', 'token']
    """
    forms = _forms(language)
    found = _ASCII_WORD.findall(text) if text.isascii() else WORD.findall(unicodedata.normalize("NFKC", text))
    if max(map(len, found), default=0) > LONGEST_WORD:  # not worth remembering
        stem = stemmer(language)
        read = (_read(word, stem) if len(word) > LONGEST_WORD else forms(word) for word in found)
        return [*chain.from_iterable(read)]
    return [*chain.from_iterable(map(forms, found))]


@cache
def _forms(language: str) -> Callable[[str], list[str]]:
    """Return what makes the words of one, and remembers it: most words of a text were there before."""
    stem = stemmer(language)
    return lru_cache(maxsize=50_000)(lambda word: _read(word, stem))


def _read(word: str, stem: Stem) -> list[str]:
    if word.isalpha() and word[1:].islower():
        return [stem(fold(word[:LONGEST_WORD]))]
    if word.isascii():
        return _split(word, " ".join(_ASCII_PART.findall(word)).lower().split(), stem)
    return _pair(word) if _IS_CJK(word) else _split(word, map(fold, _PART.findall(_CAMEL.sub(" ", word))), stem)


def _split(word: str, parts: Iterable[str], stem: Stem) -> list[str]:
    """Return a word that is no plain one whole and in parts."""
    stems = [stem(part[:LONGEST_WORD]) for part in parts]
    if len(stems) < 2:
        return stems
    whole = fold(word[:LONGEST_WORD])
    return [stem(whole) if whole.isalpha() else whole, *stems]  # people write chunkoptions for ChunkOptions


def _pair(run: str) -> list[str]:
    """Return the pairs of a run of CJK characters, and its ideographs alone."""
    pairs = [run[at : at + 2] for at in range(len(run) - 1)]
    return [*pairs, *filter(_IS_IDEOGRAPH, run)] if pairs else [run]


def fold(word: str) -> str:
    """Return a word as it is compared: without case, and without accents if it is Latin."""
    word = word.casefold()
    if word.isascii():
        return word
    if _is_cyrillic(word):
        return word.replace("ё", "е")
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", word)))


def _is_cyrillic(word: str) -> bool:
    return "\u0400" <= word < "\u0500"


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
        return latin(word) if "a" <= word < "{" else cyrillic(word) if _is_cyrillic(word) else word

    return stem
