"""Lines of a document's text -> the lines, pages or sections that a person can open.

`pages` are (first line, page) and `lines` (first line, line of the file), both in order. Subtitles are found by their
time: their `lines` are seconds.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from operator import itemgetter
from typing import Final

Marks = Sequence[tuple[int, int]]

FORMATS_WITH_LINES: Final = frozenset(("markdown", "mdx", "text"))
"""Formats whose file has the same lines as `Document.text`, so that a citation can name them."""
FORMATS_WITH_TIMES: Final = frozenset(("subtitles",))
"""Formats whose `lines` are seconds of a recording."""


def page_of(pages: Marks, line: int) -> int:
    """Return the page that a line of the text is on."""
    return pages[max(0, bisect_right(pages, line, key=itemgetter(0)) - 1)][1]


def source_line(lines: Marks, line: int) -> int:
    """Return the line of the file that a line of the text comes from.

    Both run side by side from one entry of `lines` to the next, but never past the line that the next one names.
    """
    at = bisect_right(lines, line, key=itemgetter(0)) - 1
    if at < 0:
        return line
    first, source = lines[at]
    last = lines[at + 1][1] - 1 if at + 1 < len(lines) else source + line - first
    return min(source + line - first, max(source, last))


def source_span(lines: Marks, first: int, last: int) -> tuple[int, int]:
    """Return the lines of the file that some lines of the text come from.

    A record of a file may be several lines there and one here: it ends where the next one begins.
    """
    start = source_line(lines, first)
    return start, max(start, source_line(lines, last), source_line(lines, last + 1) - 1)


def cite(
    source: str,
    format: str,
    path: Sequence[str],
    lines: tuple[int, int],
    *,
    source_lines: tuple[int, int] | None,
    pages: tuple[int, int] | None,
) -> str:
    """Return where a person finds a text: lines, pages or at least the section."""
    if source_lines is not None:
        return (
            f"{source} {_times(*source_lines)}" if format in FORMATS_WITH_TIMES else f"{source}:{_span(*source_lines)}"
        )
    if format in FORMATS_WITH_LINES:
        return f"{source}:{_span(*lines)}"
    where = f" ({' > '.join(path)})" if path else ""
    return f"{source} p. {_span(*pages)}{where}" if pages is not None else f"{source}{where}"


def cite_lines(
    source: str, format: str, path: Sequence[str], span: tuple[int, int], *, lines: Marks, pages: Marks
) -> str:
    """Cite the lines of a text by what its document says about them."""
    first, last = span
    return cite(
        source,
        format,
        path,
        span,
        source_lines=source_span(lines, first, last) if lines else None,
        pages=(page_of(pages, first), page_of(pages, last)) if pages else None,
    )


def _span(first: int, last: int) -> str:
    return f"{first}-{last}" if last > first else f"{first}"


def _times(first: int, last: int) -> str:
    return "-".join(f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}" for second in (first, last))
