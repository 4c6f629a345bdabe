"""What indexing costs: again without changes, per megabyte against LlamaIndex, and beside the model.

usage: python -m bench.storage.indexing [FOLDER ...] [--files N] [--minilm-files N] [--rounds N]

Takes documents of the folders (default: the corpus, which is fetched if it is not there), spread over all of them, into
a folder of its own and prints Markdown tables. Times are CPU seconds of this process and all its threads, after
everything is imported and a first small index is made. Read ratios, not absolute figures.

    per megabyte  text to an index on the disk; LlamaIndex with its Markdown parser, the same static table behind its
                  interface of embeddings, and its default vector store
    unchanged     the same folder again, with a stat of each file, and with --verify, which reads each file
    again         the same folder indexed twice, then with one section edited; with the static table, and with MiniLM if
                  it is installed: on fewer documents, because it is slow, and with the share of the model itself
"""

from __future__ import annotations

import argparse
import logging
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bench.lib import corpus

from crosshead.embedding.minilm.encoder import MiniLMEmbedder, is_ready
from crosshead.embedding.static import StaticEmbedder
from crosshead.index import AddResult, Index
from crosshead.indexing.files.hashes import TICK_NS
from crosshead.types import Embedder

logging.disable(logging.WARNING)

MARK = "An edited sentence stands here."


class Timed(NamedTuple):
    seconds: float
    result: Any


class CountingModel(MiniLMEmbedder):
    """Adds up the time that the model itself takes."""

    inside_seconds = 0.0

    def _run(self, windows: Sequence[Sequence[int]]) -> Any:
        started = time.process_time()
        rows = super()._run(windows)
        self.inside_seconds += time.process_time() - started
        return rows


def timed(work: Callable[[], Any]) -> Timed:
    started = time.process_time()
    result = work()
    return Timed(time.process_time() - started, result)


def take_documents(folders: Sequence[Path], count: int, target: Path) -> float:
    """Copy documents, evenly spread, into a new folder; return their megabytes."""
    paths = corpus.documents(folders)
    step = max(len(paths) / count, 1)
    target.mkdir()
    size = 0
    for number in range(min(count, len(paths))):
        text = corpus.read_text(paths[int(number * step)])
        size += (target / f"{number:05}.md").write_bytes(text.encode())
    return size / 1e6


def add(location: Path, docs: Path, embedder: str | Embedder) -> AddResult:
    """Open an index and index the documents in this process alone, as a program does that has just been started."""
    with Index(location, root=docs.parent, embedder=embedder) as index:
        return index.add(docs, jobs=1)


def edit_a_section(docs: Path) -> None:
    """Put a sentence at the end of the document with most chunks."""
    largest = max(docs.iterdir(), key=lambda path: path.stat().st_size)
    with largest.open("a") as file:
        file.write(f"\n\n{MARK}\n")


def print_again(folder: Path, docs: Path, make_embedder: Callable[[], Embedder], megabytes: float) -> None:
    embedder = make_embedder()
    location = folder / f"again-{embedder.name}"
    first = timed(lambda: add(location, docs, embedder))
    second = timed(lambda: add(location, docs, make_embedder()))
    edit_a_section(docs)
    third = timed(lambda: add(location, docs, make_embedder()))
    print(f"\n{sum(1 for _ in docs.iterdir()):,} documents of {megabytes:.1f} MB, {embedder.name}\n")
    print("| run | texts embedded | CPU s | of the first |\n|---|---|---|---|")
    for title, run in (("first", first), ("unchanged", second), ("one section edited", third)):
        print(f"| {title} | {run.result.embedded:,} | {run.seconds:.2f} | {run.seconds / first.seconds:.1%} |")
    if isinstance(embedder, CountingModel):
        print(f"\ninside the model: {embedder.inside_seconds / first.seconds:.1%} of the first run")


def print_unchanged(folder: Path, docs: Path, rounds: int) -> None:
    """Compare runs that find nothing changed; the files must be older than a tick of the file system's clock."""
    time.sleep(TICK_NS / 1e9 + 1)
    seconds: dict[bool, list[float]] = {False: [], True: []}
    with Index(folder / "unchanged", root=docs.parent, embedder="static") as index:
        index.add(docs)
        for _ in range(rounds):
            for verify, runs in seconds.items():
                runs.append(timed(lambda verify=verify: index.add(docs, verify=verify)).seconds)  # type: ignore[misc]
    stat, read = map(statistics.median, seconds.values())
    print(f"\nunchanged, median of {rounds} rounds\n\n| files | CPU s | of reading |\n|---|---|---|")
    print(f"| stat | {stat:.2f} | {stat / read:.2f} |\n| read (--verify) | {read:.2f} | 1.00 |", flush=True)


def index_with_llamaindex(docs: Path, location: Path | None) -> int:
    """Return the number of nodes."""
    from llama_index.core import Document, VectorStoreIndex
    from llama_index.core.node_parser import MarkdownNodeParser

    documents = [
        Document(text=path.read_text("utf-8"), metadata={"path": path.name}) for path in sorted(docs.iterdir())
    ]
    index = VectorStoreIndex.from_documents(
        documents, transformations=[MarkdownNodeParser()], embed_model=llamaindex_embedding()
    )
    if location:
        index.storage_context.persist(str(location))
    return len(index.index_struct.nodes_dict)


def llamaindex_embedding() -> Any:
    """The static table as LlamaIndex wants it."""
    from llama_index.core.embeddings import BaseEmbedding

    table = StaticEmbedder()

    class StaticEmbedding(BaseEmbedding):  # type: ignore[misc]
        def _get_text_embedding(self, text: str) -> list[float]:
            return self._get_text_embeddings([text])[0]

        def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
            return [vectors[0].tolist() for vectors in table.embed(texts)]

        _get_query_embedding = _get_text_embedding

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

    return StaticEmbedding(embed_batch_size=512)


def print_per_megabyte(folder: Path, docs: Path, megabytes: float, rounds: int) -> None:
    try:
        import llama_index.core  # noqa: F401
    except ImportError:
        print("\nLlamaIndex is not installed, so the comparison is left out: see bench/constraints.txt")
        return
    contestants: dict[str, Callable[[int], Any]] = {
        "Crosshead, on the disk": lambda turn: add(folder / f"ours-{turn}", docs, StaticEmbedder()).embedded,
        "LlamaIndex, in memory": lambda turn: index_with_llamaindex(docs, None),
        "LlamaIndex, on the disk": lambda turn: index_with_llamaindex(docs, folder / f"theirs-{turn}"),
    }
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    texts: dict[str, int] = {}
    for turn in range(rounds):
        for name, run in contestants.items():
            taken = timed(lambda run=run, turn=turn: run(turn))  # type: ignore[misc]
            seconds[name].append(taken.seconds)
            texts[name] = taken.result
    base = statistics.median(seconds["LlamaIndex, on the disk"])
    print(f"\n{megabytes:.1f} MB, static table, median of {rounds} rounds\n")
    print("| index | texts embedded | CPU s per MB | of LlamaIndex, on the disk |\n|---|---|---|---|")
    for name, each in seconds.items():
        median = statistics.median(each)
        print(f"| {name} | {texts[name]:,} | {median / megabytes:.2f} | {median / base:.2f} |", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--files", type=int, default=1_000, metavar="N", help="documents (default: 1,000)")
    parser.add_argument("--minilm-files", type=int, default=100, metavar="N", help="for MiniLM (default: 100)")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="rounds per megabyte (default: 3)")
    arguments = parser.parse_args()
    folders = arguments.folders or corpus.corpus_folders()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        take_documents(folders, 20, folder / "warm")
        add(folder / "warm-up", folder / "warm", "static")
        megabytes = take_documents(folders, arguments.files, folder / "docs")
        few_megabytes = take_documents(folders, arguments.minilm_files, folder / "few")
        print_per_megabyte(folder, folder / "docs", megabytes, arguments.rounds)
        print_unchanged(folder, folder / "docs", arguments.rounds)
        print_again(folder, folder / "docs", StaticEmbedder, megabytes)
        if is_ready("minilm"):
            print_again(folder, folder / "few", CountingModel, few_megabytes)
        else:
            print("\nMiniLM is left out: crosshead model install minilm")
    return 0


if __name__ == "__main__":
    sys.exit(main())
