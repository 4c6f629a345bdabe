"""One store -> another: documents with their sections, chunks and vectors.

Only what every store can do is used, so that any kind of store can be copied into any other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Final

from crosshead import ids
from crosshead.model import Chunk, DocumentRows, Store, StoredChunk, StoredSection

DOCUMENTS_AT_ONCE: Final = 100

OnCopied = Callable[[int, int], None]
"""Is told how many documents were copied so far, and how many there are."""


def copy_documents(
    source: Store, target: Store, text_hash: Callable[[Chunk], str], on_progress: OnCopied | None = None
) -> int:
    """Copy all documents between stores whose locks are held; `text_hash` is what a chunk's vector is known by."""
    document_ids = [ids.document_id(each) for each in sorted(source.document_revisions())]
    for first in range(0, len(document_ids), DOCUMENTS_AT_ONCE):
        batch = document_ids[first : first + DOCUMENTS_AT_ONCE]
        target.replace_documents(read_documents(source, batch, text_hash))
        if on_progress:
            on_progress(first + len(batch), len(document_ids))
    target.maintain()
    return len(document_ids)


def read_documents(store: Store, document_ids: Sequence[str], text_hash: Callable[[Chunk], str]) -> list[DocumentRows]:
    """Return everything that a store keeps of documents."""
    sections = defaultdict(list)
    for section in _sections(store, document_ids):
        sections[section.document_id].append(section)
    chunks = defaultdict(list)
    for stored in _chunks(store, [each.id for group in sections.values() for each in group], text_hash):
        chunks[stored.chunk.document_id].append(stored)
    return [
        DocumentRows(document, tuple(sections[document.id]), tuple(chunks[document.id]))
        for document in store.documents(document_ids)
    ]


def _sections(store: Store, document_ids: Sequence[str]) -> list[StoredSection]:
    """Return the sections in the order of the text: one query per level, from the roots downwards."""
    level = store.sections([ids.section_id(each, (), 0) for each in document_ids])
    found = [*level]
    while level:
        level = store.subsections([section.id for section in level])
        found += level
    return sorted(found, key=lambda section: (section.start, section.level))


def _chunks(store: Store, section_ids: Sequence[str], text_hash: Callable[[Chunk], str]) -> list[StoredChunk]:
    chunks = store.section_chunks(section_ids)
    hashes = [text_hash(chunk) for chunk in chunks]
    vectors = store.known_vectors([each for chunk, each in zip(chunks, hashes, strict=True) if chunk.indexable])
    tokens = store.known_tokens([*vectors])
    return [
        StoredChunk(chunk, each, vectors.get(each), tokens.get(each, ()))
        for chunk, each in zip(chunks, hashes, strict=True)
    ]
