"""Verify the documents of a store of any kind.

Documents are read as a search reads them. A text must match its hash, chunks must be slices of the text with valid
links, and vectors must have the dimension and the length that the model gives them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final

from crosshead import ids
from crosshead.store.copy import read_documents
from crosshead.types import Chunk, DocumentRows, Finding, Store, StoredChunk, Vectors

DOCUMENTS_AT_ONCE: Final = 100
REPLACED: Final = "\ufffd"
LENGTH_TOLERANCE: Final = 1e-3
"""How far the length of a vector may be from 1."""

TextHash = Callable[[Chunk], str]


def inspect_documents(store: Store, text_hash: TextHash) -> Iterator[Finding]:
    """Verify all documents; `text_hash` returns the hash that the vectors of a chunk are stored under."""
    sources = store.document_revisions()
    for batch in _batches(sorted(sources)):
        found = read_documents(store, [ids.document_id(source) for source in batch], text_hash)
        readable = {rows.document.source for rows in found}
        for source in batch:
            if source not in readable:
                yield _in_document(source, "cannot be read")
        for rows in found:
            yield from (
                _in_document(rows.document.source, what)
                for what in islice(_faults(rows, store.settings["dimension"]), 1)
            )


def _in_document(source: str, what: str) -> Finding:
    return Finding(f"{source}: {what}", f"crosshead remove {source}, and index it again")


def _faults(rows: DocumentRows, dimension: int) -> Iterator[str]:
    document = rows.document
    if not _is_hash(document.content_hash, document.text):
        yield "its text is not the one that was indexed"
    if not rows.sections:
        yield "it has no sections"
    known = {stored.chunk.id for stored in rows.chunks}
    sections = {section.id for section in rows.sections}
    for stored in rows.chunks:
        yield from _chunk_faults(stored.chunk, document.text, known, sections)
        if stored.vectors is not None:
            yield from (f"{stored.chunk.citation}: {what}" for what in _vector_faults(stored.vectors, dimension))


def _chunk_faults(chunk: Chunk, text: str, known: set[str], sections: set[str]) -> Iterator[str]:
    if text[chunk.start : chunk.end] != chunk.content:
        yield f"{chunk.citation}: the chunk {chunk.id} is not a slice of its document"
    if not _is_hash(chunk.content_hash, chunk.content):
        yield f"{chunk.citation}: the text of the chunk {chunk.id} is not the one that was indexed"
    links = {chunk.parent_chunk_id, chunk.prev_id, chunk.next_id, *chunk.sibling_chunk_ids} - {None}
    if not links <= known or chunk.section_id not in sections:
        yield f"{chunk.citation}: the chunk {chunk.id} is linked with something that does not exist"


def _is_hash(hash: str, text: str) -> bool:
    """Return whether a hash may be that of a text: imported documents have none, and characters that the store could
    not keep were replaced after hashing."""
    return not hash or ids.content_hash(text) == hash or REPLACED in text


def _vector_faults(vectors: Vectors, dimension: int) -> Iterator[str]:
    import numpy as np

    if vectors.shape[-1] != dimension:
        yield f"its vectors have {vectors.shape[-1]} numbers, not {dimension}"
    elif not np.isfinite(vectors).all():
        yield "a vector holds a value that is not a finite number"
    elif np.abs(np.linalg.norm(vectors, axis=1) - 1).max() > LENGTH_TOLERANCE:
        yield "a vector does not have the length 1"


def sample_chunks(store: Store, text_hash: TextHash, size: int) -> list[StoredChunk]:
    """Return up to `size` chunks with vectors, spread over the documents."""
    sources = sorted(store.document_revisions())
    chosen = sources[:: max(1, len(sources) // size)][:size]
    found = read_documents(store, [ids.document_id(source) for source in chosen], text_hash)
    with_vectors = [[each for each in rows.chunks if each.vectors is not None] for rows in found]
    return [group[len(group) // 2] for group in with_vectors if group]


def _batches(sources: Sequence[str]) -> Iterator[Sequence[str]]:
    for at in range(0, len(sources), DOCUMENTS_AT_ONCE):
        yield sources[at : at + DOCUMENTS_AT_ONCE]
