"""A document for readers: its blocks, each with its place in the file, small enough to be shown one by one.

A long list is cut between its items, any other long block between its lines, and a very long line between words.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from crosshead import citation
from crosshead.formats import has_pages
from crosshead.markdown import outline_document
from crosshead.types import Block, Document

MOST_LINES: Final = 60
MOST_CHARACTERS: Final = 6_000

Span = tuple[int, int, int]
"""First line, start and end."""


def describe_blocks(document: Document, no_original: str = "") -> object:
    """Return the text of a document with its blocks, its outline, and why its file cannot be returned, if so."""
    return {
        "id": document.id,
        "source": document.source,
        "format": document.format,
        "title": document.title,
        "content_hash": document.content_hash,
        "characters": len(document.text),
        "text": document.text,
        "no_original": no_original,
        "has_pages": not no_original and has_pages(document.format),
        "outline": outline_document(document).to_json(),
        "blocks": [each for block in document.blocks for each in _describe(document, block)],
    }


def _describe(document: Document, block: Block) -> Iterator[dict[str, Any]]:
    for line, start, end in _cut(document.text, block):
        continues = start > block.start
        yield {
            "kind": block.kind,
            "start": start,
            "end": end,
            "line": line,
            "place": _place(document, line),
            "prefix": _fence(document.text, block) if continues else "",
            "continues": continues,
        }


def _place(document: Document, line: int) -> str:
    """Return where a line is, as a citation names it: `12`, `p. 3`, `slide 2`; empty where only sections are cited."""
    lines, pages = document.lines, document.pages
    cited = citation.cite_lines("", document.format, (), (line, line), lines=lines, pages=pages, section_id="")
    return cited.lstrip(" :")


def _fence(text: str, block: Block) -> str:
    """Return the line that opens a fence, so that a later part of it is code as well."""
    first = text[block.start : block.end].partition("\n")[0]
    return f"{first}\n" if block.kind == "code" and first.lstrip().startswith(("```", "~~~")) else ""


def _cut(text: str, block: Block) -> Iterator[Span]:
    """Yield the parts of a block; most blocks are one."""
    line, start, end = block.start_line, block.start, block.start
    last_line = line
    for each, from_, to in _units(text, block):
        is_full = each - line >= MOST_LINES or to - start > MOST_CHARACTERS
        if is_full and end > start:
            yield line, start, end
            line, start = each, from_
        last_line, end = each, to
    if end > start or last_line == line:
        yield line, start, end


def _units(text: str, block: Block) -> Iterator[Span]:
    """Yield what is not cut: the items of a list, or else lines."""
    item_starts = {first for first, _ in block.items}
    unit: Span | None = None
    for line, start, end in _lines(text, block):
        if unit and item_starts and line not in item_starts:
            unit = (unit[0], unit[1], end)
            continue
        if unit:
            yield unit
        unit = (line, start, end)
    if unit:
        yield unit


def _lines(text: str, block: Block) -> Iterator[Span]:
    """Yield the lines of a block; one that is very long in several parts."""
    line, start = block.start_line, block.start
    while start <= block.end:
        newline = text.find("\n", start, block.end)
        end = block.end if newline < 0 else newline
        while end - start > MOST_CHARACTERS and block.kind != "table":
            space = text.rfind(" ", start, start + MOST_CHARACTERS)
            middle = space + 1 if space > start else start + MOST_CHARACTERS
            yield line, start, middle
            start = middle
        yield line, start, end
        line, start = line + 1, end + 1
