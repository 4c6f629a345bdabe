"""The rows of a store, and what is exchanged with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from crosshead.citation import LineMarks
from crosshead.types.chunk import Chunk
from crosshead.types.embedding import Vectors
from crosshead.types.link import DocumentLinks

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
    location: str = ""
    """Of its index, if several are read as one."""


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
    links: DocumentLinks | None = None
    """None if the document was indexed before Crosshead kept links."""

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


def relative(found: Sequence[Candidate]) -> list[Candidate]:
    """Rescale scores: 0 for the last candidate, 1 for a text that equals the query."""
    base = min((each.score for each in found), default=0.0)
    return [Candidate(each.chunk_id, (each.score - base) / (1.0 - base) if base < 1.0 else 1.0) for each in found]


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
