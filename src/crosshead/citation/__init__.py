"""Citations: where a person finds a text, as one short address that can be read back.

spans    lines of a document's text -> lines, times or cells of its file, or pages
writing  spans -> `guide.md:8-16`, `report.pdf p. 39`, `figures.xlsx Revenue!A2:D9`
parsing  such an address -> spans, and spans -> lines of a document's text
"""

from crosshead.citation.parsing import cited_lines, parse_citation
from crosshead.citation.spans import (
    CitedLines,
    LineMark,
    LineMarks,
    SourceSpan,
    cited_span,
    cites,
    declare_lines,
    page_of,
    page_span,
    source_line,
    source_span,
)
from crosshead.citation.writing import PATH_SEPARATOR, Citation, area_of, cite, cite_lines, section_address

__all__ = [
    "PATH_SEPARATOR",
    "Citation",
    "CitedLines",
    "LineMark",
    "LineMarks",
    "SourceSpan",
    "area_of",
    "cite",
    "cite_lines",
    "cited_lines",
    "cited_span",
    "cites",
    "declare_lines",
    "page_of",
    "page_span",
    "parse_citation",
    "section_address",
    "source_line",
    "source_span",
]
