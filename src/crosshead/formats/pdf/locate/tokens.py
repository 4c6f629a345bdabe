"""Markdown -> words, numbers and signs, without the marks of Markdown, and in one spelling.

The spelling has neither accents nor ligatures, because pages may draw an accent as a character of its own.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

HYPHENS: Final = "-\u00ad\u2010\u2011\ufffe"
"""Hyphens that may break a word; the last one is how pdfium marks them."""
_LETTER, _DIGIT, _SIGN, _SINGLE = "letter", "digit", "sign", "single"
_UNSPACED: Final = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff]")
"""Scripts that do not part all words with spaces: each character is a token."""
_MARKS: Final = re.compile(
    r"^[ ]*\|?(?:[ ]*:?-{3,}:?[ ]*\|)+[ ]*$"  # the line below the head of a table
    r"|^[ ]*(?:`{3,}|~{3,}).*$"
    r"|^(?:[ ]*(?:[-+*][ ]+|#{1,6}[ ]+|>[ ]?))+"
    r"|<br>|\\(?=[!-/:-@\[-`{-~])|(?<!\\)[|`]|\^",
    re.M,
)
_WHITE: Final = re.compile(r"\s+")


class Token(NamedTuple):
    """A word, a number or a sign."""

    text: str
    """In the spelling that pages have too."""
    start: int
    """Where it is in the Markdown."""
    end: int

    @property
    def weight(self) -> int:
        """The number of its letters and digits."""
        return sum(map(str.isalnum, self.text))


@lru_cache(maxsize=65536)
def spelling(character: str) -> str:
    """Return a character without accents, ligatures, and other forms of the same letter; empty for white space."""
    plain = unicodedata.normalize("NFKD", character)
    return "".join([each for each in plain if not each.isspace() and unicodedata.category(each) not in _DROPPED])


_DROPPED: Final = frozenset(("Mn", "Me", "Cf", "Cc", "Cs"))


@lru_cache(maxsize=65536)
def kind_of(character: str) -> str:
    """Return which characters this one makes a token with."""
    if _UNSPACED.match(character):
        return _SINGLE
    if character.isdigit():
        return _DIGIT
    return _LETTER if character.isalpha() else _SIGN


def joins(before: str, after: str) -> bool:
    """Return whether two characters that touch belong to one token."""
    kind = kind_of(before)
    return kind == kind_of(after) and kind in (_LETTER, _DIGIT)


def read_tokens(markdown: str, start: int, end: int) -> Iterator[Token]:
    """Yield the tokens of a part of a Markdown text that begins at the start of a line."""
    part = markdown[start:end]
    at = 0
    for mark in _MARKS.finditer(part):
        yield from _words(part, at, mark.start(), start)
        at = mark.end()
    yield from _words(part, at, len(part), start)


def _words(part: str, first: int, last: int, offset: int) -> Iterator[Token]:
    """Yield the tokens between two marks; hyphens inside words are left out, as on pages."""
    text, begin, end, before = "", first, first, ""
    for at in range(first, last):
        character = part[at]
        plain = spelling(character)
        if character in HYPHENS and _is_inside(part, at):
            continue
        if text and not (plain and before and joins(before, character)):
            yield Token(text, offset + begin, offset + end)
            text = ""
        if plain:
            begin = begin if text else at
            text, end = text + plain, at + 1
        before = character if plain or unicodedata.combining(character) == 0 else before
    if text:
        yield Token(text, offset + begin, offset + end)


def _is_inside(part: str, at: int) -> bool:
    return 0 < at < len(part) - 1 and part[at - 1].isalpha() and part[at + 1].isalpha()
