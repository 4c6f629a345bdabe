"""The protocols of all stores: what reads an index, and what writes one as well."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from crosshead.types.chunk import Chunk
from crosshead.types.embedding import Vectors
from crosshead.types.link import DocumentLinks
from crosshead.types.search import Filter
from crosshead.types.status import Finding, StoreContents, StoredSizes
from crosshead.types.storage import (
    Candidate,
    DocumentProperty,
    DocumentRows,
    EmbedChunks,
    EncodedRows,
    EncodeRows,
    IndexVectors,
    ListedDocument,
    StoredDocument,
    StoredSection,
)
from crosshead.types.word_statistics import WordStatistics


class ReadableStore(Protocol):
    """Searches documents with their sections, chunks and vectors, and looks them up.

    Several of them can be searched as one. Ids that do not exist are left out of every result.
    """

    @property
    def location(self) -> str:
        """The folder or URL of the index, without credentials."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings that the index was created with."""

    def check_current(self) -> None:
        """Raise `IndexChanged` if other rows took the place of those that this store reads."""

    # looking up

    def document_revisions(self) -> dict[str, str]:
        """Return the revision of every document by source."""

    def documents(self, ids: Sequence[str]) -> list[StoredDocument]:
        """Return documents with their texts, in the order of `ids`."""

    def list_documents(self, ids: Sequence[str]) -> list[ListedDocument]:
        """Return the sizes and counts of documents, sorted by source, without reading their texts."""

    def known_documents(self, ids: Sequence[str]) -> Collection[str]:
        """Return those of some ids that documents have."""

    def sections(self, ids: Sequence[str]) -> list[StoredSection]:
        """Return sections in the order of `ids`."""

    def subsections(self, parent_ids: Sequence[str]) -> list[StoredSection]:
        """Return the direct subsections of some sections, in document order."""

    def chunks(self, ids: Sequence[str]) -> list[Chunk]:
        """Return chunks in the order of `ids`."""

    def section_chunks(self, section_ids: Sequence[str]) -> list[Chunk]:
        """Return the chunks that begin in some sections, without those of subsections, in document order."""

    def document_links(self, ids: Sequence[str]) -> list[DocumentLinks]:
        """Return the links and anchors of documents, in the order of `ids`, without those that have none stored."""

    def linked_documents(self, keys: Sequence[str], limit: int) -> list[DocumentLinks]:
        """Return up to `limit` documents that have one of some `DocumentLinks.keys`, by source."""

    def ids_starting_with(self, beginning: str, limit: int) -> list[str]:
        """Return up to `limit` ids of chunks and sections that start with some characters, sorted."""

    def complete_titles(self, beginning: str, limit: int) -> list[str]:
        """Return up to `limit` section titles that contain a word starting with `beginning`, ignoring case."""

    def count_languages(self) -> Mapping[str, int]:
        """Return the number of documents by language code; `StoredDocument.language` explains the codes."""

    def distinct_values(self, name: DocumentProperty) -> list[str]:
        """Return the distinct values of a property of documents, sorted."""

    def count_pending(self) -> int:
        """Return the number of pending chunks; faster than `contents`."""

    def contents(self) -> StoreContents:
        """Return how much the store holds."""

    def size_bytes(self) -> int:
        """Return the space that the index takes."""

    def sizes(self) -> StoredSizes:
        """Return what this space is taken by; a database estimates it from a sample of its rows."""

    # stored vectors

    def known_vectors(self, text_hashes: Sequence[str]) -> dict[str, Vectors]:
        """Return stored vectors by the hash of their text."""

    def known_token_vectors(self, text_hashes: Sequence[str]) -> dict[str, tuple[bytes, ...]]:
        """Return stored token vectors, one entry per piece, by the hash of their text."""

    # searching

    def matches_any(self, filter: Filter) -> bool:
        """Return whether a filter leaves anything to search."""

    def search_dense(self, vector: Vectors, limit: int, filter: Filter) -> list[Candidate]:
        """Return the chunks nearest to a vector, best first, with their cosines."""

    def search_lexical(
        self,
        words: Sequence[str],
        limit: int,
        filter: Filter,
        *,
        heading_weight: float,
        statistics: WordStatistics | None = None,
    ) -> list[Candidate]:
        """Return the best chunks by BM25 over text and headings, best first, with scores as a share of the maximum.

        `heading_weight`: weight of a word in headings; in the text it is 1.
        `statistics`: score as in an index with these statistics, of which this one is a part.
        """

    def word_statistics(self, words: Sequence[str]) -> WordStatistics:
        """Return how frequent words are: what others add to theirs to score as one index."""

    def rarities(self, words: Sequence[str]) -> list[float]:
        """Return how rare words are in the index: the weight (IDF) of each in BM25."""

    def close(self) -> None:
        """Close files and connections."""

    def index_of(self, id: str) -> str:
        """Return which of several indexes a document or chunk was read from; empty if there is only one."""


class Store(ReadableStore, Protocol):
    """Stores documents with their sections, chunks and vectors, and searches them.

    Callers write while they hold `lock`. Readers need no lock: `replace_documents` is atomic, so that a reader sees
    all old rows of a document or all new ones.
    """

    # writing

    def lock(
        self, wait_seconds: float = 0, *, index_vectors: IndexVectors | None = None
    ) -> AbstractContextManager[None]:
        """Take the write lock, or raise `Locked` after `wait_seconds`; returns at once if several may write.

        A store may have `index_vectors` build a large vector index while the lock is held.
        """

    def change_setting(self, name: str, value: Any) -> None:
        """Store a setting; None removes it."""

    # changing the settings: the lock is held but for the first two

    def reopened(self) -> Store:
        """Return the store as it is after a change of its settings."""

    def unfinished_change(self) -> Mapping[str, Any] | None:
        """Return the settings that an unfinished change would give the index, or None."""

    def begin_change(self, settings: Mapping[str, Any]) -> Store:
        """Return a store for the rows that will replace these; it holds what an interrupted change has made.

        It is not locked, and nobody reads it.
        """

    def finish_change(self, changed: Store, settings: Mapping[str, Any]) -> bool:
        """Put the rows and settings of a change in the place of these, in one commit.

        Return False if they lack documents that another process wrote meanwhile; then nothing is done.
        """

    def discard_change(self) -> None:
        """Remove what an unfinished change has made."""

    # writing documents

    def replace_documents(self, documents: Sequence[DocumentRows | EncodedRows]) -> Sequence[str]:
        """Write documents, replacing all rows of those that exist; return notes for the user."""

    def encoder(self) -> EncodeRows:
        """Return what encodes rows for `replace_documents`; it raises `Unstorable` if a document cannot be stored."""

    def delete_documents(self, ids: Sequence[str]) -> None:
        """Remove documents with all their rows."""

    def set_languages(self, languages: Mapping[str, str]) -> None:
        """Set the language of documents by id, and rebuild their words for lexical search."""

    def embed_pending(self, limit: int, embed: EmbedChunks, *, skip: Collection[str] = ()) -> int:
        """Embed up to `limit` pending chunks, but none in `skip`, and commit the results; return how many were tried.

        If several processes may write, each gets different chunks.
        """

    def reset_failed(self) -> None:
        """Make failed chunks pending again."""

    def maintain(self, *, thoroughly: bool = False) -> None:
        """Build and refresh search indexes and free space; `thoroughly` does all that can be done."""

    # reusing vectors

    def known_text_hashes(self) -> list[str]:
        """Return the hashes of all texts that have vectors."""

    # upkeep

    def inspect(self) -> Iterator[Finding]:
        """Look for damaged files and orphaned rows, with the write lock held."""
