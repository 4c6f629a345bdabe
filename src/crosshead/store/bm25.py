"""The parts of BM25 that every store shares.

A lexical score is a share of the maximum that the words of the query could reach, which makes scores comparable across
queries: they are low if few of the words are found, or if the rarest one is not.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

SATURATION: Final = 1.2
LENGTH_WEIGHT: Final = 0.75
"""k1 and b of BM25, with the values that are common in the field."""


def rarity(rows: float, total: float) -> float:
    """Return the weight (IDF) of a word that occurs in `rows` of `total` chunks; a word in none weighs most."""
    return math.log(1 + (max(total, rows) - rows + 0.5) / (rows + 0.5))


def best_score(rarities: Iterable[float], heading_weight: float) -> float:
    """Return the highest BM25 score that words of these rarities could reach.

    A score may be slightly higher: a word is rarer in headings than in texts, and weighs more there.
    """
    return (SATURATION + 1) * (1 + heading_weight) * sum(rarities)
