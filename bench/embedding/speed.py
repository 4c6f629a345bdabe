"""How many chunks an embedder turns into vectors in one CPU second.

usage: python -m bench.embedding.speed [FOLDER ...] [--texts N] [--rounds N] [--peers] [--cores]

Cuts the Markdown of the folders (default: this repository's docs) as an index does by default, into pieces of chunks
below their breadcrumbs, takes a sample spread over all of them and embeds it with every local model that is installed,
taking turns, on one thread. Rates depend on the machine; trust the ratios. Also prints how near the vectors are to
those of fp32.

    --peers    also as other libraries run MiniLM; they live in an environment of their own: bench/constraints-embed.txt
    --cores    instead, what two cores bring, in several ways: wall time of the quickest round, as others may be at work
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import crosshead
from crosshead.embedding.minilm.encoder import VARIANTS, MiniLMEmbedder, is_ready
from crosshead.embedding.multilingual import encoder as multilingual
from crosshead.embedding.static import StaticEmbedder
from crosshead.indexing.embedding.pieces import PieceCutter
from crosshead.indexing.recipe import Recipe
from crosshead.options import ChunkOptions

DOCS = Path(__file__).parents[2] / "docs"
BASE = "minilm:fp32"
CORES = 2

Encode = Callable[[list[str]], Any]


def sample_texts(folders: Sequence[Path], count: int) -> tuple[list[str], float]:
    """Return some of the texts that an index of all documents would embed, evenly spread; how many a chunk has."""
    cutter = PieceCutter(Recipe.from_named({}, ChunkOptions(), ""))
    paths = sorted(path for folder in folders for path in folder.rglob("*.md"))
    chunks = [chunk for path in paths for chunk in crosshead.chunk(path)]
    texts = [text for chunk in chunks for text in cutter.texts_to_embed(chunk)]
    if not texts:
        raise SystemExit("no Markdown there")
    step = max(len(texts) / count, 1)
    return [texts[int(at * step)] for at in range(min(count, len(texts)))], len(texts) / len(chunks)


def load_models() -> dict[str, Encode]:
    static = StaticEmbedder()
    models: dict[str, Encode] = {"static": lambda texts: np.concatenate(static.embed(texts))}
    for name in VARIANTS:
        if is_ready(name):
            models |= _minilm(name)
        else:
            print(f"{name} is not installed, so it is left out")
    if multilingual.is_ready():
        model = multilingual.MultilingualEmbedder(jobs=1)
        models["multilingual"] = lambda texts: np.concatenate(model.embed(texts))
    else:
        print("multilingual is not installed, so it is left out")
    return models


def _minilm(name: str) -> Iterator[tuple[str, Encode]]:
    model = MiniLMEmbedder(VARIANTS[name], jobs=1)
    yield name, lambda texts: np.concatenate(model.embed(texts))
    if name == "minilm":
        yield (
            "minilm, with its tokens",
            lambda texts: np.concatenate([row for row, _ in model.embed_with_tokens(texts)]),
        )


def load_peers(texts: list[str]) -> dict[str, Encode]:
    from bench.embedding.peers import make_peers

    return {f"{name}, batches of {size}": encode for name, sizes in make_peers(texts).items()
            for size, encode in sizes.items()}  # fmt: skip


def fits_a_window(texts: list[str]) -> list[str]:
    """Others would cut a longer text."""
    if not is_ready("minilm"):
        return texts
    model = MiniLMEmbedder(jobs=1)
    return [text for text, found in zip(texts, model.embed(texts), strict=True) if len(found) == 1]


def measure(models: dict[str, Encode], texts: list[str], rounds: int) -> dict[str, float]:
    """Return the median rate of every model; the first text loads the model and is not counted."""
    seconds: dict[str, list[float]] = {name: [] for name in models}
    for encode in models.values():
        encode(texts[:1])
    for _ in range(rounds):
        for name, encode in models.items():
            started = time.process_time()
            encode(texts)
            seconds[name].append(time.process_time() - started)
    return {name: len(texts) / statistics.median(each) for name, each in seconds.items()}


def print_rates(models: dict[str, Encode], rates: dict[str, float], texts: list[str], to_a_chunk: float) -> None:
    exact = models[BASE](texts) if BASE in models else None
    print("\n| embedder | chunks per CPU s | texts per CPU s | ratio | cosine to fp32: mean | least |")
    print("|---|---|---|---|---|---|")
    base = rates.get(BASE) or min(rates.values())
    for name, rate in sorted(rates.items(), key=lambda each: -each[1]):
        likeness = _likeness(models[name](texts), exact)
        print(f"| {name} | {rate / to_a_chunk:,.1f} | {rate:,.1f} | {rate / base:.2f} | {likeness} |", flush=True)


def _likeness(rows: Any, exact: Any) -> str:
    if exact is None or rows.shape != exact.shape:
        return "| "
    cosines = (rows * exact).sum(axis=1) / np.linalg.norm(rows, axis=1)
    return f"{cosines.mean():.4f} | {cosines.min():.4f}"


# ---------------------------------------------------------------------- several cores


def print_cores(texts: list[str], rounds: int) -> None:
    """Ways to use two cores; each has its model loaded before it is measured."""
    with ProcessPoolExecutor(CORES) as pool:
        ways: dict[str, Callable[[], object]] = {
            "one thread": partial(_embed_here, MiniLMEmbedder(jobs=1), texts),
            "two threads inside every run": partial(_embed_here, _with_threads_inside(), texts),
            "two runs at once": partial(_embed_here, MiniLMEmbedder(jobs=CORES), texts),
            "two processes": lambda: [*pool.map(_embed_there, (texts[::2], texts[1::2]))],
        }
        walls: dict[str, list[float]] = {name: [] for name in ways}
        for at in range(rounds + 1):
            for name, embed in ways.items():
                started = time.monotonic()
                embed()
                if at:
                    walls[name].append(time.monotonic() - started)
    print("\n| | texts per second | ratio |\n|---|---|---|")
    rates = {name: len(texts) / min(each) for name, each in walls.items()}
    for name, rate in rates.items():
        print(f"| {name} | {rate:,.1f} | {rate / rates['one thread']:.2f} |")


def _with_threads_inside() -> MiniLMEmbedder:
    import onnxruntime

    class Options(onnxruntime.SessionOptions):  # type: ignore[misc]  # the package has no types
        def __setattr__(self, name: str, value: Any) -> None:
            super().__setattr__(name, CORES if name == "intra_op_num_threads" else value)

    model, usual = MiniLMEmbedder(jobs=1), onnxruntime.SessionOptions
    onnxruntime.SessionOptions = Options
    model.embed(["loaded now"])
    onnxruntime.SessionOptions = usual
    return model


def _embed_here(model: MiniLMEmbedder, texts: list[str]) -> None:
    model.embed(texts)


def _embed_there(texts: list[str], models: list[MiniLMEmbedder] = []) -> None:  # noqa: B006  # loaded once per process
    if not models:
        models.append(MiniLMEmbedder(jobs=1))
    models[0].embed(texts)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--texts", type=int, default=128, metavar="N", help="size of the sample (default: 128)")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="rounds (default: 5)")
    parser.add_argument("--peers", action="store_true", help="other libraries, too")
    parser.add_argument("--cores", action="store_true", help="ways to use two cores")
    arguments = parser.parse_args()
    sample, to_a_chunk = sample_texts(arguments.folders or [DOCS], arguments.texts)
    texts = fits_a_window(sample)
    size = sum(map(len, texts)) / len(texts)
    print(f"{len(texts)} texts, {size:,.0f} characters each, {to_a_chunk:.2f} to a chunk; {arguments.rounds} rounds")
    if arguments.cores:
        print_cores(texts, arguments.rounds)
        return 0
    models = load_models() | (load_peers(texts) if arguments.peers else {})
    print_rates(models, measure(models, texts, arguments.rounds), texts, to_a_chunk)
    return 0


if __name__ == "__main__":
    sys.exit(main())
