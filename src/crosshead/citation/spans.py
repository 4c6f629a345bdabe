"""Lines of a document's text -> the lines, times or cells of its file that they come from, or its pages.

`pages` are (first line, page) and `lines` (first line, line of the file), both in order. Subtitles are found by their
time: their `lines` are seconds. Workbooks are found by their cells: their `lines` are rows, with the sheet and its
columns as the third item, `Revenue!A:D`; a mark without cells ends an area and names the row after it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Final, Literal, NamedTuple, TypeAlias

Marks = Sequence[tuple[int, int]]
LineMark: TypeAlias = tuple[int, int] | tuple[int, int, str]
LineMarks: TypeAlias = tuple[LineMark, ...]
"""As `lines`; the third item of a mark is the file that the lines are in, if the document includes that file, or the
sheet and the columns."""

CitedLines = Literal["file", "marks", "times", "cells", "slides"]
"""What a citation names: the lines of the text, if the file has the same; the lines that `lines` gives; times of a
recording, if `lines` gives seconds; cells, if it gives rows; or slides, if `pages` gives their numbers."""
_BUILT_IN: Final[Mapping[CitedLines, str]] = {
    "file": "markdown mdx text",
    "marks": "csv tsv rst asciidoc man org latex json yaml xml log toml "
    "python javascript typescript java c cpp csharp go rust ruby php shell sql",
    "times": "subtitles",
    "cells": "xlsx xls ods",
    "slides": "pptx ppt odp",
}
_CITED_LINES: Final = {format: lines for lines, formats in _BUILT_IN.items() for format in formats.split()}


def declare_lines(format: str, lines: CitedLines) -> None:
    """Declare what citations of a format of the user name; by default, pages or sections."""
    _CITED_LINES[format] = lines


def cites(format: str) -> CitedLines | None:
    """Return what citations of a format name; None for pages, or else sections."""
    return _CITED_LINES.get(format)


def page_of(pages: Marks, line: int) -> int:
    """Return the page that a line of the text is on."""
    return pages[max(0, bisect_right(pages, line, key=itemgetter(0)) - 1)][1]


class SourceSpan(NamedTuple):
    """Lines of a file, seconds of a recording, or rows of a sheet."""

    first: int
    last: int
    file: str = ""
    """A file that the document includes, or the sheet and columns of cells; empty for the document's own file."""


def source_line(lines: LineMarks, line: int) -> int:
    """Return the line of the file that a line of the text comes from.

    Both run side by side from one entry of `lines` to the next, but never past the line that the next one names.
    """
    at = bisect_right(lines, line, key=itemgetter(0)) - 1
    if at < 0:
        return line
    first, source = lines[at][:2]
    has_next = at + 1 < len(lines) and lines[at][2:] == lines[at + 1][2:]
    last = lines[at + 1][1] - 1 if has_next else source + line - first
    return min(source + line - first, max(source, last))


def source_span(lines: LineMarks, first: int, last: int) -> SourceSpan:
    """Return the lines of the file that some lines of the text come from; of several files, those of the largest part.

    A record of a file may be several lines there and one here: it ends where the next one begins.
    """
    file, first, last = _largest_part(lines, first, last)
    start = source_line(lines, first)
    after = source_line(lines, last + 1) - 1 if _file_of(lines, last + 1) == file else start
    return SourceSpan(start, max(start, source_line(lines, last), after), file)


def _largest_part(lines: LineMarks, first: int, last: int) -> tuple[str, int, int]:
    """Return the file that most of the lines come from, and the first and the last of its lines in the text."""
    parts = {_file_of(lines, first): [first, first, 0]}
    start, stop = (bisect_right(lines, line, key=itemgetter(0)) for line in (first, last))
    if any(len(mark) > 2 for mark in lines[max(0, start - 1) : stop]):
        parts = {}
        for line in range(first, last + 1):
            part = parts.setdefault(_file_of(lines, line), [line, line, 0])
            part[1:] = line, part[2] + 1
    else:
        last_part = parts[""]
        last_part[1] = last
    file, (first, last, _) = max(parts.items(), key=lambda each: each[1][2])
    return file, first, last


def _file_of(lines: LineMarks, line: int) -> str:
    at = bisect_right(lines, line, key=itemgetter(0)) - 1
    return lines[at][2] if at >= 0 and len(lines[at]) > 2 else ""  # type: ignore[misc]


def cited_span(format: str, lines: LineMarks, first: int, last: int) -> SourceSpan | None:
    """Return what a citation names of the file that some lines of the text come from; None if nothing is known."""
    if not lines:
        return None
    return _cell_span(lines, first, last) if _has_cells(format, lines) else source_span(lines, first, last)


class _Rows(NamedTuple):
    """Lines of the text that come from one area of a sheet."""

    sheet: str
    columns: str
    top: int
    bottom: int
    lines: int


def _has_cells(format: str, lines: LineMarks) -> bool:
    """Return whether the marks of a document name cells; a workbook may turn out to be a text file."""
    return _CITED_LINES.get(format) == "cells" and len(lines[0]) > 2


def _cell_span(lines: LineMarks, first: int, last: int) -> SourceSpan | None:
    """Return the cells that some lines come from; of several sheets, those of the one with most lines."""
    sheets: dict[str, list[_Rows]] = {}
    for rows in _areas(lines, first, last):
        sheets.setdefault(rows.sheet, []).append(rows)
    if not sheets:
        return None
    areas = max(sheets.values(), key=lambda areas: sum(each.lines for each in areas))
    columns = sorted((name for each in areas for name in each.columns.split(":")), key=lambda name: (len(name), name))
    top, bottom = min(each.top for each in areas), max(each.bottom for each in areas)
    return SourceSpan(top, bottom, f"{areas[0].sheet}!{columns[0]}:{columns[-1]}")


def _areas(lines: LineMarks, first: int, last: int) -> Iterator[_Rows]:
    """Yield the cells that lines come from, mark by mark."""
    at = max(0, bisect_right(lines, first, key=itemgetter(0)) - 1)
    while at < len(lines) and lines[at][0] <= last:
        start, row, area = (*lines[at], "")[:3]
        following = lines[at + 1][:2] if at + 1 < len(lines) else (last + 1, row + last + 1 - start)
        begin, end = max(first, start), min(last, following[0] - 1)
        sheet, _, columns = area.rpartition("!")
        if sheet and begin <= end:
            limit = max(row, following[1] - 1)
            yield _Rows(sheet, columns, min(row + begin - start, limit), min(row + end - start, limit), end - begin + 1)
        at += 1


def page_span(pages: Marks, first: int, last: int) -> tuple[int, int] | None:
    """Return the first and the last page that lines of a text are on, in formats with pages."""
    return (page_of(pages, first), page_of(pages, last)) if pages else None
