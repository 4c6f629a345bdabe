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

from crosshead.adapters.asking import ask
from crosshead.adapters.reading import attempt, read_all, read_text
from crosshead.adapters.records import describe_chunk, describe_document
from crosshead.errors import MissingExtra
from crosshead.index import Index
from crosshead.options import chunk_options
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
    """Turns files of all formats into documents of Markdown."""

    @component.output_types(documents=list[Document])
    def run(
        self,
        sources: list[str | Path | ByteStream],
        meta: dict[str, Any] | list[dict[str, Any]] | None = None,
    ) -> dict[str, list[Document]]:
        """Read files, folders and bytes; `meta` is added to all documents, or one to those of each source.

        A document of several that cannot be read is warned about.
        """
        given = meta if isinstance(meta, list) else [meta or {}] * len(sources)
        return {
            "documents": [
                each
                for source, metadata in zip(sources, given, strict=True)
                for each in _read(source, metadata, is_only=len(sources) == 1)
            ]
        }


@component
class CrossheadSplitter:
    """Cuts documents of Markdown into section-aware chunks."""

    def __init__(self, *, breadcrumb: bool = False, **chunking: Any) -> None:
        """`breadcrumb` puts the path of its section in front of every text; `chunking` is as in `crosshead.chunk`."""
        self._breadcrumb = breadcrumb
        self._chunking = chunking
        self._options = chunk_options(**chunking)

    def to_dict(self) -> dict[str, Any]:
        """Return what makes the same component again."""
        return default_to_dict(self, breadcrumb=self._breadcrumb, **self._chunking)

    @component.output_types(documents=list[Document])
    def run(self, documents: list[Document]) -> dict[str, list[Document]]:
        """Cut documents; `source` in their metadata names them, `source_id` names them in the result."""
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
    """Finds sections in an index."""

    def __init__(
        self, index: Index | str = ".crosshead", top_k: int = 10, budget_tokens: int | None = None, **search: Any
    ) -> None:
        """With a budget, passages within it are given instead of hits; `search` is what `Index.search` takes."""
        self._index = index if isinstance(index, Index) else Index(index, create=False)
        self._top_k = top_k
        self._asked = {"budget_tokens": budget_tokens, **search}

    def to_dict(self) -> dict[str, Any]:
        """Return what makes the same component again: the index by its place."""
        return default_to_dict(self, index=self._index.location, top_k=self._top_k, **self._asked)

    @component.output_types(documents=list[Document])
    def run(
        self, query: str, top_k: int | None = None, search: dict[str, Any] | None = None
    ) -> dict[str, list[Document]]:
        """Ask the index; what is given in `search` counts more than what was given before."""
        asked = {**self._asked, **(search or {})}
        found = ask(self._index, query, top_k or self._top_k, **asked)
        return {
            "documents": [
                Document(id=each.id, content=each.text, meta=each.metadata, score=each.score) for each in found
            ]
        }


def _read(source: str | Path | ByteStream, metadata: Mapping[str, Any], *, is_only: bool) -> Iterable[Document]:
    make = partial(_converted, metadata=metadata)
    if not isinstance(source, ByteStream):
        return read_all([source], make, is_only=is_only)
    name = source.meta.get("file_path") or source.meta.get("file_name")
    format = None if name else _format_of(source.mime_type)
    return attempt(str(name or "bytes"), lambda: make(read(source.data, source=name, format=format)), is_only=is_only)


def _format_of(mime_type: str | None) -> str | None:
    """Bytes without a name often have a type; where it says nothing, the content has to."""
    import mimetypes

    suffix = mimetypes.guess_extension(mime_type) if mime_type else None
    return suffix.removeprefix(".") if suffix else None


def _converted(document: Read, metadata: Mapping[str, Any]) -> list[Document]:
    return [Document(content=document.text, meta={**metadata, **describe_document(document)})]
