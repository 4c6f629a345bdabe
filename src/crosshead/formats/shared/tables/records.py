"""Separated values -> records.

1. A line without quotes is cut at the delimiters.
2. Else it is read cell by cell: a cell in quotes may hold delimiters, newlines and doubled quotes.
3. A quote that is not closed, or closed in the middle of a cell, is a fault: it is reported with its line and kept as
   text, and the next line is read as if nothing had happened. Nothing is lost.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from functools import cached_property
from typing import Final, NamedTuple

from crosshead.errors import TooLarge

MAX_COLUMNS: Final = 100_000
MAX_CELL_CHARACTERS: Final = 2_000_000
"""A longer quoted cell is treated as one whose quote is never closed."""
_MAX_SIMPLE: Final = 100_000
"""Characters of a line that is left to the standard library, which has its own limit."""
_MAX_VAIN_CHARACTERS: Final = 50_000_000
"""Characters searched for missing closing quotes; after that, quotes are text."""


class Dialect(NamedTuple):
    """How the values of a file are separated."""

    delimiter: str = ","
    quote: str = '"'
    backslash: bool = False
    """Quotes inside a cell are escaped by a backslash."""


class Record(NamedTuple):
    """One row of a file."""

    line: int
    last_line: int
    cells: list[str]


class RecordSplitter:
    """Splits a text from `start` on; `faults` are the lines where quotes do not match."""

    def __init__(self, text: str, dialect: Dialect, start: int = 0) -> None:
        self.text = text
        self.start = start
        self.dialect = dialect
        self.faults: list[int] = []
        self._vain = 0

    def records(self) -> Iterator[Record]:
        """Yield the records that are not blank."""
        text, (delimiter, quote, _) = self.text, self.dialect
        at, line, size = self.start, 1 + text.count("\n", 0, self.start), len(text)
        while at < size:
            end = text.find("\n", at)
            end = size if end < 0 else end
            last = line
            if text.find(quote, at, end) < 0:
                if text.count(delimiter, at, end) >= MAX_COLUMNS:
                    raise _too_wide(line)
                if end > at and not text[at:end].isspace():
                    yield Record(line, line, text[at:end].split(delimiter))
            elif end - at < _MAX_SIMPLE and self._simple.fullmatch(text, at, end):
                [cells] = csv.reader((text[at:end],), delimiter=delimiter, quotechar=quote)
                yield Record(line, line, cells)
            else:
                cells, end = self._quoted_record(at, end, line)
                last = line + text.count("\n", at, end)
                yield Record(line, last, cells)
            at, line = end + 1, last + 1

    def _quoted_record(self, at: int, line_end: int, line: int) -> tuple[list[str], int]:
        text, delimiter = self.text, self.dialect.delimiter
        cells = []
        while True:
            cell, at, line_end = self._cell(at, line_end, line)
            cells.append(cell)
            if len(cells) > MAX_COLUMNS:
                raise _too_wide(line)
            if at >= len(text) or text[at] != delimiter:
                return cells, at
            at += 1

    def _cell(self, at: int, line_end: int, line: int) -> tuple[str, int, int]:
        """Return a cell, the place after it and the end of the line that this is in."""
        text, (delimiter, quote, _) = self.text, self.dialect
        opening = at
        while text.startswith(" ", opening):
            opening += 1
        if text.startswith(quote, opening):
            closing = self._closing(opening + 1)
            if closing >= 0:
                after = _skip_spaces(text, closing + 1)
                if after >= len(text) or text[after] in (delimiter, "\n"):
                    return self._unquote(opening + 1, closing), after, self._line_end(after, line_end)
            self._report(line)
            if 0 <= closing < line_end:
                closing = self._closing_before_delimiter(closing, line_end)
                if closing >= 0:
                    return text[opening + 1 : closing], closing + 1, line_end
        after = text.find(delimiter, at, line_end)
        after = line_end if after < 0 else after
        return text[at:after], after, line_end

    def _closing(self, at: int) -> int:
        if self._vain > _MAX_VAIN_CHARACTERS:
            return -1
        limit = min(len(self.text), at + MAX_CELL_CHARACTERS)
        found = self._quoted.match(self.text, at, limit)
        if found is None:
            self._vain += limit - at
            return -1
        return found.end() - 1

    def _closing_before_delimiter(self, at: int, line_end: int) -> int:
        """A cell with unescaped quotes inside: the last quote ends it."""
        found = self.text.find(f"{self.dialect.quote}{self.dialect.delimiter}", at + 1, line_end)
        if found < 0:
            self._vain += line_end - at
            found = line_end - 1 if self.text[line_end - 1] == self.dialect.quote and line_end - 1 > at else -1
        return found

    def _line_end(self, at: int, line_end: int) -> int:
        if at <= line_end:
            return line_end
        end = self.text.find("\n", at)
        return len(self.text) if end < 0 else end

    def _unquote(self, start: int, end: int) -> str:
        quote = self.dialect.quote
        cell = self.text[start:end].replace(quote * 2, quote)
        return cell.replace(f"\\{quote}", quote) if self.dialect.backslash else cell

    @cached_property
    def _quoted(self) -> re.Pattern[str]:
        """The rest of a quoted cell. Possessive quantifiers never backtrack, so a failed search stays linear."""
        quote = self.dialect.quote
        if self.dialect.backslash:
            return re.compile(rf"(?:[^{quote}\\]++|\\.|{quote}{quote})*+{quote}", re.S)
        return re.compile(rf"(?:[^{quote}]++|{quote}{quote})*+{quote}")

    @cached_property
    def _simple(self) -> re.Pattern[str]:
        """A line that the standard library reads correctly, because all its quotes are balanced."""
        delimiter, quote, backslash = re.escape(self.dialect.delimiter), self.dialect.quote, self.dialect.backslash
        if backslash:
            return re.compile(r"(?!)")
        cell = rf"(?:{quote}(?:[^{quote}]++|{quote}{quote})*+{quote}|[^{quote}{delimiter}]*+)"
        return re.compile(rf"{cell}(?:{delimiter}{cell})*+")

    def _report(self, line: int) -> None:
        if not self.faults or self.faults[-1] != line:
            self.faults.append(line)


def _too_wide(line: int) -> TooLarge:
    return TooLarge(f"line {line} has more than {MAX_COLUMNS:,} cells: not a table, or its line breaks are lost")


def _skip_spaces(text: str, at: int) -> int:
    while text.startswith(" ", at):
        at += 1
    return at
