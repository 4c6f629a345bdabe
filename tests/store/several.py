"""Several processes at one Lance table, wherever it lies.

A test module defines the fixtures `store` and `reopen`, as for `StoreConformance`, and inherits `SeveralProcesses`.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.store.conformance import Reopen, dense, lexical, small, write
from tests.store.writer import make_version

from crosshead.errors import Locked
from crosshead.store.lance.store import LanceStore

ROOT = Path(__file__).parents[2]


class SeveralProcesses:
    """What must be true of a table while others write to it."""

    kills = 10

    def test_a_second_writer_is_locked_out_and_may_write_afterwards(self, store: LanceStore, reopen: Reopen) -> None:
        other = reopen()
        with store.lock(), pytest.raises(Locked), other.lock():
            pass
        write(other, small())
        assert store.document_revisions()

    def test_another_process_is_locked_out(self, store: LanceStore) -> None:
        with writing(store, 1), pytest.raises(Locked, match="another process"), store.lock():
            pass
        with store.lock():
            pass

    def test_readers_beside_a_writer_see_whole_documents(self, store: LanceStore) -> None:
        seen: set[str] = set()
        with writing(store, 2):
            deadline = time.monotonic() + 20
            while len(seen) < 6 and time.monotonic() < deadline:
                seen.update(check_whole(store).values())
        assert len(seen) >= 6

    def test_threads_may_read_side_by_side(self, store: LanceStore) -> None:
        write(store, *(make_version(number, 7) for number in range(6)))
        failures: list[BaseException] = []

        def read() -> None:
            try:
                for _ in range(10):
                    assert len(dense(store, "version part", 50)) == 6 * 5
                    assert len(lexical(store, "version", 50)) == 6 * 5
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=read) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not failures

    def test_a_killed_writer_leaves_whole_documents(self, store: LanceStore) -> None:
        rng = random.Random(5)
        write(store, *(make_version(number, 1) for number in range(6)))
        for seed in range(self.kills):
            with writing(store, seed):
                time.sleep(rng.uniform(0, 0.4))
            survivor = LanceStore(store.table.location)
            check_whole(survivor)
        write(LanceStore(store.table.location), *(make_version(number, 3) for number in range(6)))
        assert set(check_whole(store).values()) == {"3"}
        assert len(store.document_revisions()) == 6


@contextmanager
def writing(store: LanceStore, seed: int) -> Iterator[None]:
    """Another process writes, until it is killed without a chance to tidy up."""
    command = [sys.executable, "-m", "tests.store.writer", store.location, str(seed)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout
            assert process.stdout.readline() == b"ready\n"
            yield
        finally:
            process.kill()


def check_whole(store: LanceStore) -> dict[str, str]:
    """Every document has all rows of one version, and no id is there twice; return the revisions."""
    rows = (
        store.table.location.open_table().to_table(columns=["key", "kind", "source", "record", "content"]).to_pylist()
    )
    assert len({row["key"] for row in rows}) == len(rows)
    revisions = {row["source"]: json.loads(row["record"])["revision"] for row in rows if row["kind"] == "document"}
    chunks = sorted((row["source"], row["content"]) for row in rows if row["kind"] == "chunk")
    expected = [
        (source, stored.chunk.content)
        for source, revision in revisions.items()
        for stored in make_version(int(source.removesuffix(".md")), int(revision)).chunks
    ]
    assert chunks == sorted(expected)
    return revisions
