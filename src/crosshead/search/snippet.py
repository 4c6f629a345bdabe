"""The lines of a section that answer best, with the query's words marked."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from crosshead.language.words import UNSPACED, WORD, words
from crosshead.search.query.words import QueryWords

LINES: Final = 3
LONGEST: Final = 300
"""Characters of a snippet."""
OPENING, CLOSING = "[[", "]]"

_NONE: Final[frozenset[str]] = frozenset()
_UNSPACED: Final = re.compile(f"[{UNSPACED}]").match


class SnippetWords(dict[str, frozenset[str]]):
    """The words of a query, by the words of texts that stand for them; filled as texts are read."""

    def __init__(self, readings: Iterable[QueryWords]) -> None:
        super().__init__()
        self._readings = [(reading.language, frozenset(reading.wanted)) for reading in readings]

    def __missing__(self, word: str) -> frozenset[str]:
        held = [form for language, wanted in self._readings for form in _forms(word, language) if form in wanted]
        self[word] = matched = frozenset(held) if held else _NONE
        return matched

    def spans(self, line: str) -> Iterator[tuple[int, int]]:
        """Yield where a line has words of the query, or pairs of characters of them in scripts without spaces."""
        for match in WORD.finditer(line):
            held = self[match[0]]
            if not held:
                continue
            start, end = match.span()
            if not _UNSPACED(match[0]):
                yield start, end
                continue
            yield from _pairs(line, start, end, held)


def _pairs(line: str, start: int, end: int, held: Collection[str]) -> Iterator[tuple[int, int]]:
    """Yield where the pairs of characters of a run are, or single ones; NFKC may make several of one."""
    characters = [(each, at) for at in range(start, end) for each in unicodedata.normalize("NFKC", line[at])]
    for number, (character, at) in enumerate(characters):
        following, last = characters[number + 1] if number + 1 < len(characters) else ("", at)
        if character + following in held:
            yield at, last + 1
        elif character in held:
            yield at, at + 1


def make_snippet(content: str, query: SnippetWords) -> str:
    """Return the up to three lines that hold most words of the query, each word between `[[` and `]]`."""
    lines = [line for line in content.split("\n") if line.strip()]
    first = _best_line(lines, query)
    return "\n".join(_mark(line, query) for line in _shorten(lines[first : first + LINES], query))


def _best_line(lines: Sequence[str], query: SnippetWords) -> int:
    """Return the first of the lines that together hold most words of the query."""
    held = [frozenset().union(*filter(None, map(query.__getitem__, WORD.findall(line)))) for line in lines]
    counts = [len(frozenset().union(*held[at : at + LINES])) for at in range(len(lines))] if any(held) else [0]
    return counts.index(max(counts))


def _shorten(lines: list[str], query: SnippetWords) -> list[str]:
    shortened, left = [], LONGEST
    for line in lines:
        if left <= 0:
            break
        shortened.append(line if len(line) <= left else _cut_out(line, left, query))
        left -= len(line)
    return shortened


def _cut_out(line: str, size: int, query: SnippetWords) -> str:
    """Return the part of a long line that holds most words of the query."""
    starts = [start for start, _ in query.spans(line)]
    reach = size * 3 // 4
    counts = [bisect_left(starts, start + reach) - number for number, start in enumerate(starts)]
    best = starts[counts.index(max(counts))] if starts else 0
    start = 0 if best < reach else line.rfind(" ", best - size // 4, best) + 1 or best
    end = start + size
    piece = line[start:end].rstrip()
    return f"{'…' if start else ''}{piece}{'…' if end < len(line) else ''}"


def _mark(line: str, query: SnippetWords) -> str:
    marked, at = [], 0
    for start, end in _joined(query.spans(line), line):
        marked += [line[at:start], OPENING, line[start:end], CLOSING]
        at = end
    return "".join([*marked, line[at:]])


@lru_cache(maxsize=50_000)
def _forms(word: str, language: str) -> tuple[str, ...]:
    return tuple(words(word, language))


def _joined(spans: Iterator[tuple[int, int]], line: str) -> Iterator[tuple[int, int]]:
    """Join spans that overlap or touch, or that only one character of a run without spaces separates."""
    last: tuple[int, int] | None = None
    for start, end in spans:
        if last and (start <= last[1] or (start == last[1] + 1 and all(map(_UNSPACED, line[last[1] - 1 : start + 1])))):
            last = last[0], max(last[1], end)
            continue
        if last:
            yield last
        last = start, end
    if last:
        yield last
