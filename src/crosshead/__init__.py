"""Search over documents that keeps their structure: documents in, whole cited sections out."""

from typing import TYPE_CHECKING, Any

from crosshead.runtime.lazy import lazy_names

if TYPE_CHECKING:
    from crosshead.errors import CrossheadError
    from crosshead.formats import Extracted, Format, extract, register_format
    from crosshead.index import AddResult, Index
    from crosshead.markdown import HeadingStack, parse_blocks
    from crosshead.options import ChunkOptions, ExtractOptions, SearchOptions
    from crosshead.pipeline import check, chunk, read
    from crosshead.search import CitedSource, Passages, Prompt
    from crosshead.tokens import estimate_tokens
    from crosshead.types import (
        Answer,
        Block,
        Chunk,
        Chunks,
        Document,
        Hit,
        Passage,
        Proof,
        Report,
        SearchRequest,
        Section,
        Violation,
    )

__all__ = [
    "AddResult",
    "Answer",
    "Block",
    "Chunk",
    "ChunkOptions",
    "Chunks",
    "CitedSource",
    "CrossheadError",
    "Document",
    "ExtractOptions",
    "Extracted",
    "Format",
    "HeadingStack",
    "Hit",
    "Index",
    "Passage",
    "Passages",
    "Prompt",
    "Proof",
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

_HOMES = {
    "errors": "CrossheadError",
    "formats": "Extracted Format extract register_format",
    "index": "Index",
    "indexing": "AddResult",
    "markdown": "HeadingStack parse_blocks",
    "options": "ChunkOptions ExtractOptions SearchOptions",
    "pipeline": "check chunk read",
    "search": "CitedSource Passages Prompt",
    "tokens": "estimate_tokens",
    "types": "Answer Block Chunk Chunks Document Hit Passage Proof Report SearchRequest Section Violation",
}
_get, _ = lazy_names(__name__, _HOMES)


def __getattr__(name: str) -> Any:
    """Import a name when it is first used: a search does without what chunking needs."""
    if name == "__version__":
        from importlib.metadata import version

        return version("crosshead")
    return _get(name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
