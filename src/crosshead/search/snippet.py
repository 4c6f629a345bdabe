"""The lines of a chunk that answer best, with the found words marked."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import Final

from crosshead.words import WORD, words

LINES: Final = 3
LONGEST: Final = 300
"""Characters of a snippet."""
OPENING, CLOSING = "[[", "]]"

_UNSPACED: Final = re.compile("[\u3000-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003134f]").match


def make_snippet(content: str, wanted: Collection[str], language: str) -> str:
    """Return up to three lines that hold most of the wanted words, which stand between `[[` and `]]`."""
    wanted = frozenset(wanted)
    lines = [line for line in content.split("\n") if line.strip()]
    first = _best_line([WORD.findall(line) for line in lines], wanted, language)
    chosen = _shorten(lines[first : first + LINES], wanted, language)
    return "\n".join(_mark(line, wanted, language) for line in chosen)


def _best_line(lines: Sequence[Sequence[str]], wanted: frozenset[str], language: str) -> int:
    """Return where the lines begin that hold most of the wanted words; `lines` are the words of each."""
    held = {word: wanted.intersection(_forms(word, language)) for word in frozenset().union(*lines)}
    held = {word: forms for word, forms in held.items() if forms}  # of most words there is nothing to hold
    found = [frozenset().union(*(held[word] for word in line if word in held)) for line in lines]
    counts = [len(frozenset().union(*found[at : at + LINES])) for at in range(len(lines))] if held else [0]
    return counts.index(max(counts))


def _shorten(lines: list[str], wanted: frozenset[str], language: str) -> list[str]:
    kept, left = [], LONGEST
    for line in lines:
        if left <= 0:
            break
        kept.append(line if len(line) <= left else _cut_out(line, left, wanted, language))
        left -= len(line)
    return kept


def _cut_out(line: str, size: int, wanted: frozenset[str], language: str) -> str:
    """Return the piece of a long line where most of the wanted words are."""
    starts = [start for start, _ in _places(line, wanted, language)]
    reach = size * 3 // 4
    counts = [bisect_left(starts, start + reach) - number for number, start in enumerate(starts)]
    best = starts[counts.index(max(counts))] if starts else 0
    start = 0 if best < reach else line.rfind(" ", best - size // 4, best) + 1 or best
    end = start + size
    piece = line[start:end].rstrip()
    return f"{'…' if start else ''}{piece}{'…' if end < len(line) else ''}"


def _mark(line: str, wanted: frozenset[str], language: str) -> str:
    marked, at = [], 0
    for start, end in _joined(_places(line, wanted, language)):
        marked += [line[at:start], OPENING, line[start:end], CLOSING]
        at = end
    return "".join([*marked, line[at:]])


def _places(line: str, wanted: frozenset[str], language: str) -> Iterator[tuple[int, int]]:
    """Return where wanted words stand; where there are no spaces, by the pairs of characters."""
    for match in WORD.finditer(line):
        start, end = match.span()
        if not _UNSPACED(match[0]):
            if not wanted.isdisjoint(_forms(match[0], language)):
                yield start, end
            continue
        for at in range(start, end):
            size = next((size for size in (2, 1) if line[at : min(at + size, end)] in wanted), 0)
            if size:
                yield at, min(at + size, end)


@lru_cache(maxsize=10_000)
def _forms(word: str, language: str) -> tuple[str, ...]:
    return tuple(words(word, language))


def _joined(places: Iterator[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Join places that overlap or touch."""
    last: tuple[int, int] | None = None
    for start, end in places:
        if last and start <= last[1]:
            last = last[0], max(last[1], end)
            continue
        if last:
            yield last
        last = start, end
    if last:
        yield last
