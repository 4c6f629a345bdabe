"""Lines of a file -> sections of fenced code, every line in its order, with a map to the lines of the file.

1. The file is cut where headings are wanted; each piece stands below its heading.
2. The chunker never cuts code, so a piece that is larger than a chunk of the default size is written as several fences.
   The cheapest place to cut is a line that is indented little and has a blank line above it.
3. A line that is too long for a chunk is cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Final, NamedTuple

from crosshead.formats.base import Extracted
from crosshead.formats.shared import gfm
from crosshead.formats.shared.tables.writing import PART_TOKENS, TablePart, join_parts
from crosshead.tokens import Count, get_counter

MAX_TITLE: Final = 80
_FENCE_TOKENS: Final = 12
_LEAST_SHARE: Final = 4
"""A fence is at least a quarter full before it ends."""
_CHARACTERS_PER_TOKEN: Final = 2
"""Maximum size of a part of a long line; code mostly has larger lines."""
_CLOSER = re.compile(r"\s*(?:[)\]}>]|</|end\b|else\b|elif\b|except\b|catch\b|finally\b)")
_BREAK: Final = " ,;>"


class SectionStart(NamedTuple):
    """The start of a section."""

    line: int
    """Counted from 0."""
    level: int
    title: str


def write_fences(lines: Sequence[str], headings: Sequence[SectionStart], language: str) -> Extracted:
    """Write the lines of a file below headings, which are in order; lines above the first heading come first."""
    writer = _Writer(lines, language)
    starts = [0, *(each.line for each in headings), len(lines)]
    parts = (
        part
        for heading, (start, end) in zip([None, *headings], pairwise(starts), strict=True)
        for part in writer.section(heading, start, end)
    )
    text, marks = join_parts(parts)
    return Extracted(text, lines=marks)


def shorten(title: str) -> str:
    """Return a title on one line, shortened if necessary."""
    title = " ".join(title.split())
    return title if len(title) <= MAX_TITLE else f"{title[: MAX_TITLE - 1]}…"


class _Writer:
    def __init__(self, lines: Sequence[str], language: str) -> None:
        self.lines = lines
        self.language = language

    @cached_property
    def count(self) -> Count:
        return get_counter("cl100k_base").slices("").prose

    def section(self, heading: SectionStart | None, start: int, end: int) -> Iterator[TablePart]:
        title = gfm.heading(heading.level, gfm.code_span(shorten(heading.title))) if heading else ""
        spans = self.pieces(start, end, PART_TOKENS - _FENCE_TOKENS - (self.count(title) if title else 0))
        for number, (first, last, pieces) in enumerate(spans):
            for piece in pieces:
                yield _part(title if not number else "", first, last, gfm.fence(piece, self.language))
                title = ""

    def pieces(self, start: int, end: int, budget: int) -> Iterator[tuple[int, int, list[str]]]:
        """Go through the fences: first line, line after the last, and their text; a line may be cut into several."""
        start, end = self.trimmed(start, end)
        while start < end:
            cut = self.next_cut(start, end, budget)
            first, last = self.trimmed(start, cut)
            text = "\n".join(self.lines[first:last])
            is_long = last - first == 1 and len(text) > budget and self.count(text) > budget
            yield first, last, self.cut_line(text, budget) if is_long else [text]
            start, end = self.trimmed(cut, end)

    def next_cut(self, start: int, end: int, budget: int) -> int:
        """Return where the next fence begins, so that this one is within the budget if its first line is."""
        tokens, at = 0, start
        while at < end:
            line = self.lines[at]
            tokens += self.count(f"{line}\n") if len(line) < budget * 20 else budget + 1
            if tokens > budget:
                break
            at += 1
        if at == end or at <= start + 1:
            return max(at, start + 1)
        least = start + max(1, (at - start) // _LEAST_SHARE)
        return min(range(least, at + 1), key=lambda line: (*self.price(line), -line))

    def price(self, line: int) -> tuple[int, bool]:
        """Return the cost of beginning a fence at a line."""
        text = self.lines[line]
        if not text.strip():
            return 1_000, True
        indent = len(text) - len(text.lstrip())
        return indent + 4 * bool(_CLOSER.match(text)), bool(self.lines[line - 1].strip())

    def trimmed(self, start: int, end: int) -> tuple[int, int]:
        while start < end and not self.lines[start].strip():
            start += 1
        while start < end and not self.lines[end - 1].strip():
            end -= 1
        return start, end

    def cut_line(self, line: str, budget: int) -> list[str]:
        pieces, at = [], 0
        while at < len(line):
            size = budget * _CHARACTERS_PER_TOKEN
            while self.count(line[at : at + size]) > budget and size > 1:
                size //= 2
            end = at + size
            gap = max(line.rfind(sign, at + size // 2, end) for sign in _BREAK)
            if end < len(line) and gap > 0:
                end = gap + 1
            pieces.append(line[at:end])
            at = end
        return [piece for piece in pieces if piece.strip()]


def _part(title: str, first: int, last: int, fence: str) -> TablePart:
    """The fence's own lines count as the first and the last line inside."""
    text = f"{title}\n\n{fence}" if title else fence
    opening = 2 if title else 0
    line = first + 1
    marks = [(0, line), (opening, line), (opening + 1, line), (text.count("\n") + 1, last + 1)]
    return TablePart(text, tuple(marks[1:] if not title else marks))
