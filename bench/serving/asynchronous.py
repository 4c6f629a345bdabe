"""Would a native async API gain anything? Searches in threads of an event loop against searches one after another.

usage: python -m bench.serving.asynchronous FOLDER [--index LOCATION] [--searches N]

Indexes the documents of a folder (static table) unless the index has some. For 1, 4, 16 and 64 searches at once by
`asyncio.to_thread`, in alternating rounds with the same searches one after another: searches per second, CPU seconds of
this process, and how long the event loop was held up. Then what a native API could save: the time of a call in a thread
that does nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import crosshead

AT_ONCE = (1, 4, 16, 64)
ROUNDS = 5
BEAT_SECONDS = 0.001
QUESTIONS = (
    "how do I install it", "where is the configuration file", "list all options", "error handling", "add a new user",
    "what changed in the last version", "run the tests", "custom theme", "deploy to production",
    "environment variables",
)  # fmt: skip


def ask(index: crosshead.Index, question: str) -> None:
    index.search(question, limit=10)


async def threads(index: crosshead.Index, questions: list[str], at_once: int) -> None:
    gate = asyncio.Semaphore(at_once)

    async def one(question: str) -> None:
        async with gate:
            await asyncio.to_thread(ask, index, question)

    await asyncio.gather(*map(one, questions))


async def in_turn(index: crosshead.Index, questions: list[str]) -> None:
    for question in questions:
        ask(index, question)
        await asyncio.sleep(0)


async def measured(work: Callable[[], Awaitable[None]]) -> tuple[float, float, float]:
    """Return the seconds of some work, its CPU seconds, and how long the event loop was held up at most."""
    longest, done = 0.0, False

    async def beat() -> None:
        nonlocal longest
        while not done:
            started = time.perf_counter()
            await asyncio.sleep(BEAT_SECONDS)
            longest = max(longest, time.perf_counter() - started - BEAT_SECONDS)

    beating = asyncio.create_task(beat())
    started, cpu = time.perf_counter(), time.process_time()
    await work()
    seconds, cpu = time.perf_counter() - started, time.process_time() - cpu
    done = True
    await beating
    return seconds, cpu, longest


async def overhead(calls: int = 2000) -> float:
    """Return the seconds that a call in a thread takes beyond its work."""
    started = time.perf_counter()
    for _ in range(calls):
        await asyncio.to_thread(int)
    return (time.perf_counter() - started) / calls


async def main(location: str, folder: Path, searches: int) -> None:
    with crosshead.Index(location, root=folder, embedder="static") as index:
        if not index.sources():
            print(index.add(folder).summary)
        questions = [*itertools.islice(itertools.cycle(QUESTIONS), searches)]
        for question in QUESTIONS:
            ask(index, question)
        print(f"{index.status().chunks:,} chunks, {os.cpu_count()} cores, load {os.getloadavg()[0]:.0f}")
        alone: list[tuple[float, float, float]] = []
        together: dict[int, list[tuple[float, float, float]]] = {each: [] for each in AT_ONCE}
        for _ in range(ROUNDS):
            alone.append(await measured(lambda: in_turn(index, questions)))
            for count in AT_ONCE:
                together[count].append(await measured(lambda count=count: threads(index, questions, count)))  # type: ignore[misc]
        for name, rounds in {
            "one after another": alone,
            **{f"{each} at once": together[each] for each in AT_ONCE},
        }.items():
            seconds, cpu, longest = (statistics.median(each) for each in zip(*rounds, strict=True))
            print(
                f"{name}: {searches / seconds:.0f} searches/s, {1000 * cpu / searches:.1f} CPU ms each, "
                f"event loop held up for {1000 * longest:.0f} ms"
            )
        print(f"an empty call in a thread takes {1e6 * await overhead():.0f} µs")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--index")
    parser.add_argument("--searches", type=int, default=64)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        asyncio.run(main(given.index or f"{temporary}/index", given.folder, given.searches))
