"""The sections around and inside a chunk -> the titles that it can be found by."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from typing import Final

from crosshead.types import Chunk, DocumentRows, StoredChunk

SEPARATOR: Final = "\x1f"
"""Joins the titles of a chunk; no heading contains it."""

Paths = tuple[tuple[str, ...], ...]


def with_paths(rows: DocumentRows) -> Iterator[tuple[StoredChunk, Paths]]:
    """Yield every chunk with the paths of the section that it begins in and of those that begin inside it."""
    starts = [section.start for section in rows.sections]
    for stored in rows.chunks:
        first = bisect_right(starts, stored.chunk.start) - 1
        last = bisect_left(starts, stored.chunk.end)
        yield stored, tuple(section.path for section in rows.sections[max(first, 0) : last])


def titles_column(paths: Iterable[tuple[str, ...]], document_title: str = "") -> list[str]:
    """Return the distinct titles and breadcrumbs of sections and their ancestors, in lower case, for filters.

    Breadcrumbs are there with the title of the document as well, as results show them.
    """
    named = (each for path in paths for each in (*_names(path), *_below_title(document_title, path)))
    return list(dict.fromkeys(each.replace(SEPARATOR, " ").casefold() for each in named if each))


def _names(path: tuple[str, ...]) -> Iterator[str]:
    for depth, title in enumerate(path, 1):
        yield title
        yield " > ".join(path[:depth])


def _below_title(document_title: str, path: tuple[str, ...]) -> Iterator[str]:
    if document_title and path[:1] != (document_title,):
        yield as_document(document_title)
        for depth, _ in enumerate(path, 1):
            yield " > ".join((document_title, *path[:depth]))


def as_document(title: str) -> str:
    """Return a title as that of a document, which is not the title of a section."""
    return f"{title} > "


def headings_of(chunk: Chunk) -> tuple[str, ...]:
    """Return the titles that lexical search looks into: those above a chunk and inside it."""
    return tuple(dict.fromkeys((*chunk.full_path, *chunk.inner_headings)))
