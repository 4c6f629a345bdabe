"""How the time of reading, cutting and checking grows with the size of hostile texts.

Every pattern of `hostile_texts.py` is read at growing sizes, each time in a process of its own with a limit of CPU
time. The exponent is the base 2 logarithm of the ratio of the CPU times at a size and at half of it: 1 is linear,
2 is quadratic. A pattern that is quick and grows linearly is not read at larger sizes.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, NamedTuple

from tests.long.bounded import Run, run_bounded
from tests.long.hostile_texts import SETTINGS, Pattern, patterns

import crosshead
from crosshead.errors import CrossheadError
from crosshead.formats import choose_format

CPU_SECONDS: Final = 30
MAX_EXPONENT: Final = 1.3
"""Noise and caches make exponents of linear runs differ from 1 this much."""
QUICK_SECONDS: Final = 0.4
"""At a quarter of a megabyte; even a quadratic reader takes less than 7 seconds for a megabyte then."""


class Growth(NamedTuple):
    """The runs of a pattern, by size."""

    pattern: Pattern
    runs: dict[int, Run]

    @property
    def exponent(self) -> float:
        """Of the last doubling."""
        if len(self.runs) < 2:
            return 1.0
        (small, first), (large, last) = list(self.runs.items())[-2:]
        return math.log(max(last.cpu_seconds, 0.001) / max(first.cpu_seconds, 0.001), large / small)

    @property
    def fault(self) -> str:
        """What is wrong, nothing if all is well."""
        *_, last = self.runs.values()
        if last.outcome not in ("read", "refused"):
            return last.outcome
        if last.cpu_seconds > 5 and (last.outcome == "refused" or self.exponent > MAX_EXPONENT):
            return f"{last.outcome} after {last.cpu_seconds:.1f} CPU s"
        return ""


def read_whole(pattern: Pattern, size: int) -> str:
    """Read, cut and check one document."""
    data = pattern.make(size)
    try:
        with suppress(CrossheadError):  # to find out the format is a part of reading a file
            choose_format("a.txt", data)
        document = crosshead.read(data, pattern.format)
        report = crosshead.check(document, crosshead.chunk(document))
    except CrossheadError:
        return "refused"
    return "read" if report.ok else f"broken guarantee: {report.violations[0].message}"


def measure(pattern: Pattern, sizes: Sequence[int]) -> Growth:
    """Read a pattern at each size, until it is clear how it grows."""
    growth = Growth(pattern, {})
    for size in sizes:
        run = run_bounded(partial(read_whole, pattern, size), CPU_SECONDS)
        growth.runs[size] = run
        is_quick = run.cpu_seconds < QUICK_SECONDS * size / 250_000 and growth.exponent < MAX_EXPONENT
        if run.outcome not in ("read", "refused") or (is_quick and len(growth.runs) > 1):
            break
    return growth


def run_grid(formats: Iterable[str], sizes: Sequence[int], share: float, seed: int) -> int:
    """Print the patterns that grow faster than their size, and the slowest of each format; return how many failed."""
    formats = list(formats) or list(SETTINGS)
    for format in formats:  # so that each process finds readers, tokenizer and check loaded
        read_whole(next(patterns(format)), 1000)
    return sum(_run_format(format, sizes, share, random.Random(seed)) for format in formats)


def _run_format(format: str, sizes: Sequence[int], share: float, rng: random.Random) -> int:
    grown = []
    for pattern in patterns(format):
        if rng.random() < share:
            grown.append(measure(pattern, sizes))
            if grown[-1].fault or grown[-1].exponent > MAX_EXPONENT:
                print(show(grown[-1]), flush=True)
    faults = sum(bool(growth.fault) for growth in grown)
    slowest = f"; slowest: {show(max(grown, key=_slowness))}" if grown else ""
    print(f"{format}: {len(grown):,} patterns, {faults} faults{slowest}", flush=True)
    return faults


def _slowness(growth: Growth) -> float:
    *_, (size, run) = growth.runs.items()
    return run.cpu_seconds / size


def show(growth: Growth) -> str:
    """Return a line about a pattern."""
    times = ", ".join(f"{size // 1000} kB {run.cpu_seconds:.2f} s" for size, run in growth.runs.items())
    line = f"{growth.pattern.format} {growth.pattern.name}: {times}; exponent {growth.exponent:.2f}"
    return f"{line}; {growth.fault}" if growth.fault else line
