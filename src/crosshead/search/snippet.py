"""The lines of a chunk that answer best, with the found words marked."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from crosshead.words import words

LINES: Final = 3
LONGEST: Final = 300
"""Characters of a snippet."""
OPENING, CLOSING = "[[", "]]"

_WORD: Final = re.compile(r"[\w.:/\\@#+-]*\w")


def make_snippet(content: str, wanted: Collection[str], language: str) -> str:
    """Return up to three lines that hold most of the wanted words, which stand between `[[` and `]]`."""
    wanted = frozenset(wanted)
    lines = [line for line in content.split("\n") if line.strip()]
    if not lines:
        return ""
    found = [wanted.intersection(words(line, language)) for line in lines]
    best = max(range(len(lines)), key=lambda at: (len(frozenset().union(*found[at : at + LINES])), -at))
    return "\n".join(_mark(line, wanted, language) for line in _shorten(lines[best : best + LINES]))


def _shorten(lines: list[str]) -> list[str]:
    kept, left = [], LONGEST
    for line in lines:
        if left <= 0:
            break
        kept.append(line if len(line) <= left else f"{line[:left].rstrip()}…")
        left -= len(line)
    return kept


def _mark(line: str, wanted: frozenset[str], language: str) -> str:
    def mark(found: re.Match[str]) -> str:
        is_wanted = not wanted.isdisjoint(words(found[0], language))
        return f"{OPENING}{found[0]}{CLOSING}" if is_wanted else found[0]

    return _WORD.sub(mark, line)
