"""What do the chunks of all documents look like?

usage: python -m bench.chunking.quality [--max-tokens N] [FOLDER ...]

Prints, for the documents below the folders (default: the corpus): size of chunks, cuts inside sections, text whose
chunk has its own section as path, and broken guarantees.
"""

from __future__ import annotations

import argparse
import logging
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from bench.lib import corpus

import crosshead

logging.disable(logging.WARNING)  # notes about odd documents


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--max-tokens", type=int, default=400, metavar="N", help="budget of a chunk (default: 400)")
    arguments = parser.parse_args()
    measure_quality(arguments.folders or corpus.corpus_folders(), max_tokens=arguments.max_tokens)


if __name__ == "__main__":
    main()
