"""Copy the documents of a store, with sections, chunks and vectors, into another store of any kind.

The target is marked as unfinished until the last commit, so that an interrupted copy is not taken for a complete one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from crosshead import ids
from crosshead.errors import StoreError
from crosshead.types import Chunk, DocumentRows, Store, StoredChunk, StoredSection

DOCUMENTS_AT_ONCE: Final = 100
UNFINISHED_COPY: Final = "unfinished_copy_of"
"""The setting of an unfinished copy: the index that it is a copy of."""

OnCopied = Callable[[int, int], None]
"""Called with the number of documents copied so far, and of all."""


def check_target(target: Store, source: str) -> None:
    """Raise an error unless a store is empty, or an unfinished copy of `source`."""
    copied = target.settings.get(UNFINISHED_COPY)
    if copied and copied != source:
        raise StoreError(f"{target.location}: an unfinished copy of {copied}: finish it, or copy to another location")
    if not copied and target.contents().documents:
        raise StoreError(f"{target.location}: there are documents already; copy to a new location, or remove it first")


def copy_documents(
    store: Store, target: Store, source: str, text_hash: Callable[[Chunk], str], on_progress: OnCopied | None = None
) -> int:
    """Copy all documents between stores whose locks are held; return their number.

    `text_hash` returns the hash that the vectors of a chunk are stored under. Documents that an interrupted copy wrote
    are kept unless they have changed.
    """
    revisions = store.document_revisions()
    if not target.settings.get(UNFINISHED_COPY):
        target.change_setting(UNFINISHED_COPY, source)
    missing = [ids.document_id(each) for each in sorted(_missing(target, revisions))]
    for first in range(0, len(missing), DOCUMENTS_AT_ONCE):
        batch = missing[first : first + DOCUMENTS_AT_ONCE]
        target.replace_documents(read_documents(store, batch, text_hash))
        if on_progress:
            on_progress(len(revisions) - len(missing) + first + len(batch), len(revisions))
    target.maintain()
    target.change_setting(UNFINISHED_COPY, None)
    return len(revisions)


def _missing(target: Store, revisions: Mapping[str, str]) -> set[str]:
    """Return the sources to copy; remove documents that the source index no longer has."""
    copied = target.document_revisions()
    target.delete_documents([ids.document_id(each) for each in copied if each not in revisions])
    unchanged = [each for each in copied if copied[each] == revisions.get(each)]
    listed = target.list_documents([ids.document_id(each) for each in unchanged])
    return {*revisions} - {each.source for each in listed if not each.pending}


def read_documents(store: Store, document_ids: Sequence[str], text_hash: Callable[[Chunk], str]) -> list[DocumentRows]:
    """Return all rows of documents, with their vectors."""
    return with_known_vectors(store, read_rows(store, document_ids, text_hash))


def read_rows(store: Store, document_ids: Sequence[str], text_hash: Callable[[Chunk], str]) -> list[DocumentRows]:
    """Return all rows of documents, without vectors."""
    sections = defaultdict(list)
    for section in _sections(store, document_ids):
        sections[section.document_id].append(section)
    chunks = defaultdict(list)
    for chunk in store.section_chunks([each.id for group in sections.values() for each in group]):
        chunks[chunk.document_id].append(StoredChunk(chunk, text_hash(chunk), None))
    links = {each.document_id: each for each in store.document_links(document_ids)}
    return [
        DocumentRows(document, tuple(sections[document.id]), tuple(chunks[document.id]), links.get(document.id))
        for document in store.documents(document_ids)
    ]


def _sections(store: Store, document_ids: Sequence[str]) -> list[StoredSection]:
    """Return the sections in document order; takes one query per level, from the roots down."""
    level = store.sections([ids.section_id(each, (), 0) for each in document_ids])
    found = [*level]
    while level:
        level = store.subsections([section.id for section in level])
        found += level
    return sorted(found, key=lambda section: (section.start, section.level))


def with_known_vectors(store: Store, rows: Sequence[DocumentRows]) -> list[DocumentRows]:
    """Return rows with the vectors that a store has for their texts."""
    hashes = {each.text_hash for document in rows for each in document.chunks if each.chunk.indexable}
    vectors = store.known_vectors([*hashes])
    tokens = store.known_token_vectors([*vectors])

    def filled(stored: StoredChunk) -> StoredChunk:
        known = stored.text_hash
        return stored._replace(vectors=vectors.get(known), token_vectors=tokens.get(known, ()))

    return [document._replace(chunks=tuple(map(filled, document.chunks))) for document in rows]
