"""What a question costs in an index of many chunks, and how much of the truth it finds.

usage: python -m bench.storage.search [--chunks N] [--dimension N] [--queries N] [--tokens N] [--folder DIR]

Fills an embedded index with made-up chunks: words after Zipf's law, vectors in clusters (topic, document, noise), a
section tree of three levels. Prints CPU milliseconds (median and 99th percentile) for each kind of query, and the share
of the ten nearest chunks that dense search finds. `--tokens` lets each chunk keep so many tokens, and compares them in
hybrid search, as an index of MiniLM does. `--folder` keeps the index for another run.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from crosshead import ids
from crosshead.embedding.minilm import token_vectors as signs
from crosshead.search.retrieve import Retriever
from crosshead.store.lance.location.folder import Folder
from crosshead.store.lance.store import LanceStore
from crosshead.types import (
    HAS_TOKEN_VECTORS,
    Chunk,
    DocumentRows,
    Filter,
    Piece,
    QueryVectors,
    SearchRequest,
    StoredChunk,
    StoredDocument,
    StoredSection,
    Vectors,
)

CHUNKS_PER_DOCUMENT = 50
CHUNKS_PER_SECTION = 5
WORDS_PER_CHUNK = 100
VOCABULARY = 30_000
TOPICS = 300
QUESTION_TOKENS = 12
WARM_UP = 5
DOCUMENTS_PER_COMMIT = 500


class Corpus:
    """Made-up chunks that are the same in every run."""

    def __init__(self, chunks: int, dimension: int, tokens: int) -> None:
        self.rng = np.random.default_rng(7)
        self.token_bytes = tokens * len(signs.pack(np.ones((1, dimension), np.float32)).removeprefix(signs.MARK))
        self.documents = chunks // CHUNKS_PER_DOCUMENT
        topics = self._noise(TOPICS, dimension)
        centers = unit(
            topics[self.rng.integers(0, TOPICS, self.documents)] + 0.8 * self._noise(self.documents, dimension)
        )
        near = np.repeat(np.arange(self.documents), CHUNKS_PER_DOCUMENT)
        self.vectors = unit(centers[near] + 1.2 * self._noise(len(near), dimension))

    def _noise(self, count: int, dimension: int) -> Vectors:
        return unit(self.rng.normal(size=(count, dimension)))

    def words(self, count: int) -> str:
        """Return lines of ten words."""
        words = [word(number) for number in np.minimum(self.rng.zipf(1.3, count), VOCABULARY)]
        return "\n".join(" ".join(words[at : at + 10]) for at in range(0, count, 10))

    def queries(self, count: int) -> Iterator[tuple[str, Vectors]]:
        """Questions of four words that are not the most frequent ones, near some chunk."""
        for at in self.rng.integers(0, len(self.vectors), count):
            words = " ".join(word(number) for number in self.rng.integers(20, 3_000, 4))
            yield words, unit(self.vectors[at : at + 1] + self._noise(1, self.vectors.shape[1]))

    def rows(self, number: int) -> DocumentRows:
        """One document with its sections and chunks."""
        document_id = ids.document_id(f"{number}.md")
        sections = _sections(document_id)
        chunks = []
        for index in range(CHUNKS_PER_DOCUMENT):
            chunk = _chunk(
                number, document_id, sections[2 + index // CHUNKS_PER_SECTION], index, self.words(WORDS_PER_CHUNK)
            )
            vector = self.vectors[number * CHUNKS_PER_DOCUMENT + index]
            tokens = (signs.MARK + self.rng.bytes(self.token_bytes),) if self.token_bytes else ()
            chunks.append(StoredChunk(chunk, chunk.content_hash, vector.reshape(1, -1), tokens))
        text = "\n\n".join(each.chunk.content for each in chunks)
        document = StoredDocument(
            document_id, f"{number}.md", "markdown", f"Document {number}", text, "1", "", "2026-01-31", {}
        )
        return DocumentRows(document, sections, tuple(chunks))


class Replay:
    """Gives the vectors of known questions back, so that only the search is measured; other texts have no direction."""

    name, revision = "replay", "1"

    def __init__(self, queries: Sequence[tuple[str, Vectors]]) -> None:
        self.vectors = dict(queries)
        self.dimension = queries[0][1].shape[1]

    def embed(self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None) -> list[Vectors]:
        return [np.zeros((1, self.dimension), np.float32) for _ in texts]

    def embed_query(self, text: str) -> Vectors:
        return self.vectors[text]


class TokenReplay(Replay):
    """The same with tokens, which are compared as MiniLM's are; those of a question are made up."""

    def embed_with_tokens(
        self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None
    ) -> list[tuple[Vectors, bytes]]:
        return [(vectors, b"") for vectors in self.embed(texts)]

    def embed_query_with_tokens(self, text: str) -> QueryVectors:
        rng = np.random.default_rng(len(text))
        return QueryVectors(self.vectors[text], unit(rng.normal(size=(QUESTION_TOKENS, self.dimension))))

    def compare_tokens(self, query: Vectors, texts: Sequence[Sequence[bytes]]) -> list[float]:
        return signs.compare(query, texts)


class ByContent:
    """Knows chunks by their content, as they are stored here."""

    def pieces(self, chunk: Chunk) -> list[Piece]:
        return [Piece(0, len(chunk.content))]

    def text_hash(self, chunk: Chunk) -> str:
        return chunk.content_hash


@cache
def word(number: int) -> str:
    """Return a word of letters for a number."""
    return "".join(chr(ord("a") + int(digit)) * 2 for digit in str(number))


def unit(vectors: Vectors) -> Vectors:
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def _sections(document_id: str) -> tuple[StoredSection, ...]:
    """The root, the title, and a section for every few chunks."""
    paths: list[tuple[str, ...]] = [(), ("Guide",)]
    paths += [("Guide", f"Part {part}") for part in range(CHUNKS_PER_DOCUMENT // CHUNKS_PER_SECTION)]
    made: list[StoredSection] = []
    for path in paths:
        parent = made[min(len(path), 2) - 1].id if path else None
        title = path[-1] if path else ""
        section_id = ids.section_id(document_id, path, 0)
        made.append(StoredSection(section_id, parent, document_id, title, len(path), path, 0, 0, 1, 1))
    return tuple(made)


def _chunk(number: int, document_id: str, section: StoredSection, index: int, content: str) -> Chunk:
    content_hash = ids.content_hash(content)
    return Chunk(
        id=ids.chunk_id(document_id, section.path, content_hash, index), document_id=document_id,
        source=f"{number}.md", section_id=section.id, index=index, content=content, token_count=WORDS_PER_CHUNK,
        content_hash=content_hash, content_type="prose", section_path=section.path, section_level=section.level,
        inner_headings=(), start=0, end=len(content), start_line=1, end_line=1, page_start=None, page_end=None,
        block_start=0, block_end=0, part=0, parts=1, section_token_count=WORDS_PER_CHUNK, is_complete_section=False,
        parent_chunk_id=None, prev_id=None, next_id=None, sibling_chunk_ids=(), overlap="", prefix="", suffix="",
        oversize_reason=None, indexable=True, heading_prefix="", document_title=f"Document {number}",
        format="markdown", metadata={},
    )  # fmt: skip


def fill(store: LanceStore, corpus: Corpus) -> None:
    started = time.process_time()
    with store.lock():
        for first in range(0, corpus.documents, DOCUMENTS_PER_COMMIT):
            last = min(first + DOCUMENTS_PER_COMMIT, corpus.documents)
            store.replace_documents([corpus.rows(number) for number in range(first, last)])
        filled = time.process_time()
        store.maintain()
    print(f"fill {filled - started:.0f} CPU s, indexes {time.process_time() - filled:.0f} CPU s")


def measure(name: str, work: Sequence[Callable[[], object]]) -> None:
    spent = []
    for each in work:
        started = time.process_time()
        each()
        spent.append(1000 * (time.process_time() - started))
    median, worst = np.percentile(spent[WARM_UP:], [50, 99])
    print(f"{name:<28} p50 {median:6.1f}   p99 {worst:6.1f} CPU ms")


def measure_recall(
    store: LanceStore, queries: Sequence[tuple[str, Vectors]], chunk_ids: Sequence[str], corpus: Corpus
) -> None:
    found = 0
    for _, vector in queries:
        exact = np.argsort(-(corpus.vectors @ vector[0]), kind="stable")[:10]
        nearest = {each.chunk_id for each in store.search_dense(vector, 50, Filter())[:10]}
        found += len(nearest.intersection(chunk_ids[at] for at in exact))
    print(f"recall@10 of dense search    {found / (10 * len(queries)):.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--dimension", type=int, default=256)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--tokens", type=int, default=0, help="that each chunk keeps (default: none)")
    parser.add_argument("--folder", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        run(arguments, arguments.folder or Path(scratch) / "index")


def run(arguments: argparse.Namespace, folder: Path) -> None:
    corpus = Corpus(arguments.chunks, arguments.dimension, arguments.tokens)
    queries = list(corpus.queries(arguments.queries + WARM_UP))
    kept = bool(arguments.tokens)
    settings = {"language": "simple", "dimension": arguments.dimension, "embedder": "none", HAS_TOKEN_VECTORS: kept}
    store = LanceStore(Folder(folder), create=settings)
    if not store.document_revisions():
        fill(store, corpus)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print(f"{corpus.documents * CHUNKS_PER_DOCUMENT:,} chunks, {arguments.dimension} numbers, {size / 1e6:,.0f} MB")
    embedder = TokenReplay(queries) if kept else Replay(queries)
    retriever = Retriever(store, embedder, piece_maker=ByContent(), compares_tokens=kept)
    request = SearchRequest(query="", rerank_depth=20) if kept else SearchRequest(query="")
    batches = [[each.chunk_id for each in store.search_dense(vector, 20, Filter())] for _, vector in queries]
    parts = [[chunk.section_id for chunk in store.chunks(batch[:10])] for batch in batches]
    measure("hybrid", [lambda text=text: retriever.search(replace(request, query=text)) for text, _ in queries])
    measure(
        "hybrid, section filter",
        [
            lambda text=text: retriever.search(replace(request, query=text, section_filter="part 3"))
            for text, _ in queries
        ],
    )
    measure(
        "hybrid, source filter",
        [lambda text=text: retriever.search(replace(request, query=text, source="1*.md")) for text, _ in queries],
    )
    measure("dense", [lambda vector=vector: store.search_dense(vector, 50, Filter()) for _, vector in queries])
    measure(
        "lexical",
        [
            lambda text=text: store.search_lexical(text.split(), 50, Filter(), heading_weight=0.25)
            for text, _ in queries
        ],
    )
    measure("fetch 20 chunks", [lambda batch=batch: store.chunks(batch) for batch in batches])
    measure("chunks of 10 sections", [lambda part=part: store.section_chunks(part) for part in parts])
    measure_recall(store, queries, _chunk_ids(store, corpus), corpus)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2)
    print(f"peak memory, the corpus included: {peak:,.0f} MB")


def _chunk_ids(store: LanceStore, corpus: Corpus) -> list[str]:
    """Return the ids in the order of the vectors."""
    found = store.table.latest().rows("kind = 'chunk'", ["key", "source", "seq"])
    found.sort(key=lambda row: (int(row["source"].removesuffix(".md")), row["seq"]))
    return [row["key"] for row in found]


if __name__ == "__main__":
    main()
