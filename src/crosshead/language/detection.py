"""Text -> its language.

1. Code, URLs, markup and identifiers are removed.
2. A sample of the rest is split into words, by script. In scripts without spaces, characters are counted.
3. A script used by one language decides. Languages that share a script are scored by their function words and endings
   in the text, weighted by how few languages have them, and by letters that a language does not have.
4. Among several scripts, the one with the most words of a language wins: foreign names and terms come without the
   function words of their language.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final

from crosshead.language.frequent import CODES, ENDINGS, FUNCTION_WORDS, LETTERS, UNDETERMINED, VOWEL_MARKS

SLICES: Final = 3
SLICE: Final = 8_000
"""Characters of the beginning, the middle and the end of a text."""
LEAST_SCORE: Final = 0.12
"""Lowest mean score per word; lists of names have less."""
TYPICAL_SCORE: Final = 0.6
"""Mean score per word in most texts."""
LEAST_WORDS: Final = 3
CHARACTERS_PER_WORD: Final = 2.5
"""In scripts without spaces."""
FOREIGN: Final = 4.0
"""Penalty for a letter that a language does not have."""

ENDING: Final = 0.15
"""Score of a letter of a typical ending, relative to a function word."""
LONG_WORD: Final = 5

_ASCII: Final = frozenset(map(chr, range(128)))
_CODE: Final = re.compile(
    r"(?ms)^[ \t>]*(```+|~~~+).*?(?:^[ \t>]*\1|\Z)|(?<!`)(`+)(?!`)[^\n]{1,300}?(?<!`)\2(?!`)"
    r"|<[^<>\n]*>|\]\([^()\s]*\)|&\w+;|\bhttps?:\S+"
)
_WORD: Final = re.compile(
    r"(?<![\w/\\@$.:=<>{}+*~%-])[^\W\d_]+(?:[\u0300-\u036f\u0900-\u0dff\u200c\u200d]+[^\W\d_]*)*(?![\w/\\@=<>{}(]|[.:-]\w)"
)
_VOWEL_MARKS: Final = re.compile(f"[{VOWEL_MARKS}]+")
_ALEF_WASLA: Final = "\u0671"
_CAMEL: Final = re.compile("[a-z][A-Z]")

_UNSPACED: Final[Mapping[str, str]] = {
    "japanese": "\u3040-\u30ff",
    "chinese": "\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003134f",
    "thai": "\u0e00-\u0e7f",
    "lao": "\u0e80-\u0eff",
    "burmese": "\u1000-\u109f",
    "khmer": "\u1780-\u17ff",
    "tibetan": "\u0f00-\u0fff",
}
_SCRIPTS: Final[Sequence[tuple[str, str, Sequence[str]]]] = (
    ("\u0370", "\u03ff", ("greek",)),
    ("\u1f00", "\u1fff", ("greek",)),
    ("\u0400", "\u052f", ("russian", "ukrainian", "bulgarian", "serbian", "macedonian", "belarusian")),
    ("\u0530", "\u058f", ("armenian",)),
    ("\u0590", "\u05ff", ("hebrew", "yiddish")),
    ("\u0600", "\u06ff", ("arabic", "persian", "urdu")),
    ("\u0900", "\u097f", ("hindi", "marathi", "nepali")),
    ("\u0980", "\u09ff", ("bengali",)),
    ("\u0a00", "\u0a7f", ("punjabi",)),
    ("\u0a80", "\u0aff", ("gujarati",)),
    ("\u0b80", "\u0bff", ("tamil",)),
    ("\u0c00", "\u0c7f", ("telugu",)),
    ("\u0c80", "\u0cff", ("kannada",)),
    ("\u0d00", "\u0d7f", ("malayalam",)),
    ("\u10a0", "\u10ff", ("georgian",)),
    ("\uac00", "\ud7af", ("korean",)),
)
_LATIN: Final = tuple(
    name for name, words in FUNCTION_WORDS.items() if "a" <= words[0] < "\u0250" and name not in _UNSPACED
)


def detect_language(text: str) -> str:
    """Return the ISO 639 code of the language of a Markdown text; `und` if nothing tells it.

    >>> detect_language("¿Cómo puedo configurar la red?"), detect_language("max_tokens=5")
    ('es', 'und')
    """
    sample = _VOWEL_MARKS.sub("", unicodedata.normalize("NFC", _sample(text))).replace(_ALEF_WASLA, "\u0627")
    found = {name: len(each.findall(sample)) / CHARACTERS_PER_WORD for name, each in _characters().items()}
    if found["japanese"] > 0.05 * found["chinese"]:  # Chinese text has no kana
        found["japanese"] += found.pop("chinese")
    for languages, words in _by_script(sample).items():
        name, count = _likeliest(languages, words)
        found[name] = found.get(name, 0.0) + count
    best = max(found, key=lambda name: found[name])
    return CODES[best] if best and found[best] >= LEAST_WORDS else UNDETERMINED


def _sample(text: str) -> str:
    """Return some of the prose of a text."""
    if len(text) > 4 * SLICES * SLICE:
        step = (len(text) - 4 * SLICE) // (SLICES - 1)
        text = "\n\n".join(text[at * step : at * step + 4 * SLICE] for at in range(SLICES))
    prose = _CODE.sub(" ", text)
    if len(prose) > SLICES * SLICE:
        step = (len(prose) - SLICE) // (SLICES - 1)
        prose = " ".join(prose[at * step : at * step + SLICE] for at in range(SLICES))
    return prose


@cache
def _characters() -> Mapping[str, re.Pattern[str]]:
    return {name: re.compile(f"[{characters}]") for name, characters in _UNSPACED.items()}


def _by_script(sample: str) -> dict[Sequence[str], Counter[str]]:
    """Return the words of a text, by the languages that are written in their script."""
    words = Counter(word.lower() for word in _WORD.findall(sample) if not _CAMEL.search(word))
    scripts: dict[Sequence[str], Counter[str]] = {}
    for word, count in words.items():
        if languages := _written_in(word[0]):
            scripts.setdefault(languages, Counter())[word] = count
    return scripts


@cache
def _written_in(letter: str) -> Sequence[str]:
    if "a" <= letter < "\u0250" or "\u1e00" <= letter < "\u1f00":
        return _LATIN
    return next((languages for first, last, languages in _SCRIPTS if first <= letter <= last), ())


def _likeliest(languages: Sequence[str], words: Counter[str]) -> tuple[str, float]:
    """Return the language of words in one script, and how many of them are probably in it."""
    total = words.total()
    if len(languages) == 1:
        return languages[0], total
    known, endings = _known(languages, "words"), _known(languages, "endings")
    scores: defaultdict[str, float] = defaultdict(float)
    for word, count in words.items():
        for language, weight in known.get(word, {}).items():
            scores[language] += count * weight
        if word not in known and len(word) >= LONG_WORD:
            for size in (2, 3, 4, 5):
                for language, weight in endings.get(word[-size:], {}).items():
                    scores[language] += ENDING * size * count * weight
    for language, foreign in _foreign(scores, words).items():
        scores[language] *= max(0.0, 1 - FOREIGN * foreign / total)
    best = max(languages, key=lambda name: scores[name])
    if languages is not _LATIN:
        return best, total
    return (best, min(total, scores[best] / TYPICAL_SCORE)) if scores[best] >= LEAST_SCORE * total else ("", 0.0)


def _foreign(languages: Iterable[str], words: Counter[str]) -> dict[str, int]:
    """Return how many words have a letter that a language does not have."""
    letters: Counter[str] = Counter()
    for word, count in words.items():
        if not word.isascii():
            letters.update(dict.fromkeys({*word} - _ASCII, count))
    own = {language: frozenset(LETTERS[language]) for language in languages if language in LETTERS}
    return {
        language: sum(count for letter, count in letters.items() if letter not in its) for language, its in own.items()
    }


@cache
def _known(languages: Sequence[str], kind: str) -> Mapping[str, Mapping[str, float]]:
    """Return by word the languages that have it, and what it counts for them."""
    lists = FUNCTION_WORDS if kind == "words" else ENDINGS
    having: dict[str, list[str]] = {}
    for language in languages:
        for word in {*lists.get(language, "").split()}:
            having.setdefault(word, []).append(language)
    return {word: dict.fromkeys(names, math.log(1 + len(languages) / len(names))) for word, names in having.items()}
