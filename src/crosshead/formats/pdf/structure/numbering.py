"""The numbers that headings begin with, and which kinds of numbers are above others."""

from __future__ import annotations

import re
from typing import Final

_ROMAN_OR_NUMBER: Final = r"(?:[ivxlc]{1,7}|\d{1,3}[a-z]?|[a-z])\b"
_PART: Final = re.compile(
    rf"(?:part|book|volume|teil|band|partie|parte|tome)\s+{_ROMAN_OR_NUMBER}|第[一二三四五六七八九十\d]{{1,4}}[部編编篇]",
    re.I,
)
_CHAPTER: Final = re.compile(
    r"(?:chapter|item|article|section|schedule|kapitel|abschnitt|artikel|chapitre|cap[ií]tulo|secci[oó]n"
    rf"|cap[ií]tolo)\s+{_ROMAN_OR_NUMBER}|第[一二三四五六七八九十\d]{{1,4}}章",
    re.I,
)
_APPENDIX: Final = re.compile(rf"(?:appendix|annexe?|exhibit|anhang|anexo|附录)\s+{_ROMAN_OR_NUMBER}", re.I)
_NOTE: Final = re.compile(r"notes?\s+\d{1,3}\b", re.I)
_DECIMAL: Final = re.compile(r"(?:§\s*)?(?:\d{1,3}|[A-Z](?=\.\d))((?:\.\d{1,3}){0,6})\.?[ \u00a0]+(?=[^\W\d_])")
_FIRST: Final = re.compile(r"\d+|[A-Z]")
_ROMAN: Final = re.compile(r"[IVX]{1,6}[.)][ \u00a0]")
_LETTER: Final = re.compile(r"[A-Z][.)][ \u00a0]")
_LABEL: Final = re.compile(r"[(§]?\s*[\dA-Za-z]{1,4}(?:[.\d]*)[.):]?")
_SERIES: Final = re.compile(r"([^\W\d_]+)\s")
_ORDINAL: Final = re.compile(r"(\d+)([A-Za-z]?)\b|\b([ivxlc]+|[a-z])\b", re.I)
_ROMAN_VALUES: Final = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}

NumberKind = tuple[int, int]
"""Its rank among kinds of numbers in one look, and its depth: 1.2.3 is of depth 2."""

PART: Final[NumberKind] = (0, 0)
CHAPTER: Final[NumberKind] = (1, 0)
APPENDIX: Final[NumberKind] = (1, 1)
ROMAN: Final[NumberKind] = (2, 0)
LETTER: Final[NumberKind] = (3, 0)
DECIMAL: Final = 4
UNNUMBERED: Final[NumberKind] = (5, 0)
NOTE: Final[NumberKind] = (6, 0)


def kind_of(text: str) -> NumberKind:
    """Return the kind of the number in front of a heading."""
    for pattern, kind in ((_PART, PART), (_CHAPTER, CHAPTER), (_APPENDIX, APPENDIX), (_NOTE, NOTE)):
        if pattern.match(text):
            return kind
    if found := _DECIMAL.match(text):
        return DECIMAL, found[1].count(".")
    if _ROMAN.match(text) and not text.startswith(("C.", "D.", "L.", "M.")):
        return ROMAN
    return LETTER if _LETTER.match(text) else UNNUMBERED


def series_of(text: str) -> str:
    """Return the word that headings of one series share, such as `item` in `Item 7A. Risks`; else empty."""
    found = _SERIES.match(text) if kind_of(text) in (PART, CHAPTER, NOTE) else None
    return found[1].casefold().removesuffix("s") if found else ""


def ordinal_of(text: str) -> tuple[int, str]:
    """Return the number of a heading in a form that can be compared: (7, "a") for `Item 7A`, (2, "") for `PART II`."""
    found = _ORDINAL.search(text)
    if not found:
        return 0, ""
    if found[1]:
        return int(found[1]), found[2].casefold()
    if re.fullmatch(r"[ivxlc]+", found[3], re.I):
        return _roman_value(found[3].casefold()), ""
    return ord(found[3][0].casefold()) - ord("a") + 1, ""


def _roman_value(letters: str) -> int:
    values = [_ROMAN_VALUES[letter] for letter in letters]
    return sum(
        -value if value < following else value for value, following in zip(values, [*values[1:], 0], strict=True)
    )


def is_numbered(text: str) -> bool:
    """Return whether a text begins with the number of a heading."""
    return kind_of(text) != UNNUMBERED


def is_label(text: str) -> bool:
    """Return whether a text is the number of a heading without its title."""
    return bool(_LABEL.fullmatch(text)) or is_bare(text)


def is_bare(text: str) -> bool:
    """Return whether a text is a word and a number without a title, such as `Chapter 3` or `PART II`."""
    return any(
        (found := pattern.match(text)) and not text[found.end() :].strip(" .:-–—")
        for pattern in (_PART, _CHAPTER, _APPENDIX, _NOTE)
    )


def chapter_of(text: str) -> str:
    """Return the first part of the number of a heading, such as 3 of 3.1."""
    found = _FIRST.search(text)
    return found[0] if found else ""
