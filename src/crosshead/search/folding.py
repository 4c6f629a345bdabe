"""Hits -> those up to the last good one, and how many weaker ones follow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from crosshead.types import Hit


class FoldedHits(NamedTuple):
    """The hits to show, best first."""

    hits: Sequence[Hit]
    weaker: int
    """Weak hits that follow."""


def fold_weaker(hits: Sequence[Hit], *, all: bool = False, nearest: int = 0) -> FoldedHits:
    """Leave out weak hits unless `all` are wanted; if no hit is good, show the nearest ones."""
    shown = len(hits) if all else sum(not hit.is_weak for hit in hits) or min(nearest, len(hits))
    return FoldedHits(hits[:shown], len(hits) - shown)


def describe_weaker(count: int) -> str:
    """Return how many weaker hits there are, as text."""
    return f"{count} weaker {'match' if count == 1 else 'matches'}"
