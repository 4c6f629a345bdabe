"""The chunkers that Crosshead is measured against, each as `text -> chunks` for a budget of cl100k_base tokens.

Every peer counts with tiktoken and adds no overlap, as its own documentation shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NamedTuple

ENCODING = "cl100k_base"
MODEL = "gpt-4"
"""A model that uses this encoding, for peers that ask for a model."""

Chunker = Callable[[str], Sequence[Any]]


class Peer(NamedTuple):
    title: str
    package: str
    make: Callable[[int], Chunker]
    is_slow: bool = False
    """Measured on fewer documents."""


class InContext(NamedTuple):
    """A chunk and what its peer would embed for it."""

    text: str
    embedded: str


def installed_version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "?"


def _encoding() -> Any:
    import tiktoken

    return tiktoken.get_encoding(ENCODING)


def tiktoken_counting(max_tokens: int) -> Chunker:
    encode = _encoding().encode_ordinary
    return lambda text: [len(encode(text))]


def semantic_text_splitter(max_tokens: int) -> Chunker:
    from semantic_text_splitter import MarkdownSplitter

    return MarkdownSplitter.from_tiktoken_model(MODEL, max_tokens).chunks


def langchain_headings_recursive(max_tokens: int) -> Chunker:
    from langchain_text_splitters import MarkdownHeaderTextSplitter, RecursiveCharacterTextSplitter

    headings = MarkdownHeaderTextSplitter([("#" * n, f"h{n}") for n in range(1, 7)], strip_headers=False)
    recursive = RecursiveCharacterTextSplitter.from_tiktoken_encoder(
        encoding_name=ENCODING, chunk_size=max_tokens, chunk_overlap=0, disallowed_special=()
    )
    return lambda text: recursive.split_documents(headings.split_text(text))


def langchain_recursive(max_tokens: int) -> Chunker:
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    splitter = RecursiveCharacterTextSplitter.from_tiktoken_encoder(
        encoding_name=ENCODING, chunk_size=max_tokens, chunk_overlap=0, disallowed_special=()
    )
    return splitter.split_text


def langchain_markdown(max_tokens: int) -> Chunker:
    from langchain_text_splitters import MarkdownTextSplitter

    splitter = MarkdownTextSplitter.from_tiktoken_encoder(
        encoding_name=ENCODING, chunk_size=max_tokens, chunk_overlap=0, disallowed_special=()
    )
    return splitter.split_text


def llama_index_markdown_sentence(max_tokens: int) -> Chunker:
    from llama_index.core import Document
    from llama_index.core.node_parser import MarkdownNodeParser

    sections = MarkdownNodeParser()
    sentences = _llama_index_sentences(max_tokens)
    return lambda text: sentences.get_nodes_from_documents(sections.get_nodes_from_documents([Document(text=text)]))


def llama_index_hierarchy(sizes: Sequence[int]) -> Chunker:
    """All nodes of the hierarchy, which know their parents and children."""
    from llama_index.core import Document
    from llama_index.core.node_parser import HierarchicalNodeParser

    names = [f"at most {size}" for size in sizes]
    parser = HierarchicalNodeParser.from_defaults(
        node_parser_ids=names, node_parser_map=dict(zip(names, map(_llama_index_sentences, sizes), strict=True))
    )
    return lambda text: parser.get_nodes_from_documents([Document(text=text)])


def _llama_index_sentences(max_tokens: int) -> Any:
    from llama_index.core.node_parser import SentenceSplitter

    encode = _encoding().encode
    return SentenceSplitter(
        chunk_size=max_tokens, chunk_overlap=0, tokenizer=lambda text: encode(text, disallowed_special=())
    )


def chonkie_recursive(max_tokens: int) -> Chunker:
    from chonkie import RecursiveChunker

    return RecursiveChunker(tokenizer=_encoding(), chunk_size=max_tokens).chunk


def docling_hybrid(max_tokens: int) -> Chunker:
    """The Markdown backend is called directly: the usual converter wants models that it would download."""
    from io import BytesIO

    from docling.backend.md_backend import MarkdownDocumentBackend
    from docling.datamodel.base_models import InputFormat
    from docling.datamodel.document import InputDocument
    from docling_core.transforms.chunker.hybrid_chunker import HybridChunker
    from docling_core.transforms.chunker.tokenizer.openai import OpenAITokenizer

    chunker = HybridChunker(tokenizer=OpenAITokenizer(tokenizer=_encoding(), max_tokens=max_tokens))

    def chunk(text: str) -> list[InContext]:
        source = InputDocument(
            path_or_stream=BytesIO(text.encode()),
            format=InputFormat.MD,
            backend=MarkdownDocumentBackend,
            filename="document.md",
        )
        chunks = chunker.chunk(source._backend.convert())
        return [InContext(each.text, chunker.contextualize(each)) for each in chunks]

    return chunk


COUNTING = Peer("tiktoken, only counting", "tiktoken", tiktoken_counting)
SEMANTIC = Peer("semantic-text-splitter, tokens", "semantic-text-splitter", semantic_text_splitter)
PEERS = (
    COUNTING,
    SEMANTIC,
    Peer("LangChain headings + recursive", "langchain-text-splitters", langchain_headings_recursive),
    Peer("LangChain MarkdownTextSplitter", "langchain-text-splitters", langchain_markdown),
    Peer("LlamaIndex Markdown + sentences", "llama-index-core", llama_index_markdown_sentence),
    Peer("chonkie recursive", "chonkie", chonkie_recursive),
    Peer("docling hybrid", "docling-core", docling_hybrid, is_slow=True),
)
