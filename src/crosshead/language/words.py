"""Text -> the words that lexical search compares, the same ones for every store and for the query.

1. letters are compared without case and accents, and without the vowel marks of Hebrew and Arabic; composed and wide
   forms are one
2. an identifier, path or hyphenated word is found whole and by its parts: `max_tokens`, `maxTokens`, `--max-tokens`
3. Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese text is cut into pairs of characters, because spaces do not
   set its words apart; an ideograph, which often is a word, is found alone as well
4. a word is reduced to its stem in the language of the text; words in another script, and parts of identifiers, to that
   of the most common language of their script

A document is read in its language, which has a code (`es`); what is read by a stemmer without a language, or without a
stemmer, has a code of private use (`x-simple`). Indexes of before documents had languages name the one that all their
documents are read in (`spanish`), or `auto`; texts are read for them as they were then.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from itertools import chain
from typing import Final, NamedTuple

from crosshead.errors import MissingExtra, OptionsError
from crosshead.language.frequent import CODES, PRIVATE, UNDETERMINED, VOWEL_MARKS

LONGEST_WORD: Final = 64
"""Characters; a longer word is data, and only its beginning is compared."""

_IDEOGRAPHS: Final = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_CJK: Final = rf"{_IDEOGRAPHS}\u3040-\u30ff\uac00-\ud7af\uff66-\uff9f"
_SOUTHEAST_ASIAN: Final = "".join(
    chr(code)
    for first, last in ((0xE01, 0xEFF), (0x1000, 0x109F), (0x1780, 0x17D3))
    for code in range(first, last + 1)
    if unicodedata.category(chr(code))[0] in "LM"
)
_MARKS: Final = "".join(chr(code) for code in range(0x300, 0x2000) if unicodedata.category(chr(code)) in ("Mn", "Mc"))
"""Signs on and around letters, which `\\w` leaves out: the vowels of Indic scripts, accents that stand alone."""


_UNSPACED: Final = _CJK + _SOUTHEAST_ASIAN
"""Characters of scripts without spaces between words."""


@cache
def _word(unspaced: str) -> re.Pattern[str]:
    """Match a run of such characters, or a word with all that may hold an identifier together.

    Compiled when a text needs it: patterns of so many characters take milliseconds.
    """
    letters = rf"[^\W_{unspaced}]++(?:[{_MARKS}]++[^\W_{unspaced}]*+)*+"
    return re.compile(rf"[{unspaced}]+|{letters}(?:[_.:/\\@#+-]+{letters})*")


@cache
def _one_of(characters: str) -> Callable[[str], object]:
    return re.compile(f"[{characters}]").match


_ASCII_WORD: Final = re.compile(r"[A-Za-z0-9]++(?:[_.:/\\@#+-]+[A-Za-z0-9]++)*")
"""The same for ASCII, in half the time."""
_PART: Final = re.compile(rf"[^\W\d_]++(?:[{_MARKS}]++[^\W\d_]*+)*+|\d+")
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_ASCII_PART: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
"""What the two above find in ASCII, in one step."""
_EARLIER_ACCENTS: Final = re.compile("(?<=[a-z])[\u0300-\u036f]+")
_ACCENTS: Final = re.compile(f"(?<=[a-zα-ω])[\u0300-\u036f]+|[{VOWEL_MARKS}]+")
_ONE_LETTER: Final = str.maketrans("ı\u0671", "i\u0627")
"""Letters with two spellings: the Turkish dotless i, the Arabic alef."""

RELATED: Final = {
    "be": "russian", "bg": "russian", "gl": "portuguese", "hr": "serbian", "lv": "lithuanian", "mk": "russian",
    "sk": "czech", "sl": "serbian", "uk": "russian",
}  # fmt: skip
"""Stemmers that find more than none for languages without one."""
_CYRILLIC: Final = frozenset(("be", "bg", "mk", "ru", "sr", "uk"))
_OTHER_SCRIPTS: Final = frozenset(("ar", "el", "fa", "hi", "hy", "ne", "ta", "yi"))

Stem = Callable[[str], str]


class _Manner(NamedTuple):
    """How to read the words of a text."""

    stem: Stem
    fold: Callable[[str], str]
    unspaced: str
    """Characters of the scripts that are read without spaces."""
    part_stem: Stem | None = None
    """Of the parts of identifiers, which are often English, beside the stem of the language."""


def words(text: str, language: str = "auto") -> list[str]:
    """Return the words of a text in order; an identifier is followed by its parts.

    >>> words("Rotating max_tokens"), words("Configuraciones", "es")
    (['rotat', 'max_tokens', 'max', 'token'], ['configur'])
    """
    forms, manner = _forms(language)
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    found = word_pattern(text, manner.unspaced).findall(text)
    if max(map(len, found), default=0) > LONGEST_WORD:  # not worth remembering
        read = (_read(word, manner) if len(word) > LONGEST_WORD else forms(word) for word in found)
        return [*chain.from_iterable(read)]
    return [*chain.from_iterable(map(forms, found))]


def word_pattern(text: str, unspaced: str = _UNSPACED) -> re.Pattern[str]:
    """Return what matches the words of a text as they are, and its runs of characters of scripts without spaces."""
    return _ASCII_WORD if text.isascii() else _word(unspaced)


def is_unspaced(text: str, unspaced: str = _UNSPACED) -> bool:
    """Return whether a text begins with a character of a script without spaces."""
    return not text[:1].isascii() and _one_of(unspaced)(text) is not None


@cache
def _forms(language: str) -> tuple[Callable[[str], list[str]], _Manner]:
    """Return what makes the words of one, and remembers it: most words of a text were there before."""
    manner = _manner(language)
    return lru_cache(maxsize=50_000)(lambda word: _read(word, manner)), manner


@cache
def _manner(language: str) -> _Manner:
    stem = stemmer(language.removeprefix(PRIVATE))
    if language in _NAMES or language == UNDETERMINED or language.startswith(PRIVATE):
        part_stem = stemmer(UNDETERMINED) if language in _NAMES else None
        return _Manner(stem, fold, _UNSPACED, part_stem)
    return _Manner(stem, _earlier_fold, _CJK)


def _read(word: str, manner: _Manner) -> list[str]:
    if word.isalpha() and word[1:].islower():
        return [manner.stem(manner.fold(word[:LONGEST_WORD]))]
    if word.isascii():
        return _split(word, " ".join(_ASCII_PART.findall(word)).lower().split(), manner)
    if is_unspaced(word, manner.unspaced):
        return _pair(word)
    return _split(word, map(manner.fold, _PART.findall(_CAMEL.sub(" ", word))), manner)


def _split(word: str, parts: Iterable[str], manner: _Manner) -> list[str]:
    """Return a word that is no plain one whole and in parts."""
    short = [part[:LONGEST_WORD] for part in parts]
    stems = [*map(manner.stem, short)]
    if len(stems) < 2:
        return stems
    whole = manner.fold(word[:LONGEST_WORD])
    if manner.part_stem:
        both = zip(stems, map(manner.part_stem, short), strict=True)
        stems = [stem for pair in both for stem in dict.fromkeys(pair)]
    return [manner.stem(whole) if whole.isalpha() else whole, *stems]  # people write chunkoptions for ChunkOptions


def _pair(run: str) -> list[str]:
    """Return the pairs of a run of characters without spaces, and its ideographs alone."""
    pairs = [run[at : at + 2] for at in range(len(run) - 1)]
    return [*pairs, *filter(_one_of(_IDEOGRAPHS), run)] if pairs else [run]


def fold(word: str) -> str:
    """Return a word without case, accents and marks, as it is compared."""
    word = word.casefold()
    if word.isascii():
        return word
    if _is_cyrillic(word):
        return word.replace("ё", "е")
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", word))).translate(_ONE_LETTER)


def _earlier_fold(word: str) -> str:
    word = word.casefold()
    if word.isascii():
        return word
    if _is_cyrillic(word):
        return word.replace("ё", "е")
    return unicodedata.normalize("NFC", _EARLIER_ACCENTS.sub("", unicodedata.normalize("NFD", word)))


def _is_cyrillic(word: str) -> bool:
    return "\u0400" <= word < "\u0500"


_NAMES: Final = {code: name for name, code in CODES.items()}


@cache
def stemmer(language: str) -> Stem:
    """Return what reduces words to their stems, by the code or the name of a language or the name of a stemmer.

    `simple` leaves words as they are; `auto` goes by their script.
    """
    if language == "simple":
        return str
    try:
        import Stemmer
    except ImportError as error:
        raise MissingExtra("index", "Searching") from error
    known = Stemmer.algorithms()
    if language not in known:
        language = CODES.get(language, language)
    if language != "auto" and language != UNDETERMINED and language not in _NAMES:
        if language not in known:
            raise OptionsError(
                f"unknown language {language!r}; known are auto, simple, {', '.join(sorted({*known, *CODES}))}"
            )
        return lru_cache(maxsize=50_000)(Stemmer.Stemmer(language, 0).stemWord)
    latin, cyrillic = Stemmer.Stemmer("english", 0).stemWord, Stemmer.Stemmer("russian", 0).stemWord
    other: Stem = str
    name = RELATED.get(language, _NAMES.get(language, ""))
    if name in known:
        own = Stemmer.Stemmer(name, 0).stemWord
        if language in _OTHER_SCRIPTS:
            other = own
        elif language in _CYRILLIC:
            cyrillic = own
        else:
            latin = own

    @lru_cache(maxsize=50_000)
    def stem(word: str) -> str:
        return latin(word) if "a" <= word < "{" else cyrillic(word) if _is_cyrillic(word) else other(word)

    return stem
