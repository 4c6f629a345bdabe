"""What the adapters cost beyond the library: seconds against the library with the framework's objects made by hand.

usage: python -m bench.serving.adapters FOLDER [--rounds N]

Reads the Markdown files of a folder once, cuts their texts with each adapter and, in the same round, with
`crosshead.chunk` followed by the framework's own objects with the same texts, ids and metadata. Prints the median of
the ratios of CPU seconds.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from haystack import Document as HaystackDocument
from langchain_core.documents import Document as LangChainDocument
from llama_index.core.schema import Document as LlamaDocument
from llama_index.core.schema import NodeRelationship, RelatedNodeInfo, TextNode

from crosshead.adapters.haystack import CrossheadSplitter as HaystackSplitter
from crosshead.adapters.langchain import CrossheadSplitter
from crosshead.adapters.llamaindex import CrossheadNodeParser
from crosshead.pipeline import chunk, parse_document
from crosshead.types import Chunk

METADATA = (
    "document_id", "source", "citation", "breadcrumb", "section_id", "section_level", "content_type", "token_count",
    "start_line", "end_line", "part", "parts", "parent_chunk_id", "prev_id", "next_id",
)  # fmt: skip


def metadata(each: Chunk) -> dict[str, Any]:
    return {name: getattr(each, name) for name in METADATA}


def cut(texts: list[str]) -> list[Chunk]:
    return [each for text in texts for each in chunk(parse_document(text))]


def langchain_by_hand(texts: list[str]) -> list[Any]:
    return [LangChainDocument(each.render(), metadata=metadata(each), id=each.id) for each in cut(texts)]


def haystack_by_hand(texts: list[str]) -> list[Any]:
    return [HaystackDocument(id=each.id, content=each.render(), meta=metadata(each)) for each in cut(texts)]


def llamaindex_by_hand(texts: list[str]) -> list[Any]:
    made = []
    for each in cut(texts):
        related = {NodeRelationship.PARENT: each.parent_chunk_id, NodeRelationship.PREVIOUS: each.prev_id}
        related |= {NodeRelationship.NEXT: each.next_id, NodeRelationship.SOURCE: each.document_id}
        node = TextNode(id_=each.id, text=each.render(), metadata=metadata(each))
        node.relationships = {name: RelatedNodeInfo(node_id=id) for name, id in related.items() if id}
        made.append(node)
    return made


def seconds(work: Callable[[], Any]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=7)
    args = parser.parse_args()
    texts = [path.read_text() for path in sorted(args.folder.rglob("*.md*"))]
    documents = [HaystackDocument(content=text) for text in texts]
    pairs: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
        "LangChain": (lambda: CrossheadSplitter().create_documents(texts), lambda: langchain_by_hand(texts)),
        "LlamaIndex": (
            lambda: CrossheadNodeParser().get_nodes_from_documents([LlamaDocument(text=text) for text in texts]),
            lambda: llamaindex_by_hand(texts),
        ),
        "Haystack": (lambda: HaystackSplitter().run(documents), lambda: haystack_by_hand(texts)),
    }
    print("| adapter | CPU seconds against the library and objects made by hand |\n|---|---|")
    for name, (adapter, by_hand) in pairs.items():
        ratios = [seconds(adapter) / seconds(by_hand) for _ in range(args.rounds)]
        print(f"| {name} | {statistics.median(ratios):.2f} |", flush=True)


if __name__ == "__main__":
    main()
