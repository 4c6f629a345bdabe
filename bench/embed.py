"""How many chunks an embedder turns into vectors in one CPU second.

usage: python bench/embed.py [FOLDER ...] [--chunks N] [--rounds N]

Cuts the Markdown of the folders (default: this repository's docs) into chunks, takes a sample spread over all of them
and embeds it with every local model that is installed, taking turns, on one thread. Rates depend on the machine; trust
the ratios. Also prints how near the vectors of int8 are to those of fp32.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import crosshead
from crosshead.embed.minilm.encoder import VARIANTS, MiniLMEmbedder, is_ready
from crosshead.embed.static import StaticEmbedder
from crosshead.model import Embedder

DOCS = Path(__file__).resolve().parent.parent / "docs"
BASE = "minilm:fp32"


def sample_chunks(folders: Sequence[Path], count: int) -> list[str]:
    """Return some chunks of all documents, evenly spread."""
    paths = sorted(path for folder in folders for path in folder.rglob("*.md"))
    texts = [chunk.content for path in paths for chunk in crosshead.chunk(path)]
    step = max(len(texts) / count, 1)
    return [texts[int(at * step)] for at in range(min(count, len(texts)))]


def load_embedders() -> dict[str, Embedder]:
    models: dict[str, Embedder] = {"static": StaticEmbedder()}
    for name, variant in VARIANTS.items():
        if is_ready(name):
            models[name] = MiniLMEmbedder(variant, jobs=1)
        else:
            print(f"{name} is not installed, so it is left out")
    return models


def measure(models: dict[str, Embedder], texts: list[str], rounds: int) -> dict[str, float]:
    """Return the median rate of every model; the first text loads the model and is not counted."""
    seconds: dict[str, list[float]] = {name: [] for name in models}
    for model in models.values():
        model.embed(texts[:1])
    for _ in range(rounds):
        for name, model in models.items():
            started = time.process_time()
            model.embed(texts)
            seconds[name].append(time.process_time() - started)
    return {name: len(texts) / statistics.median(each) for name, each in seconds.items()}


def print_rates(rates: dict[str, float]) -> None:
    print("\n| embedder | chunks per CPU s | ratio |\n|---|---|---|")
    base = rates.get(BASE) or min(rates.values())
    for name, rate in rates.items():
        print(f"| {name} | {rate:,.1f} | {rate / base:.2f} |")


def print_likeness(models: dict[str, Embedder], texts: list[str]) -> None:
    rows = [np.concatenate(models[name].embed(texts)) for name in VARIANTS if name in models]
    if len(rows) == len(VARIANTS):
        cosines = (rows[0] * rows[1]).sum(axis=1)
        print(f"\ncosine of int8 to fp32: least {cosines.min():.4f}, mean {cosines.mean():.4f}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--chunks", type=int, default=64, metavar="N", help="size of the sample (default: 64)")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="rounds (default: 3)")
    arguments = parser.parse_args()
    texts = sample_chunks(arguments.folders or [DOCS], arguments.chunks)
    if not texts:
        raise SystemExit("no Markdown there")
    print(f"{len(texts)} chunks, {sum(map(len, texts)) / len(texts):,.0f} characters each, {arguments.rounds} rounds")
    models = load_embedders()
    print_rates(measure(models, texts, arguments.rounds))
    print_likeness(models, texts)
    return 0


if __name__ == "__main__":
    sys.exit(main())
