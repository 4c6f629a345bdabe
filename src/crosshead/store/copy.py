"""One store -> another: documents with their sections, chunks and vectors.

Only what every store can do is used, so that any kind of store can be copied into any other. The target is marked as
unfinished from its first commit to its last, so that a copy that was killed is not taken for the whole.
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
"""The setting that names the index that is being copied."""

OnCopied = Callable[[int, int], None]
"""Is told how many documents were copied so far, and how many there are."""


def check_target(target: Store, source: str) -> None:
    """Raise an error unless a store is empty, or an unfinished copy of the index `source`."""
    copied = target.settings.get(UNFINISHED_COPY)
    if copied and copied != source:
        raise StoreError(f"{target.location}: an unfinished copy of {copied}: finish it, or copy to another place")
    if not copied and target.contents().documents:
        raise StoreError(f"{target.location}: there are documents already; copy into a new place, or remove it first")


def copy_documents(
    store: Store, target: Store, source: str, text_hash: Callable[[Chunk], str], on_progress: OnCopied | None = None
) -> int:
    """Copy all documents between stores whose locks are held; `text_hash` is what a chunk's vector is known by.

    Documents that an interrupted copy wrote are kept if they still are those of the source.
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
    """Return the sources whose documents have to be copied; remove what the source no longer has."""
    copied = target.document_revisions()
    target.delete_documents([ids.document_id(each) for each in copied if each not in revisions])
    unchanged = [each for each in copied if copied[each] == revisions.get(each)]
    listed = target.list_documents([ids.document_id(each) for each in unchanged])
    return {*revisions} - {each.source for each in listed if not each.pending}


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
    tokens = store.known_token_vectors([*vectors])
    return [
        StoredChunk(chunk, each, vectors.get(each), tokens.get(each, ()))
        for chunk, each in zip(chunks, hashes, strict=True)
    ]
