"""Which line of a Markdown text each page begins with, of a PDF that was printed from the same document.

A page has a line if it shows how the line begins. Both go forward: of all ways to read the lines and the pages in this
order, the one with most lines counts. Lines that are too short to tell belong to the page that shows what follows them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import lru_cache
from typing import Any, Final, NamedTuple

from crosshead.formats.pdf.locate.characters import SeenText
from crosshead.formats.pdf.locate.finding import opened, see_pages
from crosshead.formats.pdf.locate.tokens import read_tokens

_ENOUGH: Final = 16
"""Letters and signs of a line that are rarely the same by chance."""
_MOST_PAGES: Final = 8
"""A line that more pages show tells nothing: a header, or a row of a form."""


class _Reading(NamedTuple):
    """A way to read the lines and the pages, up to a line."""

    line: int
    page: int
    pages: Sequence[int]
    """All that show the line."""
    lines: int
    before: _Reading | None


@lru_cache(maxsize=1)
def pages_of(pdf: bytes, text: str) -> tuple[tuple[int, int], ...]:
    """Return the first line of each page, and its number."""
    lines = _spelled_lines(text)
    with opened(pdf) as document:
        shown = [_shown(document, number) for number in range(1, len(document) + 1)]
    anchors = _anchors(_occurrences(lines, shown))
    numbers = [*lines]
    marks = [(1, 1)]
    for line, page in anchors:
        before, last = marks[-1]
        if page > last:
            above = [(number, lines[number]) for number in numbers[: bisect_left(numbers, line)] if number > before]
            marks.append((_first_line(line, lines[line], above, shown[page - 1], shown[last - 1]), page))
    return tuple(marks)


def _shown(document: Any, number: int) -> str:
    with ExitStack() as stack:
        return SeenText([*see_pages(document, [number], stack)]).text


def _spelled_lines(text: str) -> Mapping[int, str]:
    """Return the lines that have tokens, by number, as pages spell them."""
    lines: dict[int, str] = {}
    number, counted = 1, 0
    for token in read_tokens(text, 0, len(text)):
        number += text.count("\n", counted, token.start)
        counted = token.start
        lines[number] = lines.get(number, "") + token.text
    return lines


def _occurrences(lines: Mapping[int, str], shown: Sequence[str]) -> Iterator[tuple[int, list[int]]]:
    """Yield the lines that are long enough, with the pages that show how they begin."""
    pages: dict[str, list[int]] = {line[:_ENOUGH]: [] for line in lines.values() if len(line) >= _ENOUGH}
    for number, text in enumerate(shown, 1):
        for at in range(len(text) - _ENOUGH + 1):
            known = pages.get(text[at : at + _ENOUGH])
            if known is not None and (not known or known[-1] != number):
                known.append(number)
    for number, line in lines.items():
        found = pages.get(line[:_ENOUGH], [])
        if 0 < len(found) <= _MOST_PAGES:
            yield number, found


def _anchors(occurrences: Iterator[tuple[int, list[int]]]) -> list[tuple[int, int]]:
    """Return lines with their pages, both in order, and as many as possible."""
    best: list[_Reading] = []  # by page, each with more lines than the one before
    for line, pages in occurrences:
        for page in reversed(pages):  # so that a line counts once
            at = bisect_right(best, page, key=lambda way: way.page)
            before = best[at - 1] if at else None
            way = _Reading(line, page, pages, before.lines + 1 if before else 1, before)
            last = at
            while last < len(best) and best[last].lines <= way.lines:
                last += 1
            first = at - 1 if before and before.page == page else at
            best[first:last] = [way]
    found: list[tuple[int, int]] = []
    step = best[-1] if best else None
    while step:
        last = found[-1][1] if found else step.page
        found.append((step.line, max(page for page in step.pages if page <= last)))  # not in a table of contents
        step = step.before
    return found[::-1]


def _first_line(line: int, text: str, above: Sequence[tuple[int, str]], here: str, before: str) -> int:
    """Return the first of the lines above one that its page shows: right above it, or the page before does not."""
    following = text[:_ENOUGH]
    for number, each in reversed(above):
        following = each + following
        if following not in here and (each not in here or each in before):
            break
        line = number
    return line
