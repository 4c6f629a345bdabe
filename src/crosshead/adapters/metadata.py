"""Metadata for frameworks: flat values, none of them None, because many of their stores accept nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from crosshead.types import Chunk, Document, Hit, Passage

_OF_CHUNKS: Final = (
    "document_id", "source", "citation", "breadcrumb", "section_id", "section_level", "content_type", "token_count",
    "start_line", "end_line", "page_start", "page_end", "part", "parts", "parent_chunk_id", "prev_id", "next_id",
)  # fmt: skip
_OF_HITS: Final = (
    "citation", "section_id", "start_line", "end_line", "dense_score", "lexical_score", "rerank_score", "confidence",
    "is_weak", "snippet",
)  # fmt: skip
_OF_PASSAGES: Final = (
    "document_id", "source", "citation", "section_id", "parent_section_id", "token_count", "start_line", "end_line",
    "title", "is_weak",
)  # fmt: skip
_OF_WHOLE_CHUNKS: Final = ("section_level", "content_type", "token_count", "part", "parts")
"""Properties of a whole chunk that a section inside it does not share."""


def describe_document(document: Document) -> dict[str, Any]:
    """Return the front matter of a document, and what is needed to chunk its text later."""
    known = {"source": document.source, "format": document.format, "title": document.title}
    return {**_flat(document.front_matter), **known}


def describe_chunk(chunk: Chunk) -> dict[str, Any]:
    """Return the metadata of a chunk: the user's own, path, lines or pages, ids, neighbors."""
    own = {**_flat(chunk.metadata.get("front_matter", {})), **_flat(chunk.metadata)}
    return {**own, **_known(chunk, _OF_CHUNKS), "chunk_id": chunk.id, "title": chunk.document_title}


def describe_hit(hit: Hit) -> dict[str, Any]:
    """Return the metadata of a hit: its section, its scores and, if it was expanded, the texts around it."""
    found = {**describe_chunk(hit.chunk), **_known(hit, _OF_HITS), **_pages(hit.pages), "score": hit.final_score}
    if hit.section_id != hit.chunk.section_id:
        found = {name: value for name, value in found.items() if name not in _OF_WHOLE_CHUNKS}
    if hit.section_path:
        found["breadcrumb"] = " > ".join(hit.section_path)
    if hit.index:
        found["index"] = hit.index
    if hit.parent:
        found["parent"] = hit.parent.render()
    if hit.siblings:
        found["siblings"] = "\n\n".join(each.render() for each in hit.siblings)
    if hit.ancestors:
        found["ancestors"] = "\n\n".join(each.render() for each in hit.ancestors)
    if hit.linked:
        found["linked"] = "\n\n".join(each.render() for each in hit.linked)
    return found


def describe_passage(passage: Passage) -> dict[str, Any]:
    """Return the metadata of a passage."""
    known = {**_flat(passage.metadata), **_known(passage, _OF_PASSAGES), **_pages(passage.pages)}
    found = {**known, "chunk_ids": " ".join(passage.chunk_ids), "score": passage.score}
    found |= {"index": passage.index} if passage.index else {}
    return {**found, "breadcrumb": " > ".join(passage.heading_chain)} if passage.heading_chain else found


def _pages(pages: tuple[int, int] | None) -> dict[str, int]:
    return {"page_start": pages[0], "page_end": pages[1]} if pages else {}


def _known(described: object, names: tuple[str, ...]) -> dict[str, Any]:
    values = ((name, getattr(described, name)) for name in names)
    return {name: value for name, value in values if value is not None}


def _flat(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return metadata with lists and dates as text, and without nested values."""
    texts = {name: ", ".join(map(str, value)) for name, value in metadata.items() if isinstance(value, list | tuple)}
    dates = {name: value.isoformat() for name, value in metadata.items() if isinstance(value, date)}
    return {name: value for name, value in metadata.items() if isinstance(value, str | int | float)} | texts | dates
