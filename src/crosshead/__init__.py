"""Search over documents that keeps their structure: documents in, whole cited sections out."""

from crosshead.errors import CrossheadError
from crosshead.extract import Extracted, Format, extract, register_format
from crosshead.model import Block, Chunk, Chunks, Document, Report, Section, Violation
from crosshead.options import ChunkOptions, ExtractOptions
from crosshead.parse import HeadingStack, parse_blocks
from crosshead.pipeline import check, chunk, read
from crosshead.tokens import estimate_tokens

__all__ = [
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
    "Report",
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
