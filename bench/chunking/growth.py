"""How do time and memory of chunking grow with the size of a document?

usage: python -m bench.chunking.growth [--max-tokens N] [FOLDER ...]

Cuts the documents below the folders (default: the corpus) joined to one of 0.5 to 16 MB, and shapes that are hard;
prints CPU time, time per doubling and peak memory.
"""

from __future__ import annotations

import argparse
import logging
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bench.chunking.texts import Text, load
from bench.lib import corpus

import crosshead

logging.disable(logging.WARNING)  # notes about odd documents

GROWTH_MEGABYTES = (0.5, 1, 2, 4, 8, 16)
SHAPE_MEGABYTES = (1, 2, 4)
SHAPES = {
    "one paragraph": ("", "Some words make a sentence here. "),
    "one list": ("", "- item of a list\n"),
    "one-line sections": ("# Title\n\n", "## entry\n\nline of text here\n\n"),
    "headings only": ("", "## entry of a list\n"),
    "no spaces": ("", "abcdefghij"),
}
"""Beginning and pattern of documents that are hard."""


def measure_growth(texts: list[Text], *, max_tokens: int) -> None:
    """One document of each size and shape, each in a process of its own."""
    print(f"\nOne document, {max_tokens} tokens at most, each in a process of its own\n")
    print("| document | MB | CPU s | per doubling | MB per CPU s | peak MB | chunks |\n|---|---|---|---|---|---|---|")
    joined = "\n\n".join(text.content for text in texts if not text.is_mdx and not text.content.startswith("---"))
    _print_growth("documents joined", "", joined, GROWTH_MEGABYTES, max_tokens)
    for name, (beginning, pattern) in SHAPES.items():
        _print_growth(name, beginning, pattern, SHAPE_MEGABYTES, max_tokens)


def _print_growth(name: str, beginning: str, pattern: str, sizes: Sequence[float], max_tokens: int) -> None:
    before = 0.0
    for size in sizes:
        text = beginning + (pattern * (int(size * 1e6) // len(pattern) + 1))[: int(size * 1e6)]
        megabytes = len(text.encode()) / 1e6
        seconds, peak, chunks = _in_new_process(text, max_tokens)
        growth = f"{seconds / before:.2f}" if before else "-"
        speed = f"{megabytes / seconds:.1f}"
        print(
            f"| {name} | {megabytes:.1f} | {seconds:.2f} | {growth} | {speed} | {peak:.0f} | {chunks:,} |", flush=True
        )
        before = seconds


def _in_new_process(text: str, max_tokens: int) -> tuple[float, float, int]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "document.md")
        path.write_text(text, "utf-8")
        done = subprocess.run(
            [sys.executable, "-m", "bench.chunking.growth", "--one", str(path), "--max-tokens", str(max_tokens)],
            capture_output=True,
            text=True,
            check=True,
        )
    seconds, peak, chunks = done.stdout.split()
    return float(seconds), float(peak), int(chunks)


def print_one(path: Path, max_tokens: int) -> None:
    """CPU seconds, peak memory in MB and chunks for one file, for the process that asked."""
    crosshead.chunk("# Warm\n\nup", max_tokens=max_tokens)
    text = path.read_text("utf-8")
    started = time.process_time()
    chunks = crosshead.chunk(text, max_tokens=max_tokens)
    print(time.process_time() - started, _peak_megabytes(), len(chunks))


def _peak_megabytes() -> float:
    status = Path("/proc/self/status")
    if status.is_file():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1e3
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--max-tokens", type=int, default=400, metavar="N", help="budget of a chunk (default: 400)")
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        print_one(arguments.one, arguments.max_tokens)
    else:
        measure_growth(load(arguments.folders or corpus.corpus_folders()), max_tokens=arguments.max_tokens)


if __name__ == "__main__":
    main()
