"""A citation as text -> what it names, and the lines of the document's text that it leads to.

A file may have any name, also one that ends like a citation. So a text has several readings, and the first one whose
source exists is right: the whole text as a source, then what its end says.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from operator import itemgetter
from typing import Final

from crosshead.citation.spans import LineMarks, Marks, cites, source_line
from crosshead.citation.writing import Citation, Unit, sheet_of

_NUMBERS: Final = r"(?P<first>[1-9]\d{0,8})(?:-(?P<last>[1-9]\d{0,8}))?"
_TIME: Final = r"\d{1,4}:\d\d:\d\d"
_CELL: Final = r"([A-Z]{1,3})([1-9]\d{0,6})"
_NUMBERED: Final[tuple[tuple[Unit, re.Pattern[str]], ...]] = (
    ("lines", re.compile(rf"(?P<source>.+):{_NUMBERS}", re.S)),
    ("pages", re.compile(rf"(?P<source>.+) p\. ?{_NUMBERS}", re.S)),
    ("slides", re.compile(rf"(?P<source>.+) slide {_NUMBERS}", re.S)),
)
_TIMES: Final = re.compile(rf"(?P<source>.+) (?P<first>{_TIME})(?:-(?P<last>{_TIME}))?", re.S)
_CELLS: Final = re.compile(rf"(?P<source>.+) (?P<sheet>'(?:[^']|'')+'|[^\W\d][\w.]*)!{_CELL}(?::{_CELL})?", re.S)


def parse_citation(text: str) -> Iterator[Citation]:
    """Yield the readings of a text as a citation, the likeliest first."""
    yield Citation(text)
    yield from _spans(text)
    if text.endswith(")"):
        for at in _openings(text):
            head, section = text[:at], text[at + 2 : -1]
            yield Citation(head, section=section)
            yield from _spans(head)


def _openings(text: str) -> Iterator[int]:
    """Yield where a section in parentheses may begin: names and titles may have parentheses too."""
    at = text.find(" (", 1)
    while at > 0:
        yield at
        at = text.find(" (", at + 1)


def _spans(text: str) -> Iterator[Citation]:
    for unit, pattern in _NUMBERED:
        if found := pattern.fullmatch(text):
            yield _ordered(found["source"], unit, int(found["first"]), int(found["last"] or found["first"]))
    if found := _TIMES.fullmatch(text):
        yield _ordered(found["source"], "times", _seconds(found["first"]), _seconds(found["last"] or found["first"]))
    if found := _CELLS.fullmatch(text):
        source, sheet, left, top, right, bottom = found.groups()
        area = f"{sheet}!{left}:{right or left}"
        yield _ordered(source, "cells", int(top), int(bottom or top), area)


def _ordered(source: str, unit: Unit, first: int, last: int, area: str = "") -> Citation:
    return Citation(source, unit, first, max(first, last), area)


def _seconds(time: str) -> int:
    hours, minutes, seconds = map(int, time.split(":"))
    return hours * 3600 + minutes * 60 + seconds


def cited_lines(
    citation: Citation, format: str, *, lines: LineMarks, pages: Marks, last_line: int
) -> tuple[int, int] | None:
    """Return the first and the last line of a document's text that a citation leads to; None if it has no such lines.

    A section has no lines here: only the tree of sections knows them.
    """
    first, last = citation.first, citation.last
    match citation.unit:
        case "pages" | "slides" if pages:
            return _lines_of_pages(pages, first, last, last_line)
        case "cells" if lines and len(lines[0]) > 2:
            return _lines_of_cells(lines, citation)
        case "lines" | "times" if lines and cites(format) in ("marks", "times"):
            return _lines_of_marks(lines, first, last, last_line)
        case "lines" | "text" if first <= last_line:
            return first, min(last, last_line)
        case "":
            return 1, last_line
    return None


def _lines_of_pages(pages: Marks, first: int, last: int, last_line: int) -> tuple[int, int] | None:
    start, end = bisect_left(pages, first, key=itemgetter(1)), bisect_right(pages, last, key=itemgetter(1))
    if start == end:
        return None
    return pages[start][0], pages[end][0] - 1 if end < len(pages) else last_line


def _lines_of_cells(lines: LineMarks, citation: Citation) -> tuple[int, int] | None:
    """Return the lines from the first to the last that show any of the cells."""
    found = []
    for at, (start, row, *area) in enumerate(lines):
        if not area or not area[0] or not _overlap(str(area[0]), citation.area):
            continue
        after, next_row = lines[at + 1][:2] if at + 1 < len(lines) else (start + 1, row + 1)
        bottom = max(row, min(row + after - 1 - start, next_row - 1))
        if row <= citation.last and bottom >= citation.first:
            found += [start + max(0, citation.first - row), after - 1 - max(0, bottom - citation.last)]
    return (min(found), max(found)) if found else None


def _overlap(area: str, other: str) -> bool:
    """Return whether two areas share a column of a sheet."""
    if sheet_of(area).casefold() != sheet_of(other).casefold():
        return False
    (left, right), (first, last) = map(_columns, (area, other))
    return left <= last and first <= right


def _columns(area: str) -> tuple[tuple[int, str], tuple[int, str]]:
    left, _, right = area.rpartition("!")[2].partition(":")
    return (len(left), left), (len(right), right)


def _lines_of_marks(lines: LineMarks, first: int, last: int, last_line: int) -> tuple[int, int] | None:
    """Return the lines that come from some lines of the document's own file."""
    own = _own_lines(lines, last_line)
    inside = [line for line, source in own if first <= source <= last]
    before = [(source, line) for line, source in own if source < first]
    if inside:
        return inside[0], inside[-1]
    return (max(before)[1],) * 2 if before and any(source > last for _, source in own) else None


def _own_lines(lines: LineMarks, last_line: int) -> list[tuple[int, int]]:
    """Return the lines of a text with the lines of the file that they come from, without included files."""
    files = [mark[2] if len(mark) > 2 else "" for mark in lines]
    starts = [mark[0] for mark in lines]
    return [
        (line, source_line(lines, line))
        for line in range(1, last_line + 1)
        if (at := bisect_right(starts, line)) == 0 or not files[at - 1]
    ]
