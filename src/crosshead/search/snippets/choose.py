"""The lines of a section -> those that answer best.

1. a line counts by the words of the query that it holds: those rare among the hits count most, repeated ones less
2. lines next to it get a share, and more after a colon: the answer often follows the line that names it
3. the best line is taken, then the next best that still fits, until the snippet is full
4. lines are shown in their order, rows below the head of their table, and a long line as far as it holds the words
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice
from math import log
from typing import Final, NamedTuple

from crosshead.search.query.words import QueryWords
from crosshead.search.snippets.lines import Line, read_lines
from crosshead.search.snippets.words import SnippetWords
from crosshead.types import Hit

LONGEST: Final = 300
"""Characters of a snippet."""
MOST_LINES: Final = 6
HEAD: Final = 100
"""Characters of the head of a table."""
FIRST_LINES: Final = 8
"""Lines to choose from if none holds a word of the query."""

REPEATED: Final = 0.3
"""What a word counts that the snippet shows already."""
ORDINARY_LENGTH: Final = 100
"""Characters; a longer line holds more words by chance."""
LENGTH_LOSS: Final = 0.003
AFTER: Final = 0.5
"""Share of its words' weight that a line gives to the next one."""
AFTER_COLON: Final = 1.0
BEFORE: Final = 0.25
ADJACENT: Final = 0.5
"""What a line gains that continues the snippet; a word that is in every tenth line weighs 2.4."""

Weights = Mapping[str, float]

_SAYS_SOMETHING: Final = re.compile(r"(?:[^\W_][\W_]*+){4}|[\u3040-\u9fff\uac00-\ud7af]").search
"""Matches a line that is more than a bracket or the end of a block."""


class Snippet(NamedTuple):
    """Plain text, and where it holds words of the query."""

    text: str
    highlights: tuple[tuple[int, int], ...]


def make_snippets(hits: Sequence[Hit], readings: Iterable[QueryWords]) -> list[Snippet]:
    """Return a snippet for each hit."""
    words = SnippetWords(readings)
    lines = [_lines_of(hit) for hit in hits]
    held = words.find([line.text for each in lines for line in each])
    counts = Counter(chain.from_iterable(held))
    weights = {word: log(1 + len(held) / count) for word, count in counts.items()}
    rest = iter(held)
    texts = (_show(each, _choose(each, [*islice(rest, len(each))], weights), words) for each in lines)
    return [Snippet(text, tuple(words.spans(text))) for text in texts]


def _lines_of(hit: Hit) -> list[Line]:
    chunk = hit.chunk
    prefix = chunk.prefix if hit.start == chunk.start else ""
    return read_lines(hit.content, prefix, {chunk.document_title, *hit.section_path}, mdx=chunk.format == "mdx")


def _choose(lines: Sequence[Line], held: Sequence[frozenset[str]], weights: Weights) -> list[int]:
    """Return the numbers of the lines to show, in order."""
    matched = [number for number, words in enumerate(held) if words]
    near = {number + step for number in matched for step in (-1, 0, 1)} if matched else range(FIRST_LINES)
    candidates = {number: size for number in near if (size := _size(lines, number))}
    chosen: set[int] = set()
    shown: frozenset[str] = frozenset()
    own = dict.fromkeys(range(-1, len(lines) + 1), 0.0)
    own |= {number: _weigh(lines[number], held[number], shown, weights) for number in matched}
    left = LONGEST
    while candidates and len(chosen) < MOST_LINES:
        best, most = 0, -1.0
        for number in candidates:
            gain = own[number] + max(own[number - 1] * _share(lines, number), own[number + 1] * BEFORE)
            if number - 1 in chosen or number + 1 in chosen:
                gain += ADJACENT
            if gain > most or (gain == most and number < best):
                best, most = number, gain
        chosen.add(best)
        left -= candidates[best]
        news = held[best] - shown
        shown |= news
        for number in matched if news else ():
            if not news.isdisjoint(held[number]):
                own[number] = _weigh(lines[number], held[number], shown, weights)
        candidates |= {number: size for number in (best - 1, best + 1) if (size := _size(lines, number))}
        candidates = {number: size for number, size in candidates.items() if size <= left and number not in chosen}
    return sorted(chosen)


def _size(lines: Sequence[Line], number: int) -> int:
    """Return the length of a line with its end; 0 if there is no such line, or it says nothing."""
    if not 0 <= number < len(lines) or lines[number].kind == "head":
        return 0
    text = lines[number].text
    return len(text) + 1 if _SAYS_SOMETHING(text) else 0


def _share(lines: Sequence[Line], number: int) -> float:
    """Return what a line gets of the weight of the one before it."""
    return AFTER_COLON if number and lines[number - 1].text.endswith((":", "：")) else AFTER


def _weigh(line: Line, held: frozenset[str], shown: frozenset[str], weights: Weights) -> float:
    weight = sum([weights[word] * (REPEATED if word in shown else 1.0) for word in held])
    return weight / (1.0 + LENGTH_LOSS * max(0, len(line.text) - ORDINARY_LENGTH))


def _show(lines: Sequence[Line], chosen: Sequence[int], words: SnippetWords) -> str:
    """Return the text of some lines; sentences of a paragraph are on one line."""
    shown: list[str] = []
    last = -1
    for number in chosen:
        line = lines[number]
        is_same = last >= 0 and lines[last].block == line.block
        if line.kind == "text" and is_same:
            shown[-1] += f"{' ' if number == last + 1 else ' … '}{line.text}"
        else:
            if line.kind == "row" and not is_same:
                shown += _head_of(lines, number)
            shown.append(_cut(line.text, words) if len(line.text) > LONGEST else line.text)
        last = number
    return "\n".join(shown)


def _head_of(lines: Sequence[Line], row: int) -> list[str]:
    """Return the head of a row's table, if it has one."""
    heads = (line.text for line in lines[row::-1] if line.kind == "head" and line.block == lines[row].block)
    return [text if len(text) <= HEAD else f"{text[:HEAD].rstrip()}…" for text in heads]


def _cut(line: str, words: SnippetWords) -> str:
    """Return the part of a long line that holds most words of the query."""
    starts = [start for start, _ in words.spans(line)] or [0]
    reach = LONGEST * 3 // 4
    counts = [sum(start <= other < start + reach for other in starts) for start in starts]
    best = starts[counts.index(max(counts))]
    start = 0 if best < reach else line.rfind(" ", best - LONGEST // 4, best) + 1 or best
    end = start + LONGEST
    return f"{'…' if start else ''}{line[start:end].strip()}{'…' if end < len(line) else ''}"
