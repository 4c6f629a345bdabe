"""What one question to several indexes costs, compared with one index of the same documents.

usage: python -m bench.storage.joined FOLDER... [--parts 2 7 40] [--questions N] [--rounds N] [--delay MS] [--agree URL]

Indexes the documents of the folders with the static table: all in one index, and cut by document into parts. Asks both
for the titles of sections, in turns, and each part alone. Prints medians per question: CPU and wall milliseconds of one
index, of the joined one, and of its slowest part, and whether all hits and scores are the same.
`--delay`: also compare one part and all parts, joined, when every answer of a part takes so much longer, as over a
network.
`--agree`: also index every second document in this empty PostgreSQL database, join it with a folder of the others, and
print how closely the scores agree with those of one folder.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from crosshead import Index
from crosshead.index import JoinedIndex
from crosshead.types import FoundHits

SAME = 1e-6


class Cost(NamedTuple):
    """What one search took, in milliseconds."""

    cpu: float
    wall: float


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--parts", nargs="+", type=int, default=[2, 7, 40])
    parser.add_argument("--questions", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--delay", type=float, default=0.0)
    parser.add_argument("--agree", default="")
    given = parser.parse_args()
    files = sorted(path for folder in given.folders for path in folder.rglob("*") if path.is_file())
    with tempfile.TemporaryDirectory() as folder:
        one = make(Path(folder) / "one", files)
        questions = titles(one, given.questions)
        print(f"{one.status().documents:,} documents, {one.status().chunks:,} chunks, {len(questions)} questions")
        for count in given.parts:
            locations = [Path(folder) / f"{count}-{number}" for number in range(count)]
            parts = [make(location, files[number::count]) for number, location in enumerate(locations)]
            with Index.join(locations) as joined:
                compare(one, joined, parts, questions, given.rounds)
                if given.delay:
                    wait(locations, questions, given.delay)
        if given.agree:
            agree(one, Path(folder), given.agree, files, questions)


def make(location: str | Path, files: Sequence[Path]) -> Index:
    """Return an index of some files."""
    index = Index(location, root="/", embedder="static")
    index.add(*files)
    return index


def titles(index: Index, count: int) -> list[str]:
    """Return titles of sections, the same in every run."""
    found = sorted({title for letter in "abcdefghijklmnopqrstuvwxyz" for title in index.titles(letter, 200)})
    return random.Random(7).sample(found, min(count, len(found)))


def compare(one: Index, joined: JoinedIndex, parts: Sequence[Index], questions: Sequence[str], rounds: int) -> None:
    """Print what searches of one index, of all parts together, and of the slowest part take."""
    costs: dict[str, list[Cost]] = {"one": [], "joined": [], "slowest": []}
    same = 0
    for number in range(rounds + 1):
        for question in questions:
            expected, alone = timed(partial(one.search, question))
            found, together = timed(partial(joined.search, question))
            slowest = max((timed(partial(part.search, question))[1] for part in parts), key=lambda cost: cost.wall)
            if number:  # the first round warms up
                for name, cost in (("one", alone), ("joined", together), ("slowest", slowest)):
                    costs[name].append(cost)
                same += is_same(expected, found)
    shown = ", ".join(f"{name} {_median(each, 0):.1f} CPU {_median(each, 1):.1f} wall" for name, each in costs.items())
    print(f"{len(parts)} parts: {shown} ms; {same} of {rounds * len(questions)} answers the same")


class Delayed:
    """A store that answers later."""

    def __init__(self, store: Any, seconds: float) -> None:
        self._store, self._seconds = store, seconds

    def __getattr__(self, name: str) -> Any:
        time.sleep(self._seconds)
        return getattr(self._store, name)


def wait(locations: Sequence[Path], questions: Sequence[str], milliseconds: float) -> None:
    """Print what a question to one part and to all of them takes, if each answer of a part takes longer."""
    walls = []
    for chosen in (locations[:1], locations):
        with Index.join(chosen) as joined:
            for part in joined._current.parts:
                part._store = part.read(lambda store: Delayed(store, milliseconds / 1e3))
            costs = [timed(partial(joined.search, question))[1] for question in (*questions, *questions)]
            walls.append(median(cost.wall for cost in costs[len(questions) :]))
    first, every = walls
    print(f"  each answer {milliseconds:g} ms later: one part {first:.0f}, {len(locations)} parts {every:.0f} ms wall")


def timed(work: Callable[[], FoundHits]) -> tuple[FoundHits, Cost]:
    cpu, wall = time.process_time(), time.perf_counter()
    found = work()
    return found, Cost(1e3 * (time.process_time() - cpu), 1e3 * (time.perf_counter() - wall))


def is_same(expected: FoundHits, found: FoundHits) -> bool:
    return [hit.chunk.id for hit in expected] == [hit.chunk.id for hit in found] and all(
        abs(one.final_score - other.final_score) <= SAME for one, other in zip(expected, found, strict=True)
    )


def agree(one: Index, folder: Path, url: str, files: Sequence[Path], questions: Sequence[str]) -> None:
    """Print how closely the scores of a folder and a database together agree with those of one folder."""
    with make(folder / "half", files[::2]) as half, make(url, files[1::2]) as database:
        joined = Index.join([half, database])
        differences, shared, firsts = [], [], 0
        for question in questions:
            expected, found = one.search(question), joined.search(question)
            scores = {hit.chunk.id: hit.final_score for hit in found}
            common = [hit for hit in expected if hit.chunk.id in scores]
            differences += [abs(hit.final_score - scores[hit.chunk.id]) for hit in common]
            shared.append(len(common) / max(len(expected), 1))
            firsts += [hit.chunk.id for hit in expected[:1]] == [hit.chunk.id for hit in found[:1]]
    print(
        f"folder and database: scores differ by {np.median(differences):.3f} (median) and "
        f"{np.percentile(differences, 95):.3f} (19 of 20); {np.mean(shared):.0%} of the first ten hits shared, "
        f"{firsts} of {len(questions)} first hits the same"
    )


def _median(costs: Sequence[Cost], at: int) -> float:
    return median(cost[at] for cost in costs)


if __name__ == "__main__":
    main()
