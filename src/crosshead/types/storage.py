"""The rows of a store, and the protocol of all stores."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final, Literal, NamedTuple, Protocol, TypeAlias

from crosshead.citation import LineMarks
from crosshead.types.chunk import Chunk
from crosshead.types.embedding import Vectors
from crosshead.types.search import Filter
from crosshead.types.status import Finding, StoreContents, StoredSizes

HAS_TOKEN_VECTORS: Final = "token_signs"
"""The setting that says whether an index stores token vectors, which MaxSim compares."""


TEXT_REVISION: Final = "text:"
"""Starts the revision of a document that has no file: it was given as text, or imported."""


class StoredDocument(NamedTuple):
    """A document in a store."""

    id: str
    source: str
    format: str
    title: str
    text: str
    revision: str
    """Changes with the content, the options and the model; if it is equal, the document is unchanged."""
    content_hash: str
    date: str
    """YYYY-MM-DD: from the front matter, else the date of the file; empty if neither is known."""
    metadata: Mapping[str, Any]
    pages: tuple[tuple[int, int], ...] = ()
    """As in `Document`, so that a citation can name pages, or lines of the file."""
    lines: LineMarks = ()
    language: str = ""
    """ISO 639 code of the language that its words are stemmed in; `und` if it could not be detected, empty if it was
    indexed before Crosshead detected languages."""


class ListedDocument(NamedTuple):
    """An entry in the list of documents of an index."""

    source: str
    format: str
    date: str
    characters: int
    """Length of its text as Markdown."""
    chunks: int
    pending: int
    """Chunks that have no vector yet."""
    failed: int = 0
    """Chunks that could not be embedded."""
    language: str = ""
    """As in `StoredDocument`, like the next three."""
    title: str = ""
    content_hash: str = ""
    metadata: Mapping[str, Any] = {}


class StoredSection(NamedTuple):
    """A section in a store."""

    id: str
    parent_id: str | None
    document_id: str
    title: str
    level: int
    path: tuple[str, ...]
    start: int
    end: int
    start_line: int
    end_line: int


class StoredChunk(NamedTuple):
    """A chunk with its vectors."""

    chunk: Chunk
    text_hash: str
    """Hash of the text that is embedded; an equal text reuses the vectors."""
    vectors: Vectors | None
    """One row per piece; None while the chunk is pending."""
    token_vectors: tuple[bytes, ...] = ()
    """The token vectors of each piece, as the embedder encodes them; empty if the index stores none."""


class DocumentRows(NamedTuple):
    """All rows of one document."""

    document: StoredDocument
    sections: tuple[StoredSection, ...]
    chunks: tuple[StoredChunk, ...]

    @property
    def id(self) -> str:
        """The id of the document."""
        return self.document.id

    @property
    def chunk_count(self) -> int:
        """How many chunks the document has."""
        return len(self.chunks)

    @property
    def waiting(self) -> dict[str, str]:
        """The chunks without vectors that are to have some, with the hashes of their texts."""
        return {each.chunk.id: each.text_hash for each in self.chunks if each.chunk.indexable and each.vectors is None}

    @property
    def source(self) -> str:
        """The source of the document."""
        return self.document.source

    @property
    def revision(self) -> str:
        """The revision of the document."""
        return self.document.revision

    def encoded_as(self, rows: Any) -> EncodedRows:
        """Return the form in which a store writes them."""
        document = self.document
        return EncodedRows(document.id, document.source, document.revision, len(self.chunks), rows, self.waiting)


class Candidate(NamedTuple):
    """A chunk from one side of a search, lexical or dense, before fusion."""

    chunk_id: str
    score: float


class EncodedRows(NamedTuple):
    """All rows of one document as a store writes them; on a cluster, the process that reads a document encodes them."""

    id: str
    source: str
    revision: str
    chunk_count: int
    rows: Any
    """In a form that the store knows."""
    waiting: Mapping[str, str]
    """As in `DocumentRows`."""
    vectors: Mapping[str, EmbeddingResult] = {}
    """The vectors of chunks that had none when they were encoded, by chunk id."""


class EmbeddingResult(NamedTuple):
    """The vectors of a chunk, or the reason why it could not be embedded."""

    text_hash: str
    """Hash of the text that was embedded."""
    vectors: Vectors | None
    error: str = ""
    token_vectors: tuple[bytes, ...] = ()
    traceback: str = ""
    """Set if the embedder crashed; empty if it refused the text."""


DocumentProperty: TypeAlias = Literal["source", "format", "date", "tags"]
"""What filters compare; `tags` are the metadata as `key=JSON`."""


EncodeRows: TypeAlias = Callable[[DocumentRows], EncodedRows]
"""Encodes the rows of a document; can be sent to other processes."""


EmbedChunks: TypeAlias = Callable[[Sequence[Chunk]], Mapping[str, EmbeddingResult]]
"""Embeds chunks and returns the results by chunk id."""


IndexVectors: TypeAlias = Callable[[str, Mapping[str, Any]], bool]
"""Builds the vector index of a table elsewhere, given its URI and the index options; returns False if it cannot."""


class Store(Protocol):
    """Stores documents with their sections, chunks and vectors, and searches them.

    Callers write while they hold `lock`. Readers need no lock: `replace_documents` is atomic, so that a reader sees
    all old rows of a document or all new ones. Ids that do not exist are left out of every result.
    """

    @property
    def location(self) -> str:
        """The folder or URL of the index, without credentials."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings that the index was created with."""

    # writing

    def lock(
        self, wait_seconds: float = 0, *, index_vectors: IndexVectors | None = None
    ) -> AbstractContextManager[None]:
        """Take the write lock, or raise `Locked` after `wait_seconds`; returns at once if several may write.

        A store may have `index_vectors` build a large vector index while the lock is held.
        """

    def change_setting(self, name: str, value: Any) -> None:
        """Store a setting; None removes it."""

    # changing the settings: the lock is held but for the first three

    def check_current(self) -> None:
        """Raise `IndexChanged` if other rows took the place of those that this store reads."""

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

    # looking up

    def document_revisions(self) -> dict[str, str]:
        """Return the revision of every document by source."""

    def documents(self, ids: Sequence[str]) -> list[StoredDocument]:
        """Return documents with their texts, in the order of `ids`."""

    def list_documents(self, ids: Sequence[str]) -> list[ListedDocument]:
        """Return the sizes and counts of documents, sorted by source, without reading their texts."""

    def sections(self, ids: Sequence[str]) -> list[StoredSection]:
        """Return sections in the order of `ids`."""

    def subsections(self, parent_ids: Sequence[str]) -> list[StoredSection]:
        """Return the direct subsections of some sections, in document order."""

    def chunks(self, ids: Sequence[str]) -> list[Chunk]:
        """Return chunks in the order of `ids`."""

    def section_chunks(self, section_ids: Sequence[str]) -> list[Chunk]:
        """Return the chunks that begin in some sections, without those of subsections, in document order."""

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

    # reusing vectors

    def known_vectors(self, text_hashes: Sequence[str]) -> dict[str, Vectors]:
        """Return stored vectors by the hash of their text."""

    def known_token_vectors(self, text_hashes: Sequence[str]) -> dict[str, tuple[bytes, ...]]:
        """Return stored token vectors, one entry per piece, by the hash of their text."""

    def known_text_hashes(self) -> list[str]:
        """Return the hashes of all texts that have vectors."""

    # searching

    def matches_any(self, filter: Filter) -> bool:
        """Return whether a filter leaves anything to search."""

    def search_dense(self, vector: Vectors, limit: int, filter: Filter) -> list[Candidate]:
        """Return the chunks nearest to a vector, best first, with their cosines."""

    def search_lexical(
        self, words: Sequence[str], limit: int, filter: Filter, *, heading_weight: float
    ) -> list[Candidate]:
        """Return the best chunks by BM25 over text and headings, best first, with scores as a share of the maximum.

        `heading_weight`: weight of a word in headings; in the text it is 1.
        """

    def rarities(self, words: Sequence[str]) -> list[float]:
        """Return how rare words are in the index: the weight (IDF) of each in BM25."""

    # upkeep

    def inspect(self) -> Iterator[Finding]:
        """Look for damaged files and orphaned rows, with the write lock held."""

    def close(self) -> None:
        """Close files and connections."""
