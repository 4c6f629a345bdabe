"""What words weigh in BM25, the same in every store.

A lexical score is given as a share of the best that the words could get: each of them in text and headings so often,
and in ones so short, that it counts in full. So scores of different questions can be compared: a question whose words
are hardly found has small ones, and one whose rarest word is found nowhere never gets far.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

SATURATION: Final = 1.2
LENGTH_WEIGHT: Final = 0.75
"""The usual k1 and b of BM25."""


def rarity(rows: float, total: float) -> float:
    """Return the weight of a word that so many of all chunks hold; one that is nowhere weighs most."""
    return math.log(1 + (max(total, rows) - rows + 0.5) / (rows + 0.5))


def best_score(rarities: Iterable[float], heading_weight: float) -> float:
    """Return what words of such rarities could get, those in headings counting as much as told.

    A word is rarer in headings and weighs more there, so that little more than this may come of it.
    """
    return (SATURATION + 1) * (1 + heading_weight) * sum(rarities)
