"""The values that flow between the rooms, all immutable, and the protocols that rooms rely on.

    Document   text, blocks and the section tree of one source
    Block      a paragraph, heading, table, ... with its exact position in the text
    Section    a heading with everything below it
    Chunk      an exact slice of the text with its path, links and citation
    Hit        a chunk that a search found, with its scores
    Passage    text of one or more hits, whole and cited
    Report     what `check` found
    Answer     text with citations, and the spans that they stand for
    Proof      which sentences of an answer its cited spans prove

Offsets count characters of `Document.text`, lines are 1-based and inclusive.
"""

from crosshead.types.answer import (
    ANSWER_SCHEMA,
    PROOF_SCHEMA,
    Answer,
    CitedSpan,
    Doubt,
    DoubtKind,
    Proof,
    Sentence,
    SentenceProof,
    SpanProof,
    SpanState,
    Usage,
    Verdict,
)
from crosshead.types.chunk import CHUNK_SCHEMA, Chunk, Chunks, ContentType, OpenChunk, OversizeReason
from crosshead.types.confidence import (
    CALIBRATION,
    OF_SEARCHES,
    TUNED,
    UNCALIBRATED,
    Calibration,
    Signals,
    SignalWeight,
)
from crosshead.types.document import Block, BlockKind, Document, Section
from crosshead.types.embedding import (
    Embedder,
    ParallelEmbedder,
    Piece,
    PieceMaker,
    QueryVectors,
    ReadingEmbedder,
    Rerank,
    Reranker,
    TokenEmbedder,
    Vectors,
    WordReadingEmbedder,
)
from crosshead.types.figure import Figure, FigureImage
from crosshead.types.location import LocatedPage, Location, PageBox, PageView, PictureSize, TextSpan
from crosshead.types.metadata import (
    MetadataCondition,
    given_metadata,
    metadata_conditions,
    metadata_text,
    parse_given,
    parse_metadata,
)
from crosshead.types.related import RelatedBy, RelatedSection
from crosshead.types.report import Figures, Report, Severity, Violation
from crosshead.types.search import (
    AnswerKeywords,
    AnswerRequest,
    Filter,
    FoundHits,
    Hit,
    MissingIndex,
    Passage,
    PassageRequest,
    SearchKeywords,
    SearchRequest,
    door_fields,
)
from crosshead.types.status import Finding, Status, StoreContents, StoredSizes
from crosshead.types.storage import (
    HAS_TOKEN_VECTORS,
    TEXT_REVISION,
    Candidate,
    DocumentProperty,
    DocumentRows,
    EmbedChunks,
    EmbeddingResult,
    EncodedRows,
    EncodeRows,
    IndexVectors,
    ListedDocument,
    StoredChunk,
    StoredDocument,
    StoredSection,
)
from crosshead.types.store import ReadableStore, Store
from crosshead.types.word_statistics import BYTES, WORDS, Density, FieldLengths, WordStatistics, total_statistics

__all__ = [
    "ANSWER_SCHEMA",
    "BYTES",
    "CALIBRATION",
    "CHUNK_SCHEMA",
    "HAS_TOKEN_VECTORS",
    "OF_SEARCHES",
    "PROOF_SCHEMA",
    "TEXT_REVISION",
    "TUNED",
    "UNCALIBRATED",
    "WORDS",
    "Answer",
    "AnswerKeywords",
    "AnswerRequest",
    "Block",
    "BlockKind",
    "Calibration",
    "Candidate",
    "Chunk",
    "Chunks",
    "CitedSpan",
    "ContentType",
    "Density",
    "Document",
    "DocumentProperty",
    "DocumentRows",
    "Doubt",
    "DoubtKind",
    "EmbedChunks",
    "Embedder",
    "EmbeddingResult",
    "EncodeRows",
    "EncodedRows",
    "FieldLengths",
    "Figure",
    "FigureImage",
    "Figures",
    "Filter",
    "Finding",
    "FoundHits",
    "Hit",
    "IndexVectors",
    "ListedDocument",
    "LocatedPage",
    "Location",
    "MetadataCondition",
    "MissingIndex",
    "OpenChunk",
    "OversizeReason",
    "PageBox",
    "PageView",
    "ParallelEmbedder",
    "Passage",
    "PassageRequest",
    "PictureSize",
    "Piece",
    "PieceMaker",
    "Proof",
    "QueryVectors",
    "ReadableStore",
    "ReadingEmbedder",
    "RelatedBy",
    "RelatedSection",
    "Report",
    "Rerank",
    "Reranker",
    "SearchKeywords",
    "SearchRequest",
    "Section",
    "Sentence",
    "SentenceProof",
    "Severity",
    "SignalWeight",
    "Signals",
    "SpanProof",
    "SpanState",
    "Status",
    "Store",
    "StoreContents",
    "StoredChunk",
    "StoredDocument",
    "StoredSection",
    "StoredSizes",
    "TextSpan",
    "TokenEmbedder",
    "Usage",
    "Vectors",
    "Verdict",
    "Violation",
    "WordReadingEmbedder",
    "WordStatistics",
    "door_fields",
    "given_metadata",
    "metadata_conditions",
    "metadata_text",
    "parse_given",
    "parse_metadata",
    "total_statistics",
]
