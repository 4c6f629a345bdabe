"""Guarantee 8: an id follows from the document, the path and the content, and names one chunk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from crosshead.checking.source import SourceText, broken
from crosshead.ids import chunk_id
from crosshead.types import Chunk, Violation


def check_ids(source: SourceText, chunks: Sequence[Chunk]) -> Iterator[Violation]:
    """Ids are unique and can be derived again; each chunk names its document and source."""
    document = source.document
    uses = Counter([chunk.id for chunk in chunks])
    seen: dict[tuple[tuple[str, ...], str], int] = {}
    for chunk in chunks:
        key = (chunk.section_path, chunk.content_hash)
        ordinal = seen.get(key, 0)
        seen[key] = ordinal + 1
        if uses[chunk.id] > 1:
            yield broken("ids", chunk, f"shares its id {chunk.id} with another chunk")
        if chunk.id != (right := chunk_id(document.id, *key, ordinal)):
            yield broken("ids", chunk, f"has the id {chunk.id!r}, not {right!r}")
        if chunk.document_id != document.id or chunk.source != document.source:
            yield broken("ids", chunk, f"belongs to {chunk.source!r}, not to {document.source!r}")
