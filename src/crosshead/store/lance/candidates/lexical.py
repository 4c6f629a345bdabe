"""Words -> the chunks in which they weigh most, by BM25 for content and headings.

Each field is searched separately and the scores are added up: a search of several fields by Lance takes only the better
score, and is slow if a word is in many headings.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from crosshead.store.bm25 import best_score
from crosshead.store.lance.indexes import TERM_COLUMNS
from crosshead.store.lance.table_version import TableVersion

FIELD_DEPTH: Final = 2
"""Chunks per field for one in the result: the best one by both fields together may be the best one of neither."""


def find_words(
    version: TableVersion, words: Sequence[str], limit: int, condition: str | None, heading_weight: float
) -> dict[str, float]:
    """Return the best chunks with their scores as a share of the maximum."""
    distinct = [*dict.fromkeys(words)]
    scores: defaultdict[int, float] = defaultdict(float)
    for column, weight in zip(TERM_COLUMNS, (1.0, heading_weight), strict=True):
        if weight:
            for row_id, score in version.match(distinct, column, condition, FIELD_DEPTH * limit).items():
                scores[row_id] += weight * score
    best = sorted(scores, key=lambda row_id: (-scores[row_id], row_id))[:limit]
    maximum = best_score(map(version.rarity, distinct), heading_weight)
    return {key: scores[row_id] / maximum for key, row_id in zip(version.keys_at(best), best, strict=True)}
