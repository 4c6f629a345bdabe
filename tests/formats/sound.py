"""Reading that also proves that the result can be cut and checked."""

from __future__ import annotations

import crosshead
from crosshead import Document
from crosshead.pipeline import read


def read_soundly(data: bytes | str, format: str, source: str = "file") -> Document:
    """Read a document, and cut and check it on the way."""
    document = read(data.encode() if isinstance(data, str) else data, format, source=source)
    report = crosshead.check(document, crosshead.chunk(document))
    assert report.ok, [each.message for each in report.violations]
    return document


def kinds(document: Document) -> list[str]:
    """The kinds of the blocks in order."""
    return [block.kind for block in document.blocks]


def headings(document: Document) -> list[tuple[int, str]]:
    """Levels and titles of the headings."""
    return [(block.level, block.title) for block in document.blocks if block.kind == "heading"]
