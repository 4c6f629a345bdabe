"""How fast are documents cut into chunks, against other chunkers?

usage: python -m bench.chunking.speed [--megabytes N] [--bytes LOW-HIGH] [--rounds N] [--max-tokens N]
                                      [--against CHECKOUT] [--compiled WHEEL] [FOLDER ...]

Cuts a sample of N megabytes of the documents below the folders (default: the corpus, which is fetched if it is not
there): Crosshead, with and without check, and its peers; with --against also the sources of another checkout, with
--compiled also the package in a wheel (`make wheel-compiled`). Times are CPU time; the contestants take turns in every
round. Read ratios, not absolute figures. The peers are in a separate environment: bench/constraints.txt.
"""

from __future__ import annotations

import argparse
import gc
import logging
import statistics
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from bench.chunking.chunkers import COUNTING, PEERS, SEMANTIC, Chunker, installed_version
from bench.chunking.other_crosshead import OtherCrosshead
from bench.chunking.texts import Text, load, megabytes_of
from bench.lib import corpus
from bench.lib.vocabularies import use_vocabularies

import crosshead

logging.disable(logging.WARNING)  # notes about odd documents

SLOW_SHARE = 10
"""A slow peer sees one document in ten, in one round."""


class Contestant(NamedTuple):
    title: str
    version: str
    measure: Callable[[list[Text]], tuple[float, int]]
    """Chunks the texts; returns CPU seconds and the number of chunks."""
    is_slow: bool = False


def measure_speed(texts: list[Text], contestants: list[Contestant], *, rounds: int, max_tokens: int) -> None:
    """All contestants in turns over the same documents."""
    few = texts[::SLOW_SHARE]
    seconds: dict[str, list[float]] = {each.title: [] for each in contestants}
    chunks: dict[str, int] = {}
    gc.collect()
    gc.freeze()
    for number in range(rounds):
        for each in contestants:
            if each.is_slow and number > 0:
                continue
            taken, chunks[each.title] = each.measure(few if each.is_slow else texts)
            seconds[each.title].append(taken)
    speed = {
        each.title: megabytes_of(few if each.is_slow else texts) / statistics.median(seconds[each.title])
        for each in contestants
    }
    print(
        f"\n{len(texts):,} documents, {megabytes_of(texts):.1f} MB, {max_tokens} tokens at most, "
        f"median of {rounds} rounds, Python {sys.version.split()[0]}\n"
    )
    print("| chunker | version | MB per CPU s | x tiktoken counting | x semantic-text-splitter | chunks | spread |")
    print("|---|---|---|---|---|---|---|")
    for each in contestants:
        cells = [each.title, each.version, f"{speed[each.title]:.2f}"]
        cells += [_ratio(speed, each.title, base.title) for base in (COUNTING, SEMANTIC)]
        cells += ["-" if each.title == COUNTING.title else f"{chunks[each.title]:,}", _spread(seconds[each.title])]
        print(f"| {' | '.join(cells)} |")
    slow = [each.title for each in contestants if each.is_slow]
    if slow:
        print(f"\n{', '.join(slow)}: one round on {len(few):,} of the documents, {megabytes_of(few):.2f} MB.")


def _own(max_tokens: int) -> Iterator[Contestant]:
    def chunk(text: Text) -> Sequence[Any]:
        return crosshead.chunk(text.content, max_tokens=max_tokens, mdx=text.is_mdx)

    def chunk_and_check(text: Text) -> Sequence[Any]:
        document = crosshead.read(text.content.encode(), format="mdx" if text.is_mdx else "markdown")
        chunks = crosshead.chunk(document, max_tokens=max_tokens)
        crosshead.check(document, chunks)
        return chunks

    version = installed_version("crosshead")
    yield Contestant("crosshead", version, partial(_measure, lambda: chunk))
    yield Contestant("crosshead with check", version, partial(_measure, lambda: chunk_and_check))


def _peers(max_tokens: int) -> Iterator[Contestant]:
    for peer in PEERS:
        try:
            peer.make(max_tokens)
        except Exception as error:
            print(f"left out: {peer.title}: {type(error).__name__}: {error}")
            continue
        measure = partial(_measure, partial(_on_text, peer.make, max_tokens))
        yield Contestant(peer.title, installed_version(peer.package), measure, peer.is_slow)


@contextmanager
def _other_versions(
    checkout: Path | None, wheel: Path | None, texts: list[Text], max_tokens: int
) -> Iterator[list[Contestant]]:
    """Start the package of another checkout and that of a wheel."""
    with ExitStack() as stack:
        folders = {"crosshead, other checkout": checkout / "src"} if checkout else {}
        if wheel:
            unpacked = stack.enter_context(tempfile.TemporaryDirectory(prefix="crosshead-"))
            zipfile.ZipFile(wheel).extractall(unpacked)
            folders["crosshead, compiled"] = Path(unpacked)
        plain = [(text.content, text.is_mdx) for text in texts]
        found = {title: OtherCrosshead(folder, plain, max_tokens) for title, folder in folders.items()}
        for other in found.values():
            stack.callback(other.close)
        yield [Contestant(title, "-", lambda _texts, other=other: other.measure()) for title, other in found.items()]


def _measure(make: Callable[[], Callable[[Text], Sequence[Any]]], texts: list[Text]) -> tuple[float, int]:
    """Chunk texts with a chunker made for this round: one that remembers texts would not chunk them again."""
    run = make()
    run(texts[0])  # what is loaded once is not counted
    started = time.process_time()
    chunks = sum(len(run(text)) for text in texts)
    return time.process_time() - started, chunks


def _on_text(make: Callable[[int], Chunker], max_tokens: int) -> Callable[[Text], Sequence[Any]]:
    run = make(max_tokens)
    return lambda text: run(text.content)


def _ratio(speed: dict[str, float], title: str, base: str) -> str:
    return f"{speed[title] / speed[base]:.2f}" if base in speed else "-"


def _spread(seconds: list[float]) -> str:
    return f"{100 * (max(seconds) - min(seconds)) / statistics.median(seconds):.0f} %" if len(seconds) > 1 else "-"


def _range(text: str) -> range:
    low, high = map(int, text.split("-"))
    return range(low, high + 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--megabytes", type=float, default=4, metavar="N", help="size of the sample (default: 4)")
    parser.add_argument("--bytes", type=_range, metavar="LOW-HIGH", help="only documents of this size")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="rounds (default: 5)")
    parser.add_argument("--against", type=Path, metavar="CHECKOUT", help="another checkout, to take turns with")
    parser.add_argument("--max-tokens", type=int, default=400, metavar="N", help="budget of a chunk (default: 400)")
    parser.add_argument("--compiled", type=Path, metavar="WHEEL", help="a wheel with compiled modules, likewise")
    arguments = parser.parse_args()
    use_vocabularies()
    texts = load(arguments.folders or corpus.corpus_folders(), arguments.megabytes, arguments.bytes)
    with _other_versions(arguments.against, arguments.compiled, texts, arguments.max_tokens) as others:
        contestants = [*_own(arguments.max_tokens), *others, *_peers(arguments.max_tokens)]
        measure_speed(texts, contestants, rounds=arguments.rounds, max_tokens=arguments.max_tokens)


if __name__ == "__main__":
    main()
