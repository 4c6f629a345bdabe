"""A figure: how much was kept, and of how much."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple


class Share(NamedTuple):
    kept: float = 0
    total: float = 0

    def __add__(self, other: Any) -> Share:
        return Share(self.kept + other.kept, self.total + other.total)

    @property
    def value(self) -> float:
        return self.kept / self.total if self.total else 1.0


Score = dict[str, Share]


def f1(right: int, wanted: int, got: int) -> Share:
    """Return the harmonic mean of precision and recall; the shares of several documents can be added."""
    return Share(2 * right, wanted + got)


def total(scores: Iterable[Score]) -> Score:
    summed: Score = {}
    for each in scores:
        for figure, share in each.items():
            summed[figure] = summed.get(figure, Share()) + share
    return summed
