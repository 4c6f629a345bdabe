"""Where a run of text may be cut: between lines that do not flow, between sentences, between words.

HTML and JSX tags, and whole elements that fit, count as one word: they are never cut.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from crosshead.language.sentences import sentence_ends
from crosshead.markdown import find_tags

Span = tuple[int, int]
Fits = Callable[[int, int], bool]

MAX_DEPTH: Final = 8
"""Elements nested deeper are not kept whole; with hostile input that would take quadratic time."""
FEWEST_LINES: Final = 3
"""Fewer lines do not show whether they flow."""
WIDEST_MARGIN: Final = 80
"""Characters of indentation to look at before a tag."""
SHORT_LINE: Final = 50
"""Characters; prose is wrapped into longer lines."""
TYPICAL_WIDTH: Final = 0.75
"""Quantile of line lengths taken as the typical width; a single long link may be longer."""

LIST_ITEM = re.compile(r"[ \t>]*(?:[*+-]|[0-9]{1,9}[.)])[ \t]").match
_SPACE = re.compile(r"(?<=\S)(\s+)(?=\S)")
_LINE_END = re.compile(r"\n(?=[^\n])")


def line_runs(text: str, start: int, end: int, kept: Sequence[Span]) -> list[Span]:
    """Return the lines of verse, a log or the like; nothing if the lines flow as prose."""
    lines = text[start:end].rstrip().split("\n")
    if len(lines) < FEWEST_LINES or not _breaks_lines(lines):
        return []
    return list(_runs((found.end() for found in _LINE_END.finditer(text, start, end)), start, end, kept))


def sentence_runs(text: str, start: int, end: int, kept: Sequence[Span]) -> Iterator[Span]:
    """Yield the sentences of a text."""
    return _runs((_cut(text, *each.gap) for each in sentence_ends(text, start, end)), start, end, kept)


def word_runs(text: str, start: int, end: int, kept: Sequence[Span]) -> Iterator[Span]:
    """Yield the words of a text."""
    return _runs((_cut(text, *found.span(1)) for found in _SPACE.finditer(text, start, end)), start, end, kept)


def edge_runs(start: int, end: int, ink: int, kept: Sequence[Span]) -> Iterator[Span]:
    """Yield the tags in a word and the text between them; the first run includes the white space before `ink`."""
    inside = kept[bisect_left(kept, (start, -1)) : bisect_left(kept, (end, -1))]
    return _runs([edge for span in inside for edge in span if ink < edge < end], start, end, kept)


def kept_spans(text: str, start: int, end: int, fits: Fits) -> list[Span]:
    """Return the tags and elements that must not be cut, in order: the largest ones that fit."""
    if text.find("<", start, end) < 0:
        return []
    found: list[Span] = []
    reached = start
    for first, stop in sorted(_tags_and_elements(text, start, end), key=lambda span: (span[0], -span[1])):
        if first >= reached and fits(first - _margin(text, first), stop):
            found.append((first, stop))
            reached = stop
    return found


def _margin(text: str, at: int) -> int:
    """Return the width of the indentation before a tag that begins a line; 0 inside a line."""
    margin = text[max(0, at - WIDEST_MARGIN) : at].rpartition("\n")[2]
    return 0 if margin.strip() else len(margin)


def lies_inside(at: int, spans: Sequence[Span]) -> bool:
    """Is an offset inside one of these spans, not at its edge?"""
    before = bisect_left(spans, (at, -1)) - 1
    return before >= 0 and at < spans[before][1]


def _tags_and_elements(text: str, start: int, end: int) -> Iterator[Span]:
    open_tags: list[tuple[str, int]] = []
    open_names: Counter[str] = Counter()
    for tag in find_tags(text, start, end):
        yield tag.start, tag.end
        if tag.opens:
            open_tags.append((tag.name, tag.start))
            open_names[tag.name] += 1
        while tag.closes and open_names[tag.name]:  # tags opened after it are never closed
            name, first = open_tags.pop()
            open_names[name] -= 1
            if name == tag.name:
                if len(open_tags) < MAX_DEPTH:
                    yield first, tag.end
                break


def _runs(cuts: Iterable[int], start: int, end: int, kept: Sequence[Span]) -> Iterator[Span]:
    for cut in cuts:
        if cut > start and not (kept and lies_inside(cut, kept)):
            yield start, cut
            start = cut
    yield start, end


def _cut(text: str, at: int, stop: int) -> int:
    """Return where to cut white space: newlines belong to the text before it, the rest to the text after it."""
    newline = text.rfind("\n", at, stop)
    return newline + 1 if newline >= 0 else at


def _breaks_lines(lines: Sequence[str]) -> bool:
    """Are these verse, log entries or the like: by how lines begin or end, or because short lines end early?"""
    typical = sorted(map(len, lines))[int(len(lines) * TYPICAL_WIDTH)]
    begins = marked = early = 0
    for line, following in pairwise(lines):
        first, second = line.split(None, 1)[:1], following.split(None, 1)[:1]
        word = second[0] if second else ""
        is_capital = word[:1].isupper() and not following.isupper()
        begins += is_capital or word[:1].isdigit() or word[:1] == "[" or first == second
        marked += line.endswith(("  ", "\\"))
        early += len(line) + 1 + len(word) <= typical < SHORT_LINE
    breaks = len(lines) - 1
    return 3 * begins > 2 * breaks or 2 * marked > breaks or 3 * early > breaks
