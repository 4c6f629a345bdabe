"""The parts of BM25 that every store shares.

A lexical score is a share of the maximum that the words of the query could reach, which makes scores comparable across
queries: they are low if few of the words are found, or if the rarest one is not.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

from crosshead.types import WORDS, FieldLengths, WordStatistics

SATURATION: Final = 1.2
LENGTH_WEIGHT: Final = 0.75
"""k1 and b of BM25, with the values that are common in the field."""
MOST_COUNTED: Final = 50
"""Chunks to count that hold a word; the weight of a more frequent one follows from its best score."""
BEST_SHARE: Final = 0.94
"""Share of its maximum BM25 score that a frequent word reaches in practice."""


def rarity(rows: float, total: float) -> float:
    """Return the weight (IDF) of a word that occurs in `rows` of `total` chunks; a word in none weighs most."""
    return math.log(1 + (max(total, rows) - rows + 0.5) / (rows + 0.5))


def best_score(rarities: Iterable[float], heading_weight: float) -> float:
    """Return the highest BM25 score that words of these rarities could reach.

    A score may be slightly higher: a word is rarer in headings than in texts, and weighs more there.
    """
    return (SATURATION + 1) * (1 + heading_weight) * sum(rarities)


def weight_of(word: str, statistics: WordStatistics) -> float:
    """Return the weight of a word in the highest score, as an index with these statistics has it."""
    rows = statistics.rows.get(word, 0.0)
    weight = rarity(rows, statistics.chunks)
    densest = statistics.densest.get(word)
    if rows < MOST_COUNTED or not densest:
        return weight
    average, _ = averages(statistics, WORDS)
    return weight * max(saturated(times, length, average) for times, length in densest) / BEST_SHARE


def heading_weight_of(word: str, statistics: WordStatistics) -> float:
    """Return the weight of a word in headings."""
    return rarity(statistics.headings_with(word), statistics.chunks)


def averages(statistics: WordStatistics, measure: str) -> tuple[float, float]:
    """Return the average lengths of texts and headings that scores are relative to."""
    texts, headings = statistics.lengths.get(measure, FieldLengths()).averages
    return max(texts, 1.0), max(headings, 1.0)


def saturated(count: float, length: float, average: float) -> float:
    """Return the share of its maximum score that a word reaches in a text that holds it some times."""
    return count / (count + SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * length / average))
