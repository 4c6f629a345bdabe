"""Find the numbered headings of plain text.

A numbered line may as well be an item of a list, a year or a step. It is taken for a heading only if it stands alone,
looks like a title, and the numbers of all such lines follow one another with text between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

MAX_TITLE: Final = 80
MAX_WORDS: Final = 14

_NUMBERED = re.compile(r"(\d{1,3}(?:\.\d{1,3}){0,5})[.)]?[ \t]+(\S.*)")
_NAMED = re.compile(
    r"(part|book|chapter|appendix|article)[ \t]+(\d{1,3}|[ivxlc]{1,7}|[a-z])\b[.:]?(?:[ \t]+\S.*)?", re.I
)
_OUTER: Final = ("part", "book")

Number = tuple[int, ...]


class PlainLine(NamedTuple):
    """A line between two blank ones."""

    number: int
    text: str
    followed_by_indent: bool
    """The text below it is indented, as that of an item of a list is."""


class _Candidate(NamedTuple):
    line: PlainLine
    number: Number


def find_numbered(lines: Sequence[PlainLine]) -> dict[int, int]:
    """Return the levels of the headings by their lines."""
    return {**_named_levels(lines), **_numbered_levels(lines)}


def _numbered_levels(lines: Sequence[PlainLine]) -> dict[int, int]:
    candidates = [found for found in map(_candidate, lines) if found]
    kept: list[_Candidate] = []
    for each in candidates:
        if _follows(kept[-1].number if kept else (), each.number):
            kept.append(each)
    if len(kept) < 2 or 2 * len(kept) < len(candidates) or not _is_outline(kept):
        return {}
    return {each.line.number: len(each.number) for each in kept}


def _candidate(line: PlainLine) -> _Candidate | None:
    found = _NUMBERED.fullmatch(line.text)
    if not found or not _is_title(found[2]):
        return None
    return _Candidate(line, tuple(map(int, found[1].split("."))))


def _is_title(text: str) -> bool:
    return (
        len(text) <= MAX_TITLE
        and not text[0].islower()
        and any(map(str.isalpha, text))
        and text[-1] not in ".,;:!?"
        and len(text.split()) <= MAX_WORDS
    )


def _follows(last: Number, number: Number) -> bool:
    """1 is followed by 1.1 or 2, and 1.4.2 by 1.4.3, 1.5 or 2."""
    if not last:
        return number in ((0,), (1,), (1, 0), (1, 1))
    if number[:-1] == last and number[-1] <= 1:
        return True
    depth = len(number)
    return depth <= len(last) and number[:-1] == last[: depth - 1] and number[-1] == last[depth - 1] + 1


def _is_outline(kept: Sequence[_Candidate]) -> bool:
    """Items of a list follow closely, or have their own text indented below them."""
    gaps = [second.line.number - first.line.number for first, second in pairwise(kept)]
    apart = sum(gap > 2 for gap in gaps)
    nested = any(len(each.number) > 1 for each in kept)
    indented = sum(each.line.followed_by_indent for each in kept)
    return 2 * apart >= len(gaps) and (nested or 2 * indented < len(kept))


def _named_levels(lines: Iterable[PlainLine]) -> dict[int, int]:
    """Chapters and parts name themselves, but one alone may be a reference."""
    found = [(line.number, match[1].lower()) for line in lines if (match := _is_named(line.text))]
    if len(found) < 2:
        return {}
    outer = any(kind in _OUTER for _, kind in found)
    return {number: 2 if outer and kind not in _OUTER else 1 for number, kind in found}


def _is_named(text: str) -> re.Match[str] | None:
    return _NAMED.fullmatch(text) if text[:1].isupper() and len(text) <= MAX_TITLE and text[-1] not in ",;?" else None
