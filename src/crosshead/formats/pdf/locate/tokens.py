"""Markdown -> words, numbers and signs, without the marks of Markdown, and in one spelling.

The spelling has neither accents nor ligatures, because pages may draw an accent as a separate character.
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
_FENCE: Final = re.compile(r"[ ]*(`{3,}|~{3,})")
_DELIMITERS: Final = re.compile(r"[ ]*\|?(?:[ ]*:?-{3,}:?[ ]*\|)+[ ]*$")
"""The line below the head of a table."""
_MARKS: Final = re.compile(r"^(?:[ ]*(?:[-+*]|#{1,6})[ ]+)+|<br>|\\([!-/:-@\[-`{-~])|[|`^]")


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
    """Yield the tokens of whole lines of a Markdown text."""
    fence = ""
    for line in markdown[start:end].splitlines(keepends=True):
        mark = found[1] if (found := _FENCE.match(line)) else ""
        if mark and (not fence or mark.startswith(fence)):
            fence = "" if fence else mark
        elif not _DELIMITERS.match(line):
            yield from _words(line if fence else _MARKS.sub(_blank, line), start)
        start += len(line)


def _blank(mark: re.Match[str]) -> str:
    """Return spaces in place of a mark; what a backslash guards stays."""
    return f" {mark[1]}" if mark[1] else " " * len(mark[0])


def _words(line: str, offset: int) -> Iterator[Token]:
    """Yield the tokens of a text; hyphens inside words are left out, as on pages."""
    text, begin, end, before = "", 0, 0, ""
    for at, character in enumerate(line):
        plain = spelling(character)
        if character in HYPHENS and _is_inside(line, at):
            continue
        if text and not (plain and before and joins(before, character)):
            yield Token(text, offset + begin, offset + end)
            text = ""
        if plain:
            begin = begin if text else at
            text, end = text + plain, at + 1
        before = character if plain or not unicodedata.combining(character) else before
    if text:
        yield Token(text, offset + begin, offset + end)


def _is_inside(part: str, at: int) -> bool:
    return 0 < at < len(part) - 1 and part[at - 1].isalpha() and part[at + 1].isalpha()
