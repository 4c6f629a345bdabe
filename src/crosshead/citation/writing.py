"""Spans -> citations, each as short as it can be and still lead to the text.

| format                 | citation                      |
|------------------------|-------------------------------|
| text with lines, CSV   | `guide.md:8-16`               |
| PDF                    | `report.pdf p. 39`            |
| presentations          | `deck.pptx slide 3`           |
| workbooks              | `figures.xlsx Revenue!A2:D9`  |
| subtitles              | `talk.srt 00:12:30-00:14:10`  |
| everything else        | `spec.docx (Scope > Limits)`  |

The second section with the same path is `(Scope > Limits #2)`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from crosshead import ids
from crosshead.citation.spans import LineMarks, Marks, SourceSpan, cited_span, cites, page_span

PATH_SEPARATOR: Final = " > "
Unit = Literal["lines", "pages", "slides", "times", "cells", "text", ""]
"""What the numbers of a citation count; "text" counts the lines of the document as Markdown."""

_is_plain_name = re.compile(r"[^\W\d][\w.]*").fullmatch
_is_cell = re.compile(r"[A-Za-z]{1,3}\d+").fullmatch


class Citation(NamedTuple):
    """Where a text is: a source, and a span or a section of it; the whole document without either."""

    source: str
    unit: Unit = ""
    first: int = 0
    last: int = 0
    area: str = ""
    """The sheet and the columns of cells: `Revenue!A:D`."""
    section: str = ""
    """The address of a section: `Scope > Limits`."""

    def __str__(self) -> str:
        return f"{self.source}{self.position}"

    @property
    def position(self) -> str:
        """What follows the source."""
        first, last = self.first, self.last
        match self.unit:
            case "lines" | "text":
                return f":{_span(first, last)}"
            case "pages":
                return f" p. {_span(first, last)}"
            case "slides":
                return f" slide {_span(first, last)}"
            case "times":
                return f" {_span(_time(first), _time(last))}"
            case "cells":
                return f" {_cells(self.area, first, last)}"
        return f" ({self.section})" if self.section else ""


def cite(
    source: str,
    format: str,
    path: Sequence[str],
    lines: tuple[int, int],
    *,
    source_lines: SourceSpan | None,
    pages: tuple[int, int] | None,
    section_id: str,
) -> str:
    """Return the citation of a text: its lines, times, cells or pages, or at least its section."""
    unit = cites(format)
    if source_lines is not None:
        first, last, file = source_lines
        if unit == "times":
            return str(Citation(source, "times", first, last))
        if unit == "cells" and file:
            return str(Citation(source, "cells", first, last, file))
        return str(Citation(file or source, "lines", first, last))
    if unit == "file":
        return str(Citation(source, "lines", *lines))
    if pages is not None:
        return str(Citation(source, "slides" if unit == "slides" else "pages", *pages))
    ordinal = ids.section_ordinal(ids.document_id(source), tuple(path), section_id) if path and section_id else 0
    return str(Citation(source, section=section_address(path, ordinal)))


def section_address(path: Sequence[str], ordinal: int) -> str:
    """Return what a citation calls a section; `ordinal` counts the earlier ones with the same path."""
    return PATH_SEPARATOR.join(path) + (f" #{ordinal + 1}" if ordinal else "")


def cite_lines(
    source: str,
    format: str,
    path: Sequence[str],
    span: tuple[int, int],
    *,
    lines: LineMarks,
    pages: Marks,
    section_id: str,
) -> str:
    """Cite the lines of a text by what its document says about them."""
    return cite(
        source,
        format,
        path,
        span,
        source_lines=cited_span(format, lines, *span),
        pages=page_span(pages, *span),
        section_id=section_id,
    )


def area_of(sheet: str, left: str, right: str) -> str:
    """Return columns of a sheet as a spreadsheet names them: `Revenue!A:D`, `'Q1 2026'!B:B`."""
    name = sheet if _is_plain_name(sheet) and not _is_cell(sheet) else "'{}'".format(sheet.replace("'", "''"))
    return f"{name}!{left}:{right}"


def sheet_of(area: str) -> str:
    """Return the name of the sheet in an area."""
    name = area.rpartition("!")[0]
    return name[1:-1].replace("''", "'") if name.startswith("'") else name


def _span(first: int | str, last: int | str) -> str:
    return f"{first}-{last}" if last != first else f"{first}"


def _time(second: int) -> str:
    return f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}"


def _cells(area: str, top: int, bottom: int) -> str:
    """Return cells as a spreadsheet names them."""
    sheet, _, columns = area.rpartition("!")
    left, _, right = columns.partition(":")
    first, last = f"{left}{top}", f"{right}{bottom}"
    return f"{sheet}!{first}:{last}" if first != last else f"{sheet}!{first}"
