"""What an index in parts costs: to write it, and to ask it here or by actors of a Ray cluster.

usage: python -m bench.storage.parts [--chunks N] [--parts N,N,...] [--questions N] [--threads N] [--folder DIR]

Writes made-up documents whose words are as frequent as those of a language, indexes them with the static table into
each number of parts, and asks questions from several threads. Prints a Markdown table. Times are CPU milliseconds, of
this process and of all processes that it starts, a cluster included: rates on a busy machine say nothing.

    write       for each chunk, with the local engine: reading, cutting, embedding, committing, search indexes
    kB a chunk  size of all parts
    local       for each question, if this process opens the parts
    asking      for each question with `--engine ray`: this process
    cluster     likewise, all others: the one that passes calls on, the actors, and the cluster itself

    --folder    keep the documents and indexes there for another run, which measures questions again
"""

from __future__ import annotations

import argparse
import logging
import random
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

import psutil

from crosshead import Index

logging.disable(logging.WARNING)  # the static table is advised against

WORDS = 60_000
SECTIONS = 40
"""Sections in a document; each is a chunk."""
SECTION_WORDS = 120
QUESTION_WORDS = 4
FREQUENT = 200
"""Words that are in nearly all chunks; questions leave them out."""
WARM_UP = 40


class Spent(NamedTuple):
    """CPU seconds."""

    own: float
    others: float
    """Of all processes below this one."""


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    arguments.add_argument("--chunks", type=int, default=40_000)
    arguments.add_argument("--parts", default="1,2,4")
    arguments.add_argument("--questions", type=int, default=400)
    arguments.add_argument("--threads", type=int, default=4)
    arguments.add_argument("--folder", type=Path)
    given = arguments.parse_args()
    print("| parts | chunks | write | kB a chunk | local | asking | cluster |\n|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        home = given.folder or Path(scratch)
        docs = write_documents(home / "docs", given.chunks)
        questions = [*make_questions(given.questions)]
        for parts in map(int, given.parts.split(",")):
            written = write(home / f"index-{parts}", docs, parts)
            with Index.join(home / f"index-{parts}") as local:
                status = local.status()
                here = ask(local, questions, given.threads)
            with Index.join(home / f"index-{parts}", engine="ray", part_seconds=60) as far:
                there = ask(far, questions, given.threads)
            per_question = 1000 / len(questions)
            row = (
                f"{1000 * (written.own + written.others) / status.chunks:.2f}" if written else "-",
                f"{status.size_bytes / 1000 / status.chunks:.1f}",
                f"{per_question * (here.own + here.others):.1f}",
                f"{per_question * there.own:.1f}",
                f"{per_question * there.others:.1f}",
            )
            print(f"| {parts} | {status.chunks:,} | {' | '.join(row)} |", flush=True)


def write_documents(folder: Path, chunks: int) -> Path:
    """Write made-up documents, unless they are there."""
    chosen = random.Random(0)
    words = [_word(number) for number in range(WORDS)]
    weights = [*accumulate(1 / (rank + 2) for rank in range(WORDS))]
    for number in range(chunks // SECTIONS):
        path = folder / f"{number // 100:03}" / f"{number:06}.md"
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            drawn = iter(chosen.choices(words, cum_weights=weights, k=SECTIONS * SECTION_WORDS))
            path.write_text("".join(_section(drawn, at) for at in range(SECTIONS)))
    return folder


def _section(drawn: Iterator[str], at: int) -> str:
    text = [next(drawn) for _ in range(SECTION_WORDS)]
    return f"{'##' if at else '#'} {text[0]} {text[1]} {at}\n\n{' '.join(text[2:])}.\n\n"


def _word(number: int) -> str:
    """Return a made-up word."""
    syllables = ""
    while number or not syllables:
        number, at = divmod(number, 60)
        syllables += "bdfgklmnprst"[at % 12] + "aeiou"[at // 12]
    return syllables


def make_questions(count: int) -> Iterator[str]:
    chosen = random.Random(1)
    for _ in range(count):
        ranks = (int(FREQUENT * (WORDS / FREQUENT) ** chosen.random()) for _ in range(QUESTION_WORDS))
        yield " ".join(_word(rank) for rank in ranks)


def write(location: Path, docs: Path, parts: int) -> Spent | None:
    """Index the documents; return what that costs, None if they are indexed already."""
    if location.exists():
        return None
    before = spent()
    Index.add_to_parts(location, docs, parts=parts, embedder="static", root=docs)
    return _since(before)


def ask(index: Index, questions: Sequence[str], threads: int) -> Spent:
    """Ask questions from several threads."""
    with ThreadPoolExecutor(threads) as pool:
        answers = [*pool.map(index.search, questions[:WARM_UP])]
        before = spent()
        answers = [*pool.map(index.search, questions)]
        found = _since(before)
    assert all(answer.complete for answer in answers)
    return found


def spent() -> Spent:
    """Return the CPU seconds so far, of this process with those that have ended, and of all that run below it."""
    own = psutil.Process()
    others = 0.0
    for each in own.children(recursive=True):
        with suppress(psutil.Error):
            times = each.cpu_times()
            others += times.user + times.system
    times = own.cpu_times()
    return Spent(times.user + times.system + times.children_user + times.children_system, others)


def _since(before: Spent) -> Spent:
    after = spent()
    return Spent(after.own - before.own, after.others - before.others)


if __name__ == "__main__":
    main()
