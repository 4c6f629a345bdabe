"""What Ray costs on one machine: indexing a folder with the engine `ray` and with processes of this machine.

usage: python -m bench.storage.cluster FOLDER [--embedder NAME ...] [--rounds N]

Starts a cluster with all cores of this machine, prints how long that takes, and indexes the folder into new indexes
with either engine, taking turns; `none` makes no vectors. Trust the ratios: the rest depends on the machine. One
process commits what all others make; the last two columns tell when more of them are of no use.
"""

from __future__ import annotations

import argparse
import logging
import os
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import ray
import ray.data  # its import is not to be measured

from crosshead.index import Index
from crosshead.indexing.engines.cluster import LOOPBACK, QUIET
from crosshead.store.lance.store import LanceStore

NO_VECTORS = "none"
ENGINES = ("local", "ray")


class Run(NamedTuple):
    seconds: float
    own_cpu_seconds: float
    """Of this process, which commits, and with `local` embeds as well."""
    commit_cpu_seconds: float
    """The part of it that commits take; the rest moves rows, and builds the search indexes at the end."""
    chunks: int


class CommitTimer:
    """Adds up the CPU time of commits."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._commit = LanceStore.replace_documents

    def __call__(self, store: LanceStore, documents: Sequence[Any]) -> Sequence[str]:
        before = time.process_time()
        try:
            return self._commit(store, documents)
        finally:
            self.seconds += time.process_time() - before


COMMITS = CommitTimer()


def index_folder(folder: Path, embedder: str, engine: str) -> Run:
    with tempfile.TemporaryDirectory() as place:
        name = "static" if embedder == NO_VECTORS else embedder
        with Index(Path(place) / "index", root=folder, embedder=name) as index:
            started, cpu, commits = time.perf_counter(), time.process_time(), COMMITS.seconds
            index.add(folder, engine=engine, embed=embedder != NO_VECTORS)  # type: ignore[arg-type]
            seconds, own, commits = (
                time.perf_counter() - started,
                time.process_time() - cpu,
                COMMITS.seconds - commits,
            )
            return Run(seconds, own, commits, index.status().chunks)


def measure(folder: Path, embedder: str, rounds: int) -> str:
    runs: dict[str, list[Run]] = {engine: [] for engine in ENGINES}
    for _ in range(rounds):
        for engine in ENGINES:
            runs[engine].append(index_folder(folder, embedder, engine))
    local, far = (statistics.median(run.seconds for run in runs[engine]) for engine in ENGINES)
    whole = statistics.median(run.chunks / run.own_cpu_seconds for run in runs["ray"])
    commits = statistics.median(run.chunks / run.commit_cpu_seconds for run in runs["ray"])
    times = f"{local:.1f} | {far:.1f} | {far - local:+.1f} | {far / local:.2f}"
    return f"| {embedder} | {times} | {whole:,.0f} | {commits:,.0f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--embedder", nargs="+", default=[NO_VECTORS, "static"], metavar="NAME")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="rounds (default: 3)")
    arguments = parser.parse_args()
    os.environ.update(QUIET)
    LanceStore.replace_documents = lambda store, documents: COMMITS(store, documents)  # type: ignore[method-assign]  # noqa: PLW0108  # it binds
    started = time.perf_counter()
    ray.init(
        "local", include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR, _node_ip_address=LOOPBACK
    )
    print(f"to start a cluster of {os.cpu_count()} cores: {time.perf_counter() - started:.1f} s\n")
    print("| vectors | local, s | ray, s | difference | ratio | chunks a CPU s of the committer | in commits alone |")
    print("|---|---|---|---|---|---|---|")
    for embedder in arguments.embedder:
        print(measure(arguments.folder, embedder, arguments.rounds), flush=True)


if __name__ == "__main__":
    main()
