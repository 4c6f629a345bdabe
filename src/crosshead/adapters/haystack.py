"""Crosshead in Haystack: a converter, a splitter and a retriever.

converter = CrossheadConverter()
splitter = CrossheadSplitter(max_tokens=400)
retriever = CrossheadRetriever(".crosshead", top_k=5)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from crosshead.adapters.loading import attempt, read_all, read_text
from crosshead.adapters.metadata import describe_chunk, describe_document
from crosshead.adapters.retrieval import retrieve
from crosshead.errors import MissingExtra
from crosshead.index import Index, JoinedIndex
from crosshead.options import DEFAULT_LOCATION, chunk_options
from crosshead.pipeline import chunk, read
from crosshead.types import Document as Read

try:
    from haystack import Document, component, default_to_dict
    from haystack.dataclasses import ByteStream
except ImportError as error:
    raise MissingExtra("haystack", "The adapter for Haystack") from error

__all__ = ["CrossheadConverter", "CrossheadRetriever", "CrossheadSplitter"]


@component
class CrossheadConverter:
    """Converts files of all formats to documents of Markdown."""

    @component.output_types(documents=list[Document])
    def run(
        self,
        sources: list[str | Path | ByteStream],
        meta: dict[str, Any] | list[dict[str, Any]] | None = None,
    ) -> dict[str, list[Document]]:
        """Read files, folders and bytes; `meta` is added to all documents, or one per source.

        If one of several documents cannot be read, a warning is logged.
        """
        metas = meta if isinstance(meta, list) else [meta or {}] * len(sources)
        return {
            "documents": [
                each
                for source, metadata in zip(sources, metas, strict=True)
                for each in _read(source, metadata, is_only=len(sources) == 1)
            ]
        }


@component
class CrossheadSplitter:
    """Cuts documents of Markdown into section-aware chunks."""

    def __init__(self, *, breadcrumb: bool = False, **chunking: Any) -> None:
        """`breadcrumb` puts the section's path in front of each text; `chunking` are options of `crosshead.chunk`."""
        self._breadcrumb = breadcrumb
        self._chunking = chunking
        self._options = chunk_options(**chunking)

    def to_dict(self) -> dict[str, Any]:
        """Return the component as a dictionary."""
        return default_to_dict(self, breadcrumb=self._breadcrumb, **self._chunking)

    @component.output_types(documents=list[Document])
    def run(self, documents: list[Document]) -> dict[str, list[Document]]:
        """Split documents; `source` in their metadata names them, `source_id` in the result is their id."""
        return {"documents": [made for document in documents for made in self._cut(document)]}

    def _cut(self, document: Document) -> list[Document]:
        return [
            Document(
                id=each.id,
                content=each.render(breadcrumb=self._breadcrumb),
                meta={**describe_chunk(each), "source_id": document.id, "split_id": each.index},
            )
            for each in chunk(read_text(document.content or "", document.meta), self._options)
        ]


@component
class CrossheadRetriever:
    """Retrieves sections from an index."""

    def __init__(
        self,
        index: Index | JoinedIndex | str | list[str] = DEFAULT_LOCATION,
        top_k: int = 10,
        budget_tokens: int | None = None,
        **search: Any,
    ) -> None:
        """With `budget_tokens`, return passages instead of hits; `search` are keywords of `Index.search`.

        `index`: an index, or its location; several locations are searched as one.
        """
        self._index = _opened(index)
        self._top_k = top_k
        self._search = {"budget_tokens": budget_tokens, **search}

    def to_dict(self) -> dict[str, Any]:
        """Return the component as a dictionary, the index by its location, or several by theirs."""
        index = self._index.locations if isinstance(self._index, JoinedIndex) else self._index.location
        return default_to_dict(self, index=index, top_k=self._top_k, **self._search)

    @component.output_types(documents=list[Document])
    def run(
        self, query: str, top_k: int | None = None, search: dict[str, Any] | None = None
    ) -> dict[str, list[Document]]:
        """Search the index; `search` overrides the keywords of the constructor."""
        texts = retrieve(self._index, query, top_k or self._top_k, **{**self._search, **(search or {})})
        return {
            "documents": [
                Document(id=each.id, content=each.text, meta=each.metadata, score=each.score) for each in texts
            ]
        }


def _opened(index: Index | JoinedIndex | str | list[str]) -> Index | JoinedIndex:
    if isinstance(index, str):
        return Index(index, create=False)
    return Index.join(index) if isinstance(index, list) else index


def _read(source: str | Path | ByteStream, metadata: Mapping[str, Any], *, is_only: bool) -> Iterable[Document]:
    make = partial(_convert, metadata=metadata)
    if not isinstance(source, ByteStream):
        return read_all([source], make, is_only=is_only)
    name = source.meta.get("file_path") or source.meta.get("file_name")
    format = None if name else _format_of(source.mime_type)
    return attempt(str(name or "bytes"), lambda: make(read(source.data, source=name, format=format)), is_only=is_only)


def _format_of(mime_type: str | None) -> str | None:
    """Return the format of bytes without a name by their MIME type, or None to let the content decide."""
    import mimetypes

    suffix = mimetypes.guess_extension(mime_type) if mime_type else None
    return suffix.removeprefix(".") if suffix else None


def _convert(document: Read, metadata: Mapping[str, Any]) -> list[Document]:
    return [Document(content=document.text, meta={**metadata, **describe_document(document)})]
