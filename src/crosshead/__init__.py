"""Search over documents that keeps their structure: documents in, whole cited sections out."""

from typing import TYPE_CHECKING, Any

from crosshead.errors import CrossheadError
from crosshead.extract import Extracted, Format, extract, register_format
from crosshead.model import Block, Chunk, Chunks, Document, Hit, Passage, Report, Section, Violation
from crosshead.options import ChunkOptions, ExtractOptions, SearchOptions
from crosshead.parse import HeadingStack, parse_blocks
from crosshead.pipeline import check, chunk, read
from crosshead.tokens import estimate_tokens

if TYPE_CHECKING:
    from crosshead.index import AddResult, Index

__all__ = [
    "AddResult",
    "Block",
    "Chunk",
    "ChunkOptions",
    "Chunks",
    "CrossheadError",
    "Document",
    "ExtractOptions",
    "Extracted",
    "Format",
    "HeadingStack",
    "Hit",
    "Index",
    "Passage",
    "Report",
    "SearchOptions",
    "Section",
    "Violation",
    "check",
    "chunk",
    "estimate_tokens",
    "extract",
    "parse_blocks",
    "read",
    "register_format",
]


def __getattr__(name: str) -> Any:
    """Import what an index needs when it is asked for: cutting documents does without it."""
    if name in ("AddResult", "Index"):
        from crosshead import index

        return getattr(index, name)
    raise AttributeError(f"module 'crosshead' has no attribute {name!r}")
