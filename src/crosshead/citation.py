"""Lines of a document's text -> the lines, pages or sections that a person can open.

`pages` are (first line, page) and `lines` (first line, line of the file), both in order. Subtitles are found by their
time: their `lines` are seconds.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from operator import itemgetter
from typing import Final, Literal, NamedTuple, TypeAlias

Marks = Sequence[tuple[int, int]]
LineMarks: TypeAlias = tuple[tuple[int, int] | tuple[int, int, str], ...]
"""As `lines`; the third item of a mark is the file that the lines are in, if the document includes that file."""

CitedLines = Literal["file", "marks", "times"]
"""What a citation names: the lines of the text, if the file has the same; the lines that `lines` gives; or times of a
recording, if `lines` gives seconds."""
_CITED_LINES: Final[dict[str, CitedLines]] = {}


def declare_lines(format: str, lines: CitedLines) -> None:
    """Declare what citations of a format name; by default, pages or sections."""
    _CITED_LINES[format] = lines


def cites_times(format: str) -> bool:
    """Return whether citations of a format name times of a recording."""
    return _CITED_LINES.get(format) == "times"


def page_of(pages: Marks, line: int) -> int:
    """Return the page that a line of the text is on."""
    return pages[max(0, bisect_right(pages, line, key=itemgetter(0)) - 1)][1]


class SourceSpan(NamedTuple):
    """Lines of a file."""

    first: int
    last: int
    file: str = ""
    """A file that the document includes; empty for the document's own file."""


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


def cite(
    source: str,
    format: str,
    path: Sequence[str],
    lines: tuple[int, int],
    *,
    source_lines: SourceSpan | None,
    pages: tuple[int, int] | None,
) -> str:
    """Return the citation of a text: its lines, its pages, or at least its section."""
    if source_lines is not None:
        first, last, file = source_lines
        return f"{source} {_times(first, last)}" if cites_times(format) else f"{file or source}:{_span(first, last)}"
    if _CITED_LINES.get(format) == "file":
        return f"{source}:{_span(*lines)}"
    where = f" ({' > '.join(path)})" if path else ""
    return f"{source} p. {_span(*pages)}{where}" if pages is not None else f"{source}{where}"


def cite_lines(
    source: str, format: str, path: Sequence[str], span: tuple[int, int], *, lines: LineMarks, pages: Marks
) -> str:
    """Cite the lines of a text by what its document says about them."""
    first, last = span
    return cite(
        source,
        format,
        path,
        span,
        source_lines=source_span(lines, first, last) if lines else None,
        pages=page_span(pages, first, last),
    )


def page_span(pages: Marks, first: int, last: int) -> tuple[int, int] | None:
    """Return the first and the last page that lines of a text are on, in formats with pages."""
    return (page_of(pages, first), page_of(pages, last)) if pages else None


def _span(first: int, last: int) -> str:
    return f"{first}-{last}" if last > first else f"{first}"


def _times(first: int, last: int) -> str:
    return "-".join(f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}" for second in (first, last))
