"""How long does it take to cut a document, and to import Crosshead?

usage: python -m bench.chunking.latency [--rounds N] [--max-tokens N] [--startup] [FOLDER ...]

Prints milliseconds per document of at most 100 kB below the folders (default: the corpus); with --startup, those of
`import crosshead` against bare Python instead.
"""

from __future__ import annotations

import argparse
import gc
import logging
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from bench.chunking.texts import Text, load, megabytes_of
from bench.lib import corpus

import crosshead

logging.disable(logging.WARNING)  # notes about odd documents

LARGEST = 100_000
"""Bytes of the largest document that is measured."""
STARTUP_RUNS = 10


def measure_latency(texts: list[Text], *, rounds: int, max_tokens: int) -> None:
    """Wall time per document, the median of some rounds for each."""
    small = [text for text in texts if text.size <= LARGEST]
    taken: list[list[float]] = [[] for _ in small]
    gc.collect()
    gc.freeze()
    for _ in range(rounds):
        for text, times in zip(small, taken, strict=True):
            started = time.perf_counter()
            crosshead.chunk(text.content, max_tokens=max_tokens, mdx=text.is_mdx)
            times.append(1000 * (time.perf_counter() - started))
    ranked = sorted(statistics.median(times) for times in taken)
    print(f"\n{len(small):,} documents of at most {LARGEST // 1000} kB, {megabytes_of(small):.1f} MB\n")
    print("| p50 ms | p99 ms | max ms |\n|---|---|---|")
    print(f"| {ranked[len(ranked) // 2]:.2f} | {ranked[int(0.99 * (len(ranked) - 1))]:.2f} | {ranked[-1]:.2f} |")


def measure_startup() -> None:
    """Wall and CPU time of new processes, taking turns."""
    commands = {"bare Python": "pass", "import crosshead": "import crosshead"}
    wall: dict[str, list[float]] = {name: [] for name in commands}
    cpu: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(STARTUP_RUNS):
        for name, command in commands.items():
            started, used = time.perf_counter(), _children_seconds()
            subprocess.run([sys.executable, "-c", command], check=True)
            wall[name].append(1000 * (time.perf_counter() - started))
            cpu[name].append(1000 * (_children_seconds() - used))
    print(f"\nMedian of {STARTUP_RUNS} processes\n\n| | ms | CPU ms |\n|---|---|---|")
    rows = {name: (statistics.median(wall[name]), statistics.median(cpu[name])) for name in commands}
    bare, full = rows.values()
    for name, (first, second) in {**rows, "difference": (full[0] - bare[0], full[1] - bare[1])}.items():
        print(f"| {name} | {first:.0f} | {second:.0f} |")


def _children_seconds() -> float:
    times = os.times()
    return times.children_user + times.children_system


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="rounds (default: 3)")
    parser.add_argument("--startup", action="store_true")
    parser.add_argument("--max-tokens", type=int, default=400, metavar="N", help="budget of a chunk (default: 400)")
    arguments = parser.parse_args()
    if arguments.startup:
        measure_startup()
    else:
        texts = load(arguments.folders or corpus.corpus_folders())
        measure_latency(texts, rounds=arguments.rounds, max_tokens=arguments.max_tokens)


if __name__ == "__main__":
    main()
