"""Search over documents that keeps their structure: documents in, whole cited sections out."""

from typing import TYPE_CHECKING, Any

from crosshead.errors import CrossheadError
from crosshead.formats import Extracted, Format, extract, register_format
from crosshead.markdown import HeadingStack, parse_blocks
from crosshead.options import ChunkOptions, ExtractOptions, SearchOptions
from crosshead.pipeline import check, chunk, read
from crosshead.runtime.lazy import lazy_names
from crosshead.tokens import estimate_tokens
from crosshead.types import Block, Chunk, Chunks, Document, Hit, Passage, Report, SearchRequest, Section, Violation

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
    "SearchRequest",
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

_get, _ = lazy_names(__name__, {"index": "AddResult Index"})


def __getattr__(name: str) -> Any:
    """Import what an index needs when it is first used: chunking does without it."""
    if name == "__version__":
        from importlib.metadata import version

        return version("crosshead")
    return _get(name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
