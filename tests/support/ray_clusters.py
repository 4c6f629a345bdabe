"""Clusters of Ray on loopback, whose nodes are processes of this machine, and documents to index there."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import lance
import pytest
import ray
from ray.cluster_utils import Cluster
from tests.support.stored_documents import WordEmbedder

from crosshead.index import AddResult, Index
from crosshead.store import Parts
from crosshead.types import Vectors

MARKS = [
    pytest.mark.skipif(sys.platform != "linux", reason="nodes need addresses of their own on loopback"),
    pytest.mark.filterwarnings("ignore:lance is not fork-safe"),  # Ray runs programs of its own in its forks
    pytest.mark.filterwarnings("ignore:.*deprecated:DeprecationWarning:ray.data.context"),  # of Ray, by Ray
]

Call = tuple[int, str]
"""The process and the node that embedded something."""


@contextmanager
def made_cluster(cores: int) -> Iterator[Cluster]:
    """Start a head node with so many cores; others may join it."""
    cluster = Cluster(
        initialize_head=True,
        head_node_args={"num_cpus": cores, "node_ip_address": "127.0.0.2", "include_dashboard": False},
    )
    try:
        yield cluster
    finally:
        ray.shutdown()
        cluster.shutdown()


def write(folder: Path, number: int, extra: str = "") -> None:
    parts = [f"## Part {part}\n\npart {part} of {number}, {'word ' * (20 + number)}\n" for part in range(4)]
    (folder / f"{number:02}.md").write_text("\n".join([f"# Page {number}\n", *parts, extra]))


def settle(parts: Parts) -> None:
    """Let the hashes of files count as if they were taken long after the files were written."""
    for location in parts.locations:
        path = Path(location) / "files.json"
        hashes = json.loads(path.read_bytes()) if path.exists() else {}
        later = {name: (stat, time + 10**10, digest) for name, (stat, time, digest) in hashes.items()}
        path.write_text(json.dumps(later))


def rows_of(index: Index) -> list[dict[str, Any]]:
    """Return everything that is stored, byte for byte."""
    rows = lance.dataset(f"{index.location}/rows.lance").to_table().to_pylist()
    return sorted(rows, key=lambda row: str(row["key"]))


def is_same(found: AddResult, expected: AddResult) -> bool:
    of_both = [(each.summary, dict(each.failed), sorted(each.notes), each.skipped) for each in (found, expected)]
    return of_both[0] == of_both[1]


class SlowEmbedder(WordEmbedder):
    """Takes its time, and tells which processes work where."""

    def __init__(self, folder: Path, seconds: float = 0.0) -> None:
        self.folder = folder
        self.seconds = seconds

    def embed(self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None) -> list[Vectors]:
        self.folder.mkdir(exist_ok=True)
        call = self.folder / f"{time.time_ns()} {os.getpid()} {ray.get_runtime_context().get_node_id()}"
        call.touch()
        time.sleep(self.seconds)
        return super().embed(texts, on_progress=on_progress)

    def calls(self) -> list[Call]:
        """Return all calls so far, in order."""
        names = sorted(path.name.split() for path in self.folder.iterdir()) if self.folder.exists() else []
        return [(int(process), node) for _, process, node in names]

    def wait_for(self, is_reached: Callable[[list[Call]], bool], seconds: float = 120) -> list[Call]:
        """Wait until the calls are so that something is reached."""
        started = time.monotonic()
        while time.monotonic() - started < seconds:
            calls = self.calls()
            if is_reached(calls):
                return calls
            time.sleep(0.05)
        raise AssertionError(f"not reached with {len(self.calls())} calls")
