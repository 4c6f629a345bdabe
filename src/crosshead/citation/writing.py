"""Spans -> citations, each as short as it can be and still lead to the text.

| format                    | citation                      |
|---------------------------|-------------------------------|
| text with lines, CSV      | `guide.md:8-16`               |
| PDF                       | `report.pdf p. 39`            |
| presentations             | `deck.pptx slide 3`           |
| workbooks                 | `figures.xlsx Revenue!A2:D9`  |
| subtitles                 | `talk.srt 00:12:30-00:14:10`  |
| everything else           | `spec.docx (Scope > Limits)`  |
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from crosshead.citation.spans import LineMarks, Marks, SourceSpan, cited_span, cites, page_span

PATH_SEPARATOR: Final = " > "
_is_plain_name = re.compile(r"[^\W\d][\w.]*").fullmatch
_is_cell = re.compile(r"[A-Za-z]{1,3}\d+").fullmatch


def cite(
    source: str,
    format: str,
    path: Sequence[str],
    lines: tuple[int, int],
    *,
    source_lines: SourceSpan | None,
    pages: tuple[int, int] | None,
) -> str:
    """Return the citation of a text: its lines, times, cells or pages, or at least its section."""
    unit = cites(format)
    if source_lines is not None:
        first, last, file = source_lines
        if unit == "times":
            return f"{source} {_span(_time(first), _time(last))}"
        if unit == "cells" and file:
            return f"{source} {_cells(file, first, last)}"
        return f"{file or source}:{_span(first, last)}"
    if unit == "file":
        return f"{source}:{_span(*lines)}"
    if pages is not None:
        return f"{source} {'slide' if unit == 'slides' else 'p.'} {_span(*pages)}"
    return f"{source} ({PATH_SEPARATOR.join(path)})" if path else source


def cite_lines(
    source: str, format: str, path: Sequence[str], span: tuple[int, int], *, lines: LineMarks, pages: Marks
) -> str:
    """Cite the lines of a text by what its document says about them."""
    return cite(
        source,
        format,
        path,
        span,
        source_lines=cited_span(format, lines, *span),
        pages=page_span(pages, *span),
    )


def area_of(sheet: str, left: str, right: str) -> str:
    """Return columns of a sheet as a spreadsheet names them: `Revenue!A:D`, `'Q1 2026'!B:B`."""
    name = sheet if _is_plain_name(sheet) and not _is_cell(sheet) else "'{}'".format(sheet.replace("'", "''"))
    return f"{name}!{left}:{right}"


def _span(first: int | str, last: int | str) -> str:
    return f"{first}-{last}" if last != first else f"{first}"


def _time(second: int) -> str:
    return f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}"


def _cells(area: str, top: int, bottom: int) -> str:
    """Return cells as a spreadsheet names them; `area` is the sheet with its columns."""
    sheet, _, columns = area.rpartition("!")
    left, _, right = columns.partition(":")
    first, last = f"{left}{top}", f"{right}{bottom}"
    return f"{sheet}!{first}:{last}" if first != last else f"{sheet}!{first}"
