"""What a store keeps, and the protocol that every store follows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from crosshead.citation import LineMarks
from crosshead.types.chunk import Chunk
from crosshead.types.embedding import Vectors
from crosshead.types.search import Filter

KEEPS_TOKENS: Final = "token_signs"
"""The setting of an index that keeps the tokens of its chunks beside their vectors."""


TEXT_REVISION: Final = "text:"
"""Opens the revision of a document that was given as text; no file needs to exist for it."""


MIGRATED_REVISION: Final = f"{TEXT_REVISION}older layout"
"""Of a document that was migrated from an older layout; no pipeline gives this one."""


class StoredDocument(NamedTuple):
    """A document as a store keeps it."""

    id: str
    source: str
    format: str
    title: str
    text: str
    revision: str
    """Changes with the content, the options and the model; an equal one needs no work."""
    content_hash: str
    date: str
    """YYYY-MM-DD: of the front matter, else of the file; empty if neither is known."""
    metadata: Mapping[str, Any]
    pages: tuple[tuple[int, int], ...] = ()
    """As in `Document`, so that a citation can name pages, or the lines of the file."""
    lines: LineMarks = ()
    language: str = ""
    """The ISO 639 code of the language that its words are read in, `und` if nothing tells it; empty for a document that
    was indexed before languages were known."""


class ListedDocument(NamedTuple):
    """A document in the list of what an index holds."""

    source: str
    format: str
    date: str
    characters: int
    """Of its text as Markdown."""
    chunks: int
    pending: int
    """Chunks that wait to be embedded."""
    failed: int = 0
    """Chunks that could not be embedded and wait no longer."""
    language: str = ""
    """As in `StoredDocument`."""


class StoredSection(NamedTuple):
    """A section as a store keeps it."""

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
    """A chunk with what search needs beside it."""

    chunk: Chunk
    text_hash: str
    """Of the text that is embedded; a vector is used again while it stays."""
    vectors: Vectors | None
    """None while it waits to be embedded."""
    tokens: tuple[bytes, ...] = ()
    """Of every piece, as its embedder keeps them, if the index does."""


class DocumentRows(NamedTuple):
    """Everything that a store keeps of one document."""

    document: StoredDocument
    sections: tuple[StoredSection, ...]
    chunks: tuple[StoredChunk, ...]


class Candidate(NamedTuple):
    """A chunk that one side of a search found."""

    chunk_id: str
    score: float


class StoreCounts(NamedTuple):
    """How much a store holds."""

    documents: int
    sections: int
    chunks: int
    pending: int
    """Chunks that wait to be embedded."""
    failed: int
    """Chunks that could not be embedded and wait no longer."""


class EmbeddingResult(NamedTuple):
    """What came of embedding a chunk: vectors, or the reason why there are none."""

    text_hash: str
    """Of the text that was embedded."""
    vectors: Vectors | None
    error: str = ""
    tokens: tuple[bytes, ...] = ()
    traceback: str = ""
    """Where it failed, unless the embedder refused the text."""


EmbedChunks: TypeAlias = Callable[[Sequence[Chunk]], Mapping[str, EmbeddingResult]]
"""Embeds chunks; what came of it is told by their ids."""


IndexVectors: TypeAlias = Callable[[str, Mapping[str, Any]], bool]
"""Builds an index of the vectors of a table, which is known by its address, as told; returns whether it could."""


class Finding(NamedTuple):
    """Something that is wrong with an index, or worth knowing about it."""

    message: str
    repair: str = ""
    """What to do about it."""
    is_fault: bool = True
    """False for what is as it may be."""


class Store(Protocol):
    """Keeps documents, sections and chunks, and finds them again.

    Writing happens between `lock` and its end, in one process at a time unless a store allows several; any number may
    read. A document is replaced in one step: every reader sees all of its old rows or all of its new ones.
    """

    @property
    def location(self) -> str:
        """Where the index is, for people: nothing in it lets anybody in."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """What the index was made with."""

    def lock(self, wait_seconds: float = 0) -> AbstractContextManager[None]:
        """Become a writer, or raise `Locked` after a wait where there can be only one."""

    def change_setting(self, name: str, value: Any) -> None:
        """Store another value of a setting; None removes it."""

    def replace_documents(self, documents: Sequence[DocumentRows]) -> Sequence[str]:
        """Write documents in place of what is stored of them; return what users should know about that."""

    def delete_documents(self, ids: Sequence[str]) -> None: ...

    def document_revisions(self) -> dict[str, str]:
        """Return the revision of every document by its source."""

    def languages(self) -> Mapping[str, int]:
        """Return how many documents are in each language; those of an earlier index have the empty one."""

    def set_languages(self, languages: Mapping[str, str]) -> None:
        """Read the words of documents again, each in its language; they are given by id."""

    def documents(self, ids: Sequence[str]) -> list[StoredDocument]:
        """Return those documents that exist, in the order asked for, as `sections` and `chunks` do."""

    def listed(self, ids: Sequence[str]) -> list[ListedDocument]:
        """Return how large documents are, by source, without reading their texts."""

    def sections(self, ids: Sequence[str]) -> list[StoredSection]: ...

    def chunks(self, ids: Sequence[str]) -> list[Chunk]: ...

    def subsections(self, parent_ids: Sequence[str]) -> list[StoredSection]:
        """Return the sections directly below these, in order."""

    def section_chunks(self, section_ids: Sequence[str]) -> list[Chunk]:
        """Return the chunks whose section is one of these, in order."""

    def titles(self, beginning: str, limit: int) -> list[str]:
        """Return titles of sections that have a word with this beginning, without case; the best first, each once."""

    def counts(self) -> StoreCounts:
        """Return how much there is."""

    def size_bytes(self) -> int:
        """Return the space that it takes."""

    def known_vectors(self, text_hashes: Sequence[str]) -> dict[str, Vectors]:
        """Return vectors that were made before, by the hash of their text."""

    def known_tokens(self, text_hashes: Sequence[str]) -> dict[str, tuple[bytes, ...]]:
        """Return the tokens that came with such vectors, piece by piece, where they are kept."""

    def known_texts(self) -> list[str]:
        """Return the hashes of all texts that have vectors."""

    def count_waiting(self) -> int:
        """Return how many chunks wait to be embedded, without looking at all others."""

    def embed_waiting(self, limit: int, embed: EmbedChunks, *, skip: Collection[str] = ()) -> int:
        """Let some of the chunks that wait be embedded, and commit what came of it; return how many there were.

        Where several processes may write, no other one takes these chunks meanwhile.
        """

    def retry_failed(self) -> None:
        """Let chunks wait again that could not be embedded."""

    def holds(self, filter: Filter) -> bool:
        """Return whether there is anything that a filter allows."""

    def search_dense(self, vector: Vectors, limit: int, filter: Filter) -> list[Candidate]:
        """Return the nearest chunks, best first."""

    def search_lexical(
        self, words: Sequence[str], limit: int, filter: Filter, *, heading_weight: float
    ) -> list[Candidate]:
        """Return the chunks in which the words weigh most, best first; those in headings count as much as told."""

    def maintain(self, *, thoroughly: bool = False) -> None:
        """Build and refresh indexes, and drop what is no longer needed; `thoroughly`, whatever it costs."""

    def index_with(self, index_vectors: IndexVectors | None) -> None:
        """Let the vectors of a large index be indexed elsewhere from now on, where a store can do that, or here."""

    def inspect(self) -> Iterator[Finding]:
        """Look for damage, and for rows that belong to nothing; nobody writes meanwhile."""

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Status:
    """What an index holds, and what it was made with."""

    location: str
    root: str
    documents: int
    sections: int
    chunks: int
    pending: int
    """Chunks that have no vector yet."""
    failed: int
    """Chunks that could not be embedded; `embed_pending` can retry them."""
    size_bytes: int
    embedder: str
    settings: Mapping[str, Any]
    languages: Mapping[str, int]
    """Documents per language, by its ISO 639 code: `und` if it could not be detected, empty for documents that were
    indexed before languages were known."""
    migrated: tuple[str, ...] = ()
    """Documents from an older layout whose files were not indexed, or could not be matched by title or path."""
    unfinished_copy_of: str = ""
    """The index that this is an interrupted copy of; documents are missing."""
