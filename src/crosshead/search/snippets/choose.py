"""The lines of a section -> those that answer best.

1. a line counts by the words of the query that it holds: those rare among the hits count most, those that its heading
   shows already, and repeated ones, less
2. lines next to it get a share, after a colon the whole list, table or code: the answer often follows the line that
   names it
3. the best line is taken, then the next best that still fits, until the snippet is full
4. lines are shown in their order, rows below the head of their table, and a long line as far as it holds the words
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice, pairwise, starmap
from math import fsum, log
from typing import Final, NamedTuple

from crosshead.search.query.words import QueryWords
from crosshead.search.snippets.lines import Line, read_lines
from crosshead.search.snippets.words import SnippetWords
from crosshead.types import Hit

LONGEST: Final = 360
"""Characters of a snippet: three lines of a wide terminal."""
MOST_LINES: Final = 7
HEAD: Final = 100
"""Characters of the head of a table."""
FIRST_LINES: Final = 8
"""Lines to choose from if none holds a word of the query."""

ANY_WORD: Final = 2.0
"""What a word weighs besides its rarity; a word that is in every tenth line gets 2.4 for that."""
REPEATED: Final = 0.3
"""What a word counts that the snippet shows already."""
IN_PATH: Final = 0.5
"""What a word counts that the heading shows already."""
CODE: Final = 0.85
"""What words count in code."""
ORDINARY_LENGTH: Final = 100
"""Characters; a longer line holds more words by chance."""
LENGTH_LOSS: Final = 0.008
AFTER: Final = 0.5
"""Share of its words' weight that a line gives to the next one."""
AFTER_COLON: Final = 1.0
LISTED: Final = 0.7
"""What is left of that share from one item, row or line of code to the next."""
BEFORE: Final = 0.1
ADJACENT: Final = 0.75
"""What a line gains that continues the snippet."""

Weights = Mapping[str, float]

_SAYS_SOMETHING: Final = re.compile(r"(?:[^\W_][\W_]*+){4}|[\u3040-\u9fff\uac00-\ud7af]").search
"""Matches a line that is more than a bracket or the end of a block."""


class Snippet(NamedTuple):
    """Plain text, and where it holds words of the query."""

    text: str
    highlights: tuple[tuple[int, int], ...]
    held: frozenset[str]
    """The words of the query that the whole section holds, its path included."""


def make_snippets(hits: Sequence[Hit], readings: Iterable[QueryWords]) -> list[Snippet]:
    """Return a snippet for each hit."""
    words = SnippetWords(readings)
    lines = [_lines_of(hit) for hit in hits]
    paths = words.find([" ".join((hit.chunk.document_title, *hit.section_path)) for hit in hits])
    held = words.find([line.text for each in lines for line in each])
    counts = Counter(chain.from_iterable(held))
    weights = {word: ANY_WORD + log(1 + len(held) / count) for word, count in counts.items()}
    rest = iter(held)
    snippets = []
    for each, path in zip(lines, paths, strict=True):
        own = weights | {word: weight * IN_PATH for word, weight in weights.items() if word in path}
        of_lines = [*islice(rest, len(each))]
        text = _show(each, _choose(each, of_lines, own), words)
        snippets.append(Snippet(text, tuple(words.spans(text)), path.union(*of_lines)))
    return snippets


def _lines_of(hit: Hit) -> Sequence[Line]:
    chunk = hit.chunk
    prefix = chunk.prefix if hit.start == chunk.start else ""
    return read_lines(hit.content, prefix, {chunk.document_title, *hit.section_path}, mdx=chunk.format == "mdx")


def _choose(lines: Sequence[Line], held: Sequence[frozenset[str]], weights: Weights) -> list[int]:
    """Return the numbers of the lines to show, in order."""
    numbers = [number for number, line in enumerate(lines) if _answers(line)]
    if not numbers:
        return [number for number, line in enumerate(lines[:MOST_LINES]) if line.kind == "title"]
    given = [_weigh(line, words, frozenset(), weights) for line, words in zip(lines, held, strict=True)]
    own = list(given)
    """What is left of that when words are shown already."""
    if not any(given):
        numbers = numbers[:FIRST_LINES]
    candidates = {number: len(lines[number].text) + 1 for number in numbers}
    links = [*starmap(_link, pairwise(lines))]
    near = _shares(links, given)
    chosen: set[int] = set()
    beside: set[int] = set()
    shown: frozenset[str] = frozenset()
    left = LONGEST
    while candidates and len(chosen) < MOST_LINES:
        gains = {each: own[each] + near[each] + (ADJACENT if each in beside else 0.0) for each in candidates}
        best = max(gains, key=gains.__getitem__)
        if chosen and not gains[best]:
            break
        chosen.add(best)
        at = bisect_left(numbers, best)
        beside.update(numbers[max(0, at - 1) : at + 2])
        left -= candidates[best]
        news = held[best] - shown
        shown |= news
        for number, words in enumerate(held if news else ()):
            if not news.isdisjoint(words):
                own[number] = _weigh(lines[number], words, shown, weights)
        if news or own[best] != given[best]:
            near = _shares(links, [given[number] if number in chosen else each for number, each in enumerate(own)])
        candidates = {number: size for number, size in candidates.items() if size <= left and number not in chosen}
    return sorted(chosen)


def _answers(line: Line) -> bool:
    """Return whether a line can be shown by itself."""
    return line.kind not in ("head", "title") and _SAYS_SOMETHING(line.text) is not None


def _link(before: Line, line: Line) -> float:
    """Return how much of its words' weight a line gives to all that follow it; 0 if only the next one gets some."""
    if before.text.endswith((":", "：")):
        return AFTER_COLON
    return LISTED if line.kind in ("item", "code", "row") and before.kind in (line.kind, "head") else 0.0


def _shares(links: Sequence[float], given: Sequence[float]) -> list[float]:
    """Return what each line gets of the weight of those around it."""
    shares, reach = [0.0], 0.0
    for weight, link in zip(given, links, strict=False):
        reach = link * (weight if link == AFTER_COLON else reach)
        shares.append(max(weight * AFTER, reach))
    return [max(share, after * BEFORE) for share, after in zip(shares, [*given[1:], 0.0], strict=True)]


def _weigh(line: Line, held: frozenset[str], shown: frozenset[str], weights: Weights) -> float:
    if not held:
        return 0.0
    weight = fsum([weights[word] * (REPEATED if word in shown else 1.0) for word in held])
    weight *= CODE if line.kind == "code" else 1.0
    return weight / (1.0 + LENGTH_LOSS * max(0, len(line.text) - ORDINARY_LENGTH))


def _show(lines: Sequence[Line], chosen: Sequence[int], words: SnippetWords) -> str:
    """Return the text of some lines; sentences of a paragraph are on one line."""
    shown: list[str] = []
    last = -1
    for number in chosen:
        line = lines[number]
        is_same = last >= 0 and lines[last].block == line.block
        if line.kind in ("text", "item") and is_same:
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
