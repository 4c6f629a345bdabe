"""Measure chunking: speed against other chunkers, growth, latency, start-up, quality.

usage: python bench/chunk.py [--megabytes N] [--bytes LOW-HIGH] [--rounds N] [--max-tokens N] [--against CHECKOUT]
                             [FOLDER ...]
       python bench/chunk.py --grow | --latency | --startup | --quality [FOLDER ...]

Reads the documents below the folders (default: the corpus, which is fetched if it is not there) and prints Markdown
tables. Times are CPU time of this process, the contestants taking turns in every round. Read ratios, not absolute
figures. The peers live in an environment of their own: bench/constraints.txt.

    (default)    Crosshead, with and without check, and its peers on a sample of N megabytes; with --bytes only
                 documents of that size, with --against also the sources of another checkout
    --grow       one document of 0.5 to 16 MB, and shapes that are hard: time per doubling, peak memory
    --latency    milliseconds per document of at most 100 kB
    --startup    `import crosshead` against bare Python
    --quality    size of chunks, cuts inside sections, text whose chunk has its own section as path, violations
"""

from __future__ import annotations

import argparse
import gc
import logging
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import corpus
import crosshead
from other import OtherCheckout
from peers import COUNTING, PEERS, SEMANTIC, Chunker, installed_version
from vocabularies import use_vocabularies

logging.disable(logging.WARNING)  # notes about odd documents

SLOW_SHARE = 10
"""A slow peer sees one document in ten, in one round."""
GROWTH_MEGABYTES = (0.5, 1, 2, 4, 8, 16)
SHAPE_MEGABYTES = (1, 2, 4)
LATENCY_MAX_BYTES = 100_000
STARTUP_RUNS = 10
SHAPES = {
    "one paragraph": ("", "Some words make a sentence here. "),
    "one list": ("", "- item of a list\n"),
    "one-line sections": ("# Title\n\n", "## entry\n\nline of text here\n\n"),
    "headings only": ("", "## entry of a list\n"),
    "no spaces": ("", "abcdefghij"),
}
"""Beginning and pattern of documents that are hard."""


class Text(NamedTuple):
    content: str
    is_mdx: bool

    @property
    def megabytes(self) -> float:
        return len(self.content.encode()) / 1e6


class Contestant(NamedTuple):
    title: str
    version: str
    make: Callable[[], Callable[[Text], Sequence[Any]]]
    """Called before every round: a chunker that remembers texts would not chunk them again."""
    is_slow: bool = False


def load(folders: Iterable[Path], megabytes: float | None = None, sizes: range | None = None) -> list[Text]:
    """The documents, or every Nth of them so that they make up about so many megabytes."""
    paths = [path for path in corpus.documents(folders) if sizes is None or path.stat().st_size in sizes]
    if megabytes:
        total = sum(path.stat().st_size for path in paths)
        paths = paths[:: max(1, round(total / (megabytes * 1e6)))]
    return [Text(corpus.read_text(path), path.suffix.lower() == ".mdx") for path in paths]


# ---- speed


def measure_speed(texts: list[Text], *, rounds: int, max_tokens: int, against: Path | None = None) -> None:
    """All contestants in turns over the same documents."""
    contestants = _contestants(max_tokens)
    few = texts[::SLOW_SHARE]
    other = OtherCheckout(against, list(map(tuple, texts)), max_tokens) if against else None
    seconds: dict[str, list[float]] = {each.title: [] for each in contestants}
    others: list[float] = []
    chunks: dict[str, int] = {}
    gc.collect()
    gc.freeze()
    for number in range(rounds):
        for each in contestants:
            if each.is_slow and number > 0:
                continue
            run = each.make()
            run(few[0])  # what is loaded once is not counted
            started = time.process_time()
            chunks[each.title] = sum(len(run(text)) for text in (few if each.is_slow else texts))
            seconds[each.title].append(time.process_time() - started)
        if other:
            others.append(other.measure()[0])
    speed = {
        each.title: _megabytes(few if each.is_slow else texts) / statistics.median(seconds[each.title])
        for each in contestants
    }
    print(
        f"\n{len(texts):,} documents, {_megabytes(texts):.1f} MB, {max_tokens} tokens at most, "
        f"median of {rounds} rounds, Python {sys.version.split()[0]}\n"
    )
    print("| chunker | version | MB per CPU s | x tiktoken counting | x semantic-text-splitter | chunks | spread |")
    print("|---|---|---|---|---|---|---|")
    for each in contestants:
        cells = [each.title, each.version, f"{speed[each.title]:.2f}"]
        cells += [_ratio(speed, each.title, base.title) for base in (COUNTING, SEMANTIC)]
        cells += ["-" if each.title == COUNTING.title else f"{chunks[each.title]:,}", _spread(seconds[each.title])]
        print(f"| {' | '.join(cells)} |")
    if other:
        other.close()
        ratio = statistics.median(others) / statistics.median(seconds[contestants[0].title])
        print(f"\n{ratio:.2f} times as fast as the other checkout.")
    slow = [each.title for each in contestants if each.is_slow]
    if slow:
        print(f"\n{', '.join(slow)}: one round on {len(few):,} of the documents, {_megabytes(few):.2f} MB.")


def _contestants(max_tokens: int) -> list[Contestant]:
    def chunk(text: Text) -> Sequence[Any]:
        return crosshead.chunk(text.content, max_tokens=max_tokens, mdx=text.is_mdx)

    def chunk_and_check(text: Text) -> Sequence[Any]:
        document = crosshead.read(text.content.encode(), format="mdx" if text.is_mdx else "markdown")
        chunks = crosshead.chunk(document, max_tokens=max_tokens)
        crosshead.check(document, chunks)
        return chunks

    own = installed_version("crosshead")
    found = [
        Contestant("crosshead", own, lambda: chunk),
        Contestant("crosshead with check", own, lambda: chunk_and_check),
    ]
    for peer in PEERS:
        try:
            peer.make(max_tokens)
        except Exception as error:
            print(f"left out: {peer.title}: {type(error).__name__}: {error}")
            continue
        make = partial(_on_text, peer.make, max_tokens)
        found.append(Contestant(peer.title, installed_version(peer.package), make, peer.is_slow))
    return found


def _on_text(make: Callable[[int], Chunker], max_tokens: int) -> Callable[[Text], Sequence[Any]]:
    run = make(max_tokens)
    return lambda text: run(text.content)


def _ratio(speed: dict[str, float], title: str, base: str) -> str:
    return f"{speed[title] / speed[base]:.2f}" if base in speed else "-"


def _spread(seconds: list[float]) -> str:
    return f"{100 * (max(seconds) - min(seconds)) / statistics.median(seconds):.0f} %" if len(seconds) > 1 else "-"


def _megabytes(texts: Iterable[Text]) -> float:
    return sum(text.megabytes for text in texts)


# ---- growth


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
            [sys.executable, __file__, "--one", str(path), "--max-tokens", str(max_tokens)],
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


# ---- latency and start-up


def measure_latency(texts: list[Text], *, rounds: int, max_tokens: int) -> None:
    """Wall time per document, the median of some rounds for each."""
    small = [text for text in texts if len(text.content.encode()) <= LATENCY_MAX_BYTES]
    taken: list[list[float]] = [[] for _ in small]
    gc.collect()
    gc.freeze()
    for _ in range(rounds):
        for text, times in zip(small, taken, strict=True):
            started = time.perf_counter()
            crosshead.chunk(text.content, max_tokens=max_tokens, mdx=text.is_mdx)
            times.append(1000 * (time.perf_counter() - started))
    ranked = sorted(statistics.median(times) for times in taken)
    print(f"\n{len(small):,} documents of at most {LATENCY_MAX_BYTES // 1000} kB, {_megabytes(small):.1f} MB\n")
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


# ---- quality


def measure_quality(folders: Iterable[Path], *, max_tokens: int) -> None:
    """What the chunks of all documents look like."""
    paths = corpus.documents(folders)
    print(f"\n{len(paths):,} documents, target and maximum {max_tokens} tokens, minimum {max_tokens // 4}\n")
    print(
        "| strategy | chunks | fill | tiny | cuts inside sections | own section as path | oversize | errors |\n"
        "|---|---|---|---|---|---|---|---|"
    )
    for strategy in ("section", "fixed"):
        with ProcessPoolExecutor(os.cpu_count()) as pool:
            tasks = [(path, strategy, max_tokens) for path in paths]
            total = sum(pool.map(_quality_of, tasks, chunksize=8), Counter[str]())
        chunks = max(total["chunks"], 1)
        oversize, errors = (_by_prefix(total, prefix) for prefix in ("oversize ", "error "))
        print(
            f"| {strategy} | {chunks:,} | {100 * total['tokens'] / chunks / max_tokens:.0f} % "
            f"| {100 * total['tiny'] / chunks:.1f} % | {total['cuts']:,} "
            f"| {100 * total['own'] / max(total['ink'], 1):.0f} % | {oversize} | {errors} |",
            flush=True,
        )


def _quality_of(task: tuple[Path, str, int]) -> Counter[str]:
    path, strategy, max_tokens = task
    document = crosshead.read(path)
    chunks = crosshead.chunk(document, strategy=strategy, max_tokens=max_tokens)
    report = crosshead.check(document, chunks)
    figures = report.figures
    total = Counter(chunks=figures.chunks, tokens=figures.tokens, tiny=figures.tiny, cuts=figures.cuts_inside_sections)
    own, ink = _own_text(document, chunks)
    total.update(own=own, ink=ink)
    total.update({f"oversize {reason}": number for reason, number in figures.oversize.items()})
    total.update(f"error {each.rule}" for each in report.violations if each.severity == "error")
    return total


def _own_text(document: crosshead.Document, chunks: Sequence[crosshead.Chunk]) -> tuple[int, int]:
    """Return how many characters that are not blank are in a chunk of their own section, and how many in all."""
    own = total = 0
    for chunk in chunks:
        for block in document.blocks[chunk.block_start : chunk.block_end + 1]:
            text = document.text[max(block.start, chunk.start) : min(block.end, chunk.end)]
            ink = sum(map(len, text.split()))
            total += ink
            own += ink if _section_of(document, block) == chunk.section_id else 0
    return own, total


def _section_of(document: crosshead.Document, block: crosshead.Block) -> str:
    section = document.root
    while below := next((each for each in section.children if each.start <= block.start < each.end), None):
        section = below
    return section.id


def _by_prefix(total: Counter[str], prefix: str) -> str:
    found = {name.removeprefix(prefix): number for name, number in total.items() if name.startswith(prefix)}
    return ", ".join(f"{name} {number:,}" for name, number in sorted(found.items())) or "0"


def _range(text: str) -> range:
    low, high = map(int, text.split("-"))
    return range(low, high + 1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--megabytes", type=float, default=4, metavar="N", help="size of the sample (default: 4)")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="rounds (default: 5)")
    parser.add_argument("--bytes", type=_range, metavar="LOW-HIGH", help="only documents of this size")
    parser.add_argument("--against", type=Path, metavar="CHECKOUT", help="another checkout, to take turns with")
    parser.add_argument("--max-tokens", type=int, default=400, metavar="N", help="budget of a chunk (default: 400)")
    for name in ("grow", "latency", "startup", "quality"):
        parser.add_argument(f"--{name}", action="store_true")
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()

    if arguments.one:
        print_one(arguments.one, arguments.max_tokens)
        return 0
    folders = arguments.folders or corpus.corpus_folders()
    budget = {"max_tokens": arguments.max_tokens}
    if arguments.startup:
        measure_startup()
    if arguments.latency:
        measure_latency(load(folders), rounds=min(arguments.rounds, 3), **budget)
    if arguments.grow:
        measure_growth(load(folders), **budget)
    if arguments.quality:
        measure_quality(folders, **budget)
    if not (arguments.startup or arguments.latency or arguments.grow or arguments.quality):
        use_vocabularies()
        texts = load(folders, arguments.megabytes, arguments.bytes)
        measure_speed(texts, rounds=arguments.rounds, against=arguments.against, **budget)
    return 0


if __name__ == "__main__":
    sys.exit(main())
