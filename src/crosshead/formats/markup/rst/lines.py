"""Lines with their numbers in the file; inner blocks are ranges of them without their margin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Lines(NamedTuple):
    """Lines that follow one another in the file, without tabs and without spaces at their ends."""

    texts: Sequence[str]
    first: int
    """The line of the file that the first of them is."""

    def number(self, at: int) -> int:
        """Return the line of the file."""
        return self.first + at

    def part(self, start: int, end: int, margin: int = 0) -> Lines:
        """Return some of the lines without their first columns."""
        return Lines([text[margin:] for text in self.texts[start:end]], self.first + start)

    def dedented(self, start: int, end: int) -> Lines:
        """Return some of the lines without the columns that all of them leave free."""
        return self.part(start, end, min((indent_of(text) for text in self.texts[start:end] if text), default=0))

    def trimmed(self) -> Lines:
        """Return the lines without blank ones around them."""
        start, end = 0, len(self.texts)
        while start < end and not self.texts[start]:
            start += 1
        while start < end and not self.texts[end - 1]:
            end -= 1
        return Lines(self.texts[start:end], self.first + start)

    def after_indented(self, at: int) -> int:
        """Return the line after those that are blank or indented, from `at` on; blank ones at the end do not count."""
        end = last = at
        while end < len(self.texts) and self.texts[end][:1] in ("", " "):
            end += 1
            last = end if self.texts[end - 1] else last
        return last


def indent_of(text: str) -> int:
    """Return the number of spaces that a line begins with."""
    return len(text) - len(text.lstrip(" "))
