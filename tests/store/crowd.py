"""Many writers and readers at once, and what must be true of what they did.

usage: python -m tests.store.crowd URL [SECONDS]

Every writer replaces documents that the others replace too, each time by another version; all chunks of a version name
it. Readers check that every document they see is whole. At the end the stored version of a document must be one that no
acknowledged write came after.
"""

from __future__ import annotations

import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from tests.store.conformance import EVERYTHING
from tests.store.writer import make_version
from tests.support.stored_documents import SETTINGS, WordEmbedder

from crosshead.store.postgres.store import PostgresStore

DOCUMENTS = 12
WRITERS = 8
READERS = 16
VERSIONS_OF_A_WRITER = 1_000_000
_WHOLE = """
    SELECT source, revision, array_agg(content ORDER BY seq) FROM works JOIN chunks ON work_id = works.id
    WHERE record IS NOT NULL GROUP BY source, revision
"""


class Written(NamedTuple):
    """A write that was acknowledged."""

    document: int
    version: int
    started: float
    ended: float


class Crowd:
    """Writers and readers of one index, each with its own connections."""

    def __init__(self, url: str, writers: int = WRITERS, readers: int = READERS) -> None:
        self.url = url
        self.written: list[Written] = []
        self.reads = 0
        self.failures: list[BaseException] = []
        self._stop = threading.Event()
        work: list[Callable[[], None]] = [self._writer(number) for number in range(writers)]
        work += [self._reader(number) for number in range(readers)]
        self._threads = [threading.Thread(target=self._guarded, args=(each,)) for each in work]

    @contextmanager
    def at_work(self) -> Iterator[None]:
        for thread in self._threads:
            thread.start()
        try:
            yield
        finally:
            self._stop.set()
            for thread in self._threads:
                thread.join()

    def check(self) -> None:
        """Raise an error if a document is torn, or a write was lost."""
        assert not self.failures, self.failures[0]
        store = PostgresStore(self.url)
        try:
            final = check_whole(store)
        finally:
            store.close()
        for number in range(DOCUMENTS):
            writes = [each for each in self.written if each.document == number]
            last_start = max(each.started for each in writes)
            possible = {each.version for each in writes if each.ended >= last_start}
            assert final[f"{number}.md"] in possible

    def _guarded(self, work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:
            self.failures.append(error)
            self._stop.set()

    def _writer(self, writer: int) -> Callable[[], None]:
        def write() -> None:
            rng = random.Random(writer)
            version = writer * VERSIONS_OF_A_WRITER
            store = PostgresStore(self.url)
            while not self._stop.is_set():
                numbers = rng.sample(range(DOCUMENTS), rng.randint(1, 3))
                version += 1
                started = time.monotonic()
                store.replace_documents([make_version(number, version) for number in numbers])
                ended = time.monotonic()
                self.written += [Written(number, version, started, ended) for number in numbers]
            store.close()

        return write

    def _reader(self, reader: int) -> Callable[[], None]:
        def read() -> None:
            store = PostgresStore(self.url)
            query = WordEmbedder().embed_query("version part")
            while not self._stop.is_set():
                if reader % 2:
                    check_whole(store)
                else:
                    store.chunks([each.chunk_id for each in store.search_dense(query, 10, EVERYTHING)])
                    store.search_lexical(["version", "part"], 10, EVERYTHING, heading_weight=0.25)
                self.reads += 1
            store.close()

        return read


def check_whole(store: PostgresStore) -> dict[str, int]:
    """Every document has all chunks of its version and no others; return the versions."""
    versions: dict[str, int] = {}
    for source, revision, contents in store._database.fetch(_WHOLE):
        named = Counter(word for content in contents for word in content.split() if word.isdigit() and int(word) > 9)
        parts = sum(content.count("version ") for content in contents)
        assert parts == 2 + int(revision) % 4, (source, revision, contents)
        assert set(named) <= {revision}, (source, revision, contents)
        versions[source] = int(revision)
    return versions


def prepare(url: str) -> None:
    """Make an index with a first version of every document."""
    store = PostgresStore(url, create=SETTINGS)
    store.replace_documents([make_version(number, 10) for number in range(DOCUMENTS)])
    store.close()


def main(url: str, seconds: str = "60") -> None:
    prepare(url)
    crowd = Crowd(url)
    with crowd.at_work():
        time.sleep(float(seconds))
    crowd.check()
    print(f"{len(crowd.written):,} documents written, {crowd.reads:,} reads, all whole, none lost")


if __name__ == "__main__":
    main(*sys.argv[1:])
