"""The peers as engines: their chunks, ranked as their users would set it up.

Every peer reads the Markdown that Crosshead makes of a document and embeds what its own framework embeds: the text of a
chunk, for LlamaIndex and docling with the headings that they put in front of it. What a reader gets, and pays for in
tokens, is the text alone. A chunk that cannot be located keeps its rank and its price, but answers nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from bench.chunking import chunkers
from bench.retrieval.engines import BUDGETS, LIMIT, Measure
from bench.retrieval.evidence import Collection
from bench.retrieval.location import locate
from bench.retrieval.ranking import Ranking

from crosshead.evaluation import Question
from crosshead.evaluation.measure import Figures, RankedChunk, measure
from crosshead.tokens import get_counter
from crosshead.types import Embedder

MAX_TOKENS = 400
HIERARCHY = (1024, 512, 256)
NOWHERE = (0, -1)
"""Lines of a chunk that was not located."""


class Rival(NamedTuple):
    name: str
    """For the command line."""
    title: str
    package: str
    make: Callable[[Collection, Embedder], Rivalry]
    is_slow: bool = False


class Rivalry(NamedTuple):
    """A peer with its chunks of a collection."""

    measure: Measure
    chunks: int
    lost: int
    """Chunks that could not be located."""


class Cut(NamedTuple):
    """A chunk of a peer."""

    place: RankedChunk
    embedded: str

    @property
    def is_lost(self) -> bool:
        return (self.place.start_line, self.place.end_line) == NOWHERE


def use_chunker(make: Callable[[int], chunkers.Chunker]) -> Callable[[Collection, Embedder], Rivalry]:
    """An engine out of a chunker: the first chunks of the ranking are the hits."""

    def build(collection: Collection, embedder: Embedder) -> Rivalry:
        chunk = make(MAX_TOKENS)
        cuts = [cut for source, text in collection.texts.items() for cut in make_cuts(source, text, chunk(text))]
        ranking = Ranking([cut.embedded for cut in cuts], embedder)

        def ask(question: Question) -> Figures:
            places = [cuts[position].place for position, _ in ranking.best(question.text, LIMIT)]
            return measure(question, places, BUDGETS)

        return Rivalry(ask, len(cuts), sum(cut.is_lost for cut in cuts))

    return build


def merge_automatically(collection: Collection, embedder: Embedder) -> Rivalry:
    """LlamaIndex's hierarchy: leaves are ranked, and a parent takes the place of most of its children."""
    from llama_index.core.node_parser import get_leaf_nodes

    chunk = chunkers.llama_index_hierarchy(HIERARCHY)
    leaves: list[Any] = []
    nodes: list[Any] = []
    cuts: dict[str, Cut] = {}
    for source, text in collection.texts.items():
        found = chunk(text)
        nodes += found
        leaves += get_leaf_nodes(found)
        for level in _levels(found):
            cuts.update(zip((node.node_id for node in level), make_cuts(source, text, level), strict=True))
    ranking = Ranking([cuts[leaf.node_id].embedded for leaf in leaves], embedder)
    retrieve = _merging_retriever(nodes, lambda text: [(leaves[at], score) for at, score in ranking.best(text, LIMIT)])

    def ask(question: Question) -> Figures:
        return measure(question, [cuts[hit.node.node_id].place for hit in retrieve(question.text)], BUDGETS)

    return Rivalry(ask, len(leaves), sum(cut.is_lost for cut in cuts.values()))


def make_cuts(source: str, text: str, chunks: Sequence[Any]) -> list[Cut]:
    """Chunks in the order of the text, with where they lie."""
    count = get_counter("cl100k_base")
    texts = [_text(chunk) for chunk in chunks]
    return [
        Cut(RankedChunk(source, *(lines or NOWHERE), count(quoted)), embedded)
        for (quoted, embedded), lines in zip(texts, locate(text, [quoted for quoted, _ in texts]), strict=True)
    ]


def _text(chunk: Any) -> tuple[str, str]:
    """What a reader gets, and what is embedded."""
    if isinstance(chunk, str):
        return chunk, chunk
    if isinstance(chunk, chunkers.InContext):
        return chunk
    if hasattr(chunk, "page_content"):
        return chunk.page_content, chunk.page_content
    if hasattr(chunk, "get_content"):
        from llama_index.core.schema import MetadataMode

        return chunk.get_content(MetadataMode.NONE), chunk.get_content(MetadataMode.EMBED)
    return chunk.text, chunk.text


def _levels(nodes: Sequence[Any]) -> list[list[Any]]:
    """The nodes of each level of a hierarchy, in the order of the text."""
    children: Mapping[str, Any] = {node.node_id: node for node in nodes}
    level = [node for node in nodes if node.parent_node is None]
    levels = []
    while level:
        levels.append(level)
        level = [children[child.node_id] for node in level for child in node.child_nodes or ()]
    return levels


def _merging_retriever(
    nodes: Sequence[Any], rank: Callable[[str], list[tuple[Any, float]]]
) -> Callable[[str], Sequence[Any]]:
    """LlamaIndex's own retriever, with its defaults, over leaves that were ranked here."""
    from llama_index.core.retrievers import AutoMergingRetriever, BaseRetriever
    from llama_index.core.schema import NodeWithScore, QueryBundle
    from llama_index.core.storage import StorageContext
    from llama_index.core.storage.docstore import SimpleDocumentStore

    class Ranked(BaseRetriever):  # type: ignore[misc]
        def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
            return [NodeWithScore(node=node, score=score) for node, score in rank(query_bundle.query_str)]

    documents = SimpleDocumentStore()
    documents.add_documents(nodes)
    storage = StorageContext.from_defaults(docstore=documents)
    retrieve: Callable[[str], Sequence[Any]] = AutoMergingRetriever(Ranked(), storage).retrieve
    return retrieve


RIVALS = (
    Rival("langchain", "LangChain recursive", "langchain-text-splitters", use_chunker(chunkers.langchain_recursive)),
    Rival(
        "langchain-headings",
        "LangChain headings + recursive",
        "langchain-text-splitters",
        use_chunker(chunkers.langchain_headings_recursive),
    ),
    Rival(
        "llamaindex",
        "LlamaIndex Markdown + sentences",
        "llama-index-core",
        use_chunker(chunkers.llama_index_markdown_sentence),
    ),
    Rival("llamaindex-merging", "LlamaIndex hierarchical, auto-merging", "llama-index-core", merge_automatically),
    Rival("chonkie", "chonkie recursive", "chonkie", use_chunker(chunkers.chonkie_recursive)),
    Rival("semantic", "semantic-text-splitter", "semantic-text-splitter", use_chunker(chunkers.semantic_text_splitter)),
    Rival("docling", "docling hybrid", "docling-core", use_chunker(chunkers.docling_hybrid), is_slow=True),
)
