"""Texts and a question -> the best texts, as a program does it that puts the usual parts together.

BM25 over lower-cased words and the cosine of vectors, fused by reciprocal ranks with equal weights.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

from crosshead.types import Embedder

K1 = 1.5
B = 0.75
FUSION_K = 60
DEPTH = 100
"""Texts that each side proposes, as many as a search of Crosshead's."""

_WORD = re.compile(r"\w+")


class Ranking:
    """Ranks texts for questions."""

    def __init__(self, texts: Sequence[str], embedder: Embedder) -> None:
        self._words = _Words(texts)
        self._embedder = embedder
        vectors = embedder.embed(texts)
        self._rows = np.concatenate(vectors)
        self._starts = np.cumsum([0, *(len(each) for each in vectors)])[:-1]

    def best(self, question: str, limit: int) -> list[tuple[int, float]]:
        """Positions of the best texts with their scores."""
        fused: dict[int, float] = defaultdict(float)
        for scores in (self._words.scores(question), self._cosines(question)):
            for rank, position in enumerate(_first(scores, DEPTH), 1):
                fused[position] += 1 / (FUSION_K + rank)
        return sorted(fused.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]

    def _cosines(self, question: str) -> Any:
        """A text that is longer than the model's window has several vectors, of which the best counts."""
        cosines = self._rows @ self._embedder.embed_query(question)[0]
        return np.maximum.reduceat(cosines, self._starts)


class _Words:
    """BM25."""

    def __init__(self, texts: Sequence[str]) -> None:
        counts = [Counter(_WORD.findall(text.lower())) for text in texts]
        lengths = np.array([each.total() for each in counts], float)
        self._penalties = K1 * (1 - B + B * lengths / max(lengths.mean(), 1))
        self._postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for position, each in enumerate(counts):
            for word, count in each.items():
                self._postings[word].append((position, count))

    def scores(self, question: str) -> Any:
        total = len(self._penalties)
        scores = np.zeros(total)
        for word in _WORD.findall(question.lower()):
            postings = self._postings.get(word, [])
            rarity = math.log(1 + (total - len(postings) + 0.5) / (len(postings) + 0.5))
            for position, count in postings:
                scores[position] += rarity * count * (K1 + 1) / (count + self._penalties[position])
        return scores


def _first(scores: Any, limit: int) -> list[int]:
    """Positions of the highest scores above 0."""
    order = np.argsort(-scores, kind="stable")[:limit]
    return [int(position) for position in order if scores[position] > 0]
