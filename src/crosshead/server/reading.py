"""Documents -> answers, in a worker process; imports little, so that the process starts quickly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any, Final

from crosshead import pipeline
from crosshead.formats import detect_format
from crosshead.markdown import outline_document
from crosshead.options import ChunkOptions, ExtractOptions
from crosshead.types import Chunk, Document, StoredDocument

Step = Callable[[Document], object]
BRIEF_FIELDS: Final = (
    "id", "index", "token_count", "content_type", "section_path", "start", "end", "start_line", "end_line", "part",
    "parts", "is_complete_section", "parent_chunk_id", "prev_id", "next_id", "sibling_chunk_ids", "prefix", "suffix",
    "oversize_reason", "heading_prefix", "document_title", "notes", "citation",
)  # fmt: skip
"""The fields for a client that has the text already."""


def with_stored(stored: StoredDocument, step: Step) -> object:
    """Run a step on an indexed document."""
    return step(pipeline.reopen(stored))


def with_body(data: bytes, source: str | None, format: str | None, options: ExtractOptions, step: Step) -> object:
    """Run a step on a document from a request."""
    format = format or (None if source else detect_format(data) or "markdown")
    return step(pipeline.read_document(data, format, source=source, options=options))


def describe(document: Document) -> object:
    """Return a document as Markdown, with its outline."""
    return {
        "id": document.id,
        "source": document.source,
        "format": document.format,
        "title": document.title,
        "text": document.text,
        "content_hash": document.content_hash,
        "front_matter": document.front_matter,
        "warnings": document.warnings,
        "outline": outline(document),
    }


def outline(document: Document) -> object:
    """Return the tree of sections."""
    return outline_document(document).to_json()


def cut(document: Document, *, options: ChunkOptions, texts: bool) -> object:
    """Return the chunks, with or without their texts."""
    return {
        "source": document.source,
        "format": document.format,
        "title": document.title,
        "options": asdict(options),
        "warnings": document.warnings,
        "chunks": [each.to_json() if texts else _brief(each) for each in pipeline.chunk(document, options)],
    }


def check(document: Document, *, options: ChunkOptions) -> object:
    """Return whether the guarantees hold for the chunks."""
    return pipeline.check(document, pipeline.chunk(document, options)).to_json()


def _brief(chunk: Chunk) -> dict[str, Any]:
    return {name: getattr(chunk, name) for name in BRIEF_FIELDS}
