"""How fast are documents cut into chunks, against other chunkers?

usage: python -m bench.chunking.speed [--megabytes N] [--bytes LOW-HIGH] [--rounds N] [--max-tokens N]
                                      [--against CHECKOUT] [FOLDER ...]

Cuts a sample of N megabytes of the documents below the folders (default: the corpus, which is fetched if it is not
there): Crosshead, with and without check, and its peers; with --against also the sources of another checkout. Times are
CPU time of this process, the contestants taking turns in every round. Read ratios, not absolute figures. The peers are
in an environment of their own: bench/constraints.txt.
"""

from __future__ import annotations

import argparse
import gc
import logging
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from bench.chunking.chunkers import COUNTING, PEERS, SEMANTIC, Chunker, installed_version
from bench.chunking.other_checkout import OtherCheckout
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
    make: Callable[[], Callable[[Text], Sequence[Any]]]
    """Called before every round: a chunker that remembers texts would not chunk them again."""
    is_slow: bool = False


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
    if other:
        other.close()
        ratio = statistics.median(others) / statistics.median(seconds[contestants[0].title])
        print(f"\n{ratio:.2f} times as fast as the other checkout.")
    slow = [each.title for each in contestants if each.is_slow]
    if slow:
        print(f"\n{', '.join(slow)}: one round on {len(few):,} of the documents, {megabytes_of(few):.2f} MB.")


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
    arguments = parser.parse_args()
    use_vocabularies()
    texts = load(arguments.folders or corpus.corpus_folders(), arguments.megabytes, arguments.bytes)
    measure_speed(texts, rounds=arguments.rounds, max_tokens=arguments.max_tokens, against=arguments.against)


if __name__ == "__main__":
    main()
