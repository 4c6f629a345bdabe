"""Words -> the chunks in which they weigh most, by BM25 for content and headings.

In a small table all rows are scored, in memory. In a larger one Lance searches each field, and the scores are added up:
a search of several fields by Lance takes only the better score, and is slow if a word is in many headings.

As a part of a larger index, a table scores by the statistics of the whole: Lance proposes rows by its own, which are
scored from their words, until no other row can be among the best.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from crosshead.store.bm25 import SATURATION, best_score, saturated, weight_of
from crosshead.store.lance.candidates.statistics import TERM_COLUMNS, ScoredField, scored_fields
from crosshead.store.lance.table_version import TableVersion
from crosshead.types import WordStatistics

FIELD_DEPTH: Final = 2
"""Chunks per field for one in the result: the best one by both fields together may be the best one of neither."""
DEEPER: Final = 2
"""Factor for the rows that Lance proposes, if the first ones do not include all that may be among the best."""
SLACK: Final = 1.05
"""Lance may score higher than by the rows that are there: it also counts words of deleted ones."""


def find_words(
    version: TableVersion, words: Sequence[str], limit: int, condition: str | None, heading_weight: float
) -> dict[str, float]:
    """Return the best chunks with their scores as a share of the maximum."""
    distinct = [*dict.fromkeys(words)]
    if version.words.are_held:
        return find_words_as(version, distinct, limit, condition, heading_weight, version.words.statistics(distinct))
    scores: defaultdict[int, float] = defaultdict(float)
    for column, weight in zip(TERM_COLUMNS, (1.0, heading_weight), strict=True):
        if weight:
            for row_id, score in version.match(distinct, column, condition, FIELD_DEPTH * limit).items():
                scores[row_id] += weight * score
    best = sorted(scores, key=lambda row_id: (-scores[row_id], row_id))[:limit]
    return _as_shares(
        version, {row_id: scores[row_id] for row_id in best}, version.words.rarities(distinct), heading_weight
    )


def find_words_as(
    version: TableVersion,
    words: Sequence[str],
    limit: int,
    condition: str | None,
    heading_weight: float,
    statistics: WordStatistics,
) -> dict[str, float]:
    """Return the best chunks, at least `limit` if there are, with the scores that an index of these statistics has."""
    distinct = [*dict.fromkeys(words)]
    fields = scored_fields(distinct, statistics, heading_weight)
    if matrix := version.words.matrix:
        scores = matrix.match(fields, limit, version.mask(matrix.row_ids, condition))
    else:
        scores = _match_on_disk(version, fields, limit, condition)
    return _as_shares(version, scores, [weight_of(word, statistics) for word in distinct], heading_weight)


def _as_shares(
    version: TableVersion, scores: Mapping[int, float], rarities: Sequence[float], heading_weight: float
) -> dict[str, float]:
    maximum = best_score(rarities, heading_weight)
    return {key: score / maximum for key, score in zip(version.keys_at([*scores]), scores.values(), strict=True)}


# ---------------------------------------------------------------------- a large table, by the statistics of others


def _match_on_disk(
    version: TableVersion, fields: Sequence[ScoredField], limit: int, condition: str | None
) -> dict[int, float]:
    """Return the scores of the best rows of a table that is not in memory."""
    words = [*fields[0].rarities]
    own = {field.column: field for field in scored_fields(words, version.words.statistics(words), 1.0)}
    scores: dict[int, float] = {}
    depth = FIELD_DEPTH * limit
    while True:
        unseen = 0.0
        for field in fields:
            found = version.match(words, field.column, condition, depth)
            scores |= _score(version, fields, [row_id for row_id in found if row_id not in scores])
            if len(found) >= depth:
                unseen += _most(field, own[field.column], min(found.values()))
        best = sorted(scores.values(), reverse=True)[:limit]
        if not unseen or (len(best) == limit and best[-1] >= unseen):
            return {row_id: score for row_id, score in scores.items() if score >= best[-1]} if best else {}
        depth *= DEEPER


def _score(version: TableVersion, fields: Sequence[ScoredField], row_ids: Sequence[int]) -> dict[int, float]:
    """Return the scores of rows, from their words."""
    rows = version.words.of_rows(row_ids, [field.column for field in fields])
    return {row_id: sum(map(_field_score, fields, held)) for row_id, held in zip(row_ids, rows, strict=True)}


def _field_score(field: ScoredField, held: Sequence[str]) -> float:
    counts = ((held.count(word), rare) for word, rare in field.rarities.items())
    shares = (rare * saturated(count, len(held), field.average) for count, rare in counts if count)
    return field.weight * (SATURATION + 1) * sum(shares)


def _most(field: ScoredField, own: ScoredField, score: float) -> float:
    """Return the highest score of a row that has at most this score by the statistics of its table.

    Such a row holds most of the words whose weight is most higher than in the table.
    """
    rest, most = SLACK * score, 0.0
    ratios = {word: rare / max(own.rarities[word], 1e-9) for word, rare in field.rarities.items()}
    for word in sorted(ratios, key=lambda each: -ratios[each]):
        part = min(rest, (SATURATION + 1) * own.rarities[word])
        most += ratios[word] * part
        rest -= part
    return field.weight * max(field.average / own.average, 1.0) * most
