"""An evaluation -> its figures, and two of the same questions -> differences, both with intervals.

A paired bootstrap: draw as many questions as there are, with replacement, many times, and take the mean of their
differences each time. The middle 95 % of these means are the interval. If 0 is outside it, other questions of the same
sort would hardly reverse the difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from crosshead.errors import OptionsError
from crosshead.evaluation.run import Evaluation

DRAWS: Final = 5_000
SEED: Final = 20_260
CONFIDENCE: Final = 0.95


class Difference(NamedTuple):
    """How much higher a figure is on average, with its interval."""

    mean: float
    low: float
    high: float

    @property
    def is_clear(self) -> bool:
        """True if 0 is outside the interval."""
        return self.low > 0 or self.high < 0


def compare(evaluation: Evaluation, baseline: Evaluation, *, seed: int = SEED) -> dict[str, Difference]:
    """Return how each figure differs from the baseline; the same input gives the same intervals."""
    if [each.id for each in evaluation.questions] != [each.id for each in baseline.questions]:
        raise OptionsError("the two evaluations have different questions: use the same ones, in the same order")
    names = [name for name in evaluation.means if name in baseline.means]
    pairs = zip(evaluation.figures, baseline.figures, strict=True)
    gains = [[ours[name] - theirs[name] for name in names] for ours, theirs in pairs]
    return dict(zip(names, bootstrap(gains, seed=seed), strict=True))


def intervals(evaluation: Evaluation, *, seed: int = SEED) -> dict[str, Difference]:
    """Return the mean of each figure with its interval."""
    names = [*evaluation.means]
    rows = [[figures[name] for name in names] for figures in evaluation.figures]
    return dict(zip(names, bootstrap(rows, seed=seed), strict=True))


def bootstrap(gains: Sequence[Sequence[float]], *, seed: int = SEED) -> list[Difference]:
    """Return the mean of each column with its interval; a row holds the differences of one question."""
    import numpy

    rows = numpy.array(gains)
    random = numpy.random.default_rng(seed)
    count = len(rows)
    drawn = [rows[random.integers(count, size=count)].mean(axis=0) for _ in range(DRAWS)]
    tail = (1 - CONFIDENCE) / 2
    low, high = numpy.quantile(drawn, [tail, 1 - tail], axis=0)
    return [Difference(*map(float, values)) for values in zip(rows.mean(axis=0), low, high, strict=True)]
