"""What a run over many small files takes: memory, disk, time, and when the first of them is found.

usage: python -m bench.storage.many_files [COUNT ...] [--bytes N] [--jobs N] [--index URL]

Makes folders of COUNT files (default: 20,000) of N bytes (200), indexes each with `crosshead index` and the static
table, and prints a Markdown table. Memory is the largest resident size, of the process that writes and of its workers
together; the disk is the largest size of the index during the run, beside what is left of it in the end. Meanwhile a
word of the first file is asked for, again and again, until it is found.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path

from crosshead.errors import StoreError
from crosshead.index import Index

WORDS = (
    "sensor",
    "valve",
    "pressure",
    "template",
    "archive",
    "market",
    "river",
    "engine",
    "letter",
    "garden",
    "summer",
)
TICK_SECONDS = 0.25


def make_files(folder: Path, count: int, size: int) -> None:
    """Write files whose texts all differ, a thousand in each folder."""
    chance = random.Random(1)
    for number in range(count):
        path = folder / f"{number // 1000:04}" / f"{number:07}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = f"# File {number}\n\nIts mark is mark{number}.\n\n"
        while len(text) < size:
            text += chance.choice(WORDS) + chance.choice(" \n" if chance.random() < 0.1 else " ")
        path.write_text(text[:size])


class Watcher(threading.Thread):
    """Measures a process and the folder that it writes until it ends."""

    def __init__(self, process: subprocess.Popen[str], index: str) -> None:
        super().__init__(daemon=True)
        self.process, self.index = process, index
        self.main = self.workers = self.disk = 0
        self.first_found = 0.0
        self._since = time.monotonic()

    def run(self) -> None:
        """Look again and again."""
        while self.process.poll() is None:
            self.main = max(self.main, resident(self.process.pid))
            self.workers = max(self.workers, sum(map(resident, children(self.process.pid))))
            self.disk = max(self.disk, size_of(self.index))
            if not self.first_found and is_found(self.index):
                self.first_found = time.monotonic() - self._since
            time.sleep(TICK_SECONDS)


def resident(pid: int) -> int:
    """Return the resident bytes of a process."""
    with suppress(OSError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def children(pid: int) -> list[int]:
    """Return the processes that a process has started."""
    with suppress(OSError):
        tasks = Path(f"/proc/{pid}/task").iterdir()
        return [int(each) for task in tasks for each in (task / "children").read_text().split()]
    return []


def size_of(index: str) -> int:
    """Return the bytes that an index in a folder takes now."""
    size = 0
    for folder, _, names in os.walk(index):
        with suppress(OSError):
            size += sum(os.stat(os.path.join(folder, name)).st_size for name in names)
    return size


def is_found(location: str) -> bool:
    """Is a word of the first file found?"""
    try:
        with Index(location, create=False) as index:
            return bool(index.search("mark0", mode="lexical"))
    except StoreError:
        return False


def measure(count: int, size: int, jobs: int | None, location: str | None) -> None:
    """Index so many files, and print a row."""
    with tempfile.TemporaryDirectory() as folder:
        docs = Path(folder) / "docs"
        make_files(docs, count, size)
        index = location or str(Path(folder) / "index")
        command = [
            sys.executable,
            "-c",
            "from crosshead.cli import main; main()",
            "index",
            str(docs),
            "--index",
            index,
            "--embedder",
            "static",
        ]
        started = time.monotonic()
        process = subprocess.Popen(
            [*command, *(["--jobs", str(jobs)] if jobs else [])], stdout=subprocess.PIPE, text=True
        )
        watcher = Watcher(process, index)
        watcher.start()
        output, _ = process.communicate()
        seconds = time.monotonic() - started
        watcher.join()
        figures = [each / 1e6 for each in (watcher.main, watcher.workers, watcher.disk, size_of(index))]
        cells = [f"{count:,}", f"{seconds:.0f}", f"{watcher.first_found:.1f}", *(f"{each:,.0f}" for each in figures)]
        print(f"| {' | '.join(cells)} | {output.strip()} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("counts", nargs="*", type=int, default=[20_000], metavar="COUNT")
    parser.add_argument("--bytes", type=int, default=200)
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--index")
    args = parser.parse_args()
    print("| files | seconds | first found after s | MB of the process | of its workers | MB on disk | in the end | |")
    print("|---|---|---|---|---|---|---|---|")
    for count in args.counts:
        measure(count, args.bytes, args.jobs, args.index)


if __name__ == "__main__":
    main()
