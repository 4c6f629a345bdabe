"""Crosshead in LlamaIndex: a node parser, a reader and a retriever.

parser = CrossheadNodeParser(chunking={"max_tokens": 400})
reader = CrossheadReader()
retriever = CrossheadRetriever(crosshead.Index(), limit=5)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from crosshead.adapters.loading import read_all, read_text
from crosshead.adapters.metadata import describe_chunk, describe_document
from crosshead.adapters.retrieval import retrieve
from crosshead.adapters.sections import SectionGroup, SectionGroups, find_groups
from crosshead.errors import MissingExtra
from crosshead.index import Index, JoinedIndex
from crosshead.options import ExtractOptions
from crosshead.pipeline import chunk
from crosshead.types import Chunk
from crosshead.types import Document as Read

try:
    from llama_index.core.bridge.pydantic import Field
    from llama_index.core.node_parser.interface import NodeParser
    from llama_index.core.readers.base import BaseReader
    from llama_index.core.retrievers import BaseRetriever
    from llama_index.core.schema import (
        BaseNode,
        Document,
        NodeRelationship,
        NodeWithScore,
        QueryBundle,
        RelatedNodeInfo,
        TextNode,
    )
except ImportError as error:
    raise MissingExtra("llamaindex", "The adapter for LlamaIndex") from error

__all__ = ["CrossheadNodeParser", "CrossheadReader", "CrossheadRetriever"]

SHOWN_TO_MODELS = ("citation", "breadcrumb")
"""Metadata that LlamaIndex puts in front of a text for a language model; for embeddings it adds nothing."""


class CrossheadNodeParser(NodeParser):
    """Cuts Markdown documents into section-aware nodes that know their parent, neighbors and source."""

    chunking: dict[str, Any] = Field(default_factory=dict, description="Options of crosshead.chunk by name.")
    section_tokens: int = Field(
        default=0,
        description=(
            "Also make nodes of whole sections up to this size that hold several other nodes, as their parents, "
            "for AutoMergingRetriever; get_leaf_nodes returns the others."
        ),
    )

    def _parse_nodes(self, nodes: Sequence[BaseNode], show_progress: bool = False, **kwargs: Any) -> list[BaseNode]:
        return [made for node in nodes for made in self._cut(node)]

    def _postprocess_parsed_nodes(
        self, nodes: list[BaseNode], parent_doc_map: Mapping[str, BaseNode]
    ) -> list[BaseNode]:
        return nodes  # offsets and neighbors are set already

    def _cut(self, node: BaseNode) -> Iterator[TextNode]:
        document = read_text(node.get_content(), node.metadata, node.node_id)
        chunks = chunk(document, **self.chunking)
        groups = find_groups(document, chunks, self.section_tokens) if self.section_tokens else SectionGroups()
        origin = node.as_related_node_info()  # a hash of the whole text, so only once
        for group in groups.all:
            yield _node_of_section(group, document, node.metadata, origin)
        for each in chunks:
            parent = groups.by_chunk.get(each.id) if self.section_tokens else each.parent_chunk_id
            yield _node_of_chunk(each, origin, parent)


class CrossheadReader(BaseReader):
    """Reads files of all formats into documents of Markdown; also for `SimpleDirectoryReader(file_extractor=...)`."""

    def __init__(self, extract: ExtractOptions | None = None) -> None:
        self._extract = extract

    def lazy_load_data(
        self, file: str | Path, extra_info: Mapping[str, Any] | None = None, **_: Any
    ) -> Iterator[Document]:
        """Load a file, or all documents below a folder; if one of a folder cannot be read, a warning is logged."""

        def convert(document: Read) -> list[Document]:
            metadata = {**(extra_info or {}), **describe_document(document)}
            return [Document(id_=document.id, text=document.text, metadata=metadata)]

        return read_all([file], convert, self._extract)

    def load_data(self, *args: Any, **kwargs: Any) -> list[Document]:
        """Load all documents at once."""
        return list(self.lazy_load_data(*args, **kwargs))


class CrossheadRetriever(BaseRetriever):
    """Retrieves sections from an index."""

    def __init__(
        self, index: Index | JoinedIndex, limit: int = 10, budget_tokens: int | None = None, **search: Any
    ) -> None:
        """With `budget_tokens`, return passages instead of hits; `search` are keywords of `Index.search`."""
        self._index = index
        self._search = {"limit": limit, "budget_tokens": budget_tokens, **search}
        super().__init__()

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [
            NodeWithScore(node=_text_node(each.id, each.text, each.metadata), score=each.score)
            for each in retrieve(self._index, query_bundle.query_str, **self._search)
        ]


def _node_of_chunk(chunk: Chunk, origin: RelatedNodeInfo, parent: str | None) -> TextNode:
    node = _text_node(chunk.id, chunk.render(), describe_chunk(chunk), chunk.start, chunk.end)
    node.relationships = _related(origin, parent, chunk.prev_id, chunk.next_id)
    return node


def _node_of_section(
    group: SectionGroup, document: Read, metadata: Mapping[str, Any], origin: RelatedNodeInfo
) -> TextNode:
    section = group.section
    known = {"section_id": section.id, "source": document.source, "breadcrumb": " > ".join(section.path)}
    text = document.text[section.start : section.end].strip()
    node = _text_node(section.id, text, {**metadata, **known}, section.start, section.end)
    node.relationships = _related(origin, group.parent_id, None, None)
    node.relationships[NodeRelationship.CHILD] = [RelatedNodeInfo(node_id=each) for each in group.children]
    return node


def _text_node(
    id: str, text: str, metadata: dict[str, Any], start: int | None = None, end: int | None = None
) -> TextNode:
    return TextNode(
        id_=id,
        text=text,
        metadata=metadata,
        start_char_idx=start,
        end_char_idx=end,
        excluded_embed_metadata_keys=list(metadata),
        excluded_llm_metadata_keys=[name for name in metadata if name not in SHOWN_TO_MODELS],
    )


def _related(
    origin: RelatedNodeInfo, parent: str | None, before: str | None, after: str | None
) -> dict[NodeRelationship, RelatedNodeInfo | list[RelatedNodeInfo]]:
    ids = {NodeRelationship.PARENT: parent, NodeRelationship.PREVIOUS: before, NodeRelationship.NEXT: after}
    related: dict[NodeRelationship, RelatedNodeInfo | list[RelatedNodeInfo]] = {
        name: RelatedNodeInfo(node_id=id) for name, id in ids.items() if id
    }
    related[NodeRelationship.SOURCE] = origin
    return related
