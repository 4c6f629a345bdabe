"""Chunks of a peer -> the lines of the document that they were cut from.

Peers trim, join and rewrite blanks, so only the other characters are compared: all of them first, then only letters and
digits, and at last only the beginning and the end of a chunk, for peers that leave out Markdown inside. The search
begins where the previous chunk ended and, if that finds nothing, where it began.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

ANCHOR = 24
"""Letters at the beginning and the end of a chunk that must be found at least."""
STRETCH = 3
"""A chunk found by its ends may be so many times as long in the document, with the addresses of its links."""

_BLANK = re.compile(r"\s")
_OTHER = re.compile(r"[\W_]")


class Lines(NamedTuple):
    """1-based, both inclusive."""

    start: int
    end: int


class Locator:
    """Finds the chunks of one document, in their order."""

    def __init__(self, text: str) -> None:
        self._line_ends = [*accumulate(len(line) + 1 for line in text.split("\n"))]
        self._views = [_View(text, pattern) for pattern in (_BLANK, _OTHER)]
        self._start = self._end = 0

    def find(self, chunk: str) -> Lines | None:
        """The lines of the next chunk; None if it cannot be found."""
        for find in (self._views[0].find, self._views[1].find, self._views[1].find_ends):
            for start in (self._end, self._start):
                found = find(chunk, start)
                if found:
                    self._start, self._end = found
                    return Lines(self._line(found[0]), self._line(found[1] - 1))
        return None

    def _line(self, offset: int) -> int:
        return bisect_right(self._line_ends, offset) + 1


def locate(text: str, chunks: Sequence[str]) -> list[Lines | None]:
    """The lines of every chunk."""
    locator = Locator(text)
    return [locator.find(chunk) for chunk in chunks]


class _View:
    """A text without some characters, and where the others stand in it."""

    def __init__(self, text: str, left_out: re.Pattern[str]) -> None:
        self._left_out = left_out
        self._text = left_out.sub("", text)
        self._offsets = [offset for offset, letter in enumerate(text) if not left_out.match(letter)]

    def find(self, chunk: str, start: int) -> tuple[int, int] | None:
        """Where the chunk begins and ends in the text, not before `start`."""
        wanted = self._left_out.sub("", chunk)
        at = self._text.find(wanted, self._position(start)) if wanted else -1
        return self._span(at, at + len(wanted)) if at >= 0 else None

    def find_ends(self, chunk: str, start: int) -> tuple[int, int] | None:
        """The same by the beginning and the end of the chunk."""
        wanted = self._left_out.sub("", chunk)
        if len(wanted) < 2 * ANCHOR:
            return None
        at = self._text.find(wanted[:ANCHOR], self._position(start))
        end = self._text.find(wanted[-ANCHOR:], at + ANCHOR, at + STRETCH * len(wanted)) if at >= 0 else -1
        return self._span(at, end + ANCHOR) if end >= 0 else None

    def _position(self, offset: int) -> int:
        return bisect_left(self._offsets, offset)

    def _span(self, start: int, end: int) -> tuple[int, int]:
        return self._offsets[start], self._offsets[end - 1] + 1
