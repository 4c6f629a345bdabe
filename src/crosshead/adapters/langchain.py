"""Crosshead in LangChain: a splitter, a loader and a retriever.

splitter = CrossheadSplitter(max_tokens=400)
loader = CrossheadLoader("docs/", chunks=True)
retriever = CrossheadRetriever(index=crosshead.Index(), k=5)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from crosshead.adapters.loading import read_all, read_text
from crosshead.adapters.metadata import describe_chunk, describe_document
from crosshead.adapters.retrieval import retrieve
from crosshead.errors import MissingExtra
from crosshead.index import Index, JoinedIndex
from crosshead.options import ExtractOptions, chunk_options
from crosshead.pipeline import chunk
from crosshead.types import Chunk
from crosshead.types import Document as Read

try:
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.document_loaders import BaseLoader
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
    from langchain_text_splitters import TextSplitter
    from pydantic import ConfigDict, Field
except ImportError as error:
    raise MissingExtra("langchain", "The adapter for LangChain") from error

__all__ = ["CrossheadLoader", "CrossheadRetriever", "CrossheadSplitter"]


class CrossheadSplitter(TextSplitter):
    """Cuts Markdown into section-aware chunks; its options are those of `crosshead.chunk`."""

    def __init__(self, *, breadcrumb: bool = False, **chunking: Any) -> None:
        """`breadcrumb` puts the path of the section in front of each text; headings are part of it anyway."""
        super().__init__(keep_separator=True, add_start_index=False, strip_whitespace=False)
        self._options = chunk_options(**chunking)
        self._render = partial(Chunk.render, breadcrumb=breadcrumb)

    def split_text(self, text: str) -> list[str]:
        """Return the texts of the chunks."""
        return [self._render(each) for each in self._cut(text, {})]

    def create_documents(self, texts: list[str], metadatas: list[dict[Any, Any]] | None = None) -> list[Document]:
        """Split texts into documents whose metadata name section and lines; `source` in `metadatas` names a text."""
        metadatas = metadatas or [{}] * len(texts)
        return [
            _as_document(each, self._render(each))
            for text, metadata in zip(texts, metadatas, strict=True)
            for each in self._cut(text, metadata)
        ]

    def _cut(self, text: str, metadata: Mapping[Any, Any]) -> list[Chunk]:
        return chunk(read_text(text, metadata), self._options)


class CrossheadLoader(BaseLoader):
    """Loads files and folders: each document as Markdown or, with `chunks`, as chunks, with pages if it has any."""

    def __init__(
        self, *paths: str | Path, chunks: bool = False, extract: ExtractOptions | None = None, **chunking: Any
    ) -> None:
        self._paths = paths
        self._options = chunk_options(**chunking) if chunks or chunking else None
        self._extract = extract

    def lazy_load(self) -> Iterator[Document]:
        """Load one file at a time; if one of several cannot be read, a warning is logged."""
        return read_all(self._paths, self._convert, self._extract)

    def _convert(self, document: Read) -> list[Document]:
        if self._options:
            return [_as_document(each, each.render()) for each in chunk(document, self._options)]
        return [Document(document.text, metadata=describe_document(document), id=document.id)]


class CrossheadRetriever(BaseRetriever):
    """Retrieves sections from an index."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    index: Index | JoinedIndex
    k: int = 10
    """Hits to return, or to compose passages from."""
    budget_tokens: int | None = None
    """Return passages within this budget instead of hits."""
    search_kwargs: dict[str, Any] = Field(default_factory=dict)
    """Other keywords of `Index.search`: mode, section_filter, source, metadata, expand_context, ..."""

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, **search: Any
    ) -> list[Document]:
        keywords = {
            "limit": search.pop("k", self.k),
            "budget_tokens": self.budget_tokens,
            **self.search_kwargs,
            **search,
        }
        return [
            Document(each.text, metadata=each.metadata, id=each.id) for each in retrieve(self.index, query, **keywords)
        ]


def _as_document(chunk: Chunk, text: str) -> Document:
    return Document(text, metadata=describe_chunk(chunk), id=chunk.id)
