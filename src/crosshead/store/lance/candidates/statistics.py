"""How frequent words are in a table, and what they weigh in an index that it is a part of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from crosshead.store.bm25 import averages, heading_weight_of, rarity
from crosshead.types import WORDS, Density, FieldLengths, WordStatistics

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from crosshead.store.lance.candidates.small import WordMatrix

TERM_COLUMNS: Final = ("terms", "heading_terms")
TEXT, HEADINGS = TERM_COLUMNS
"""The columns of the words of texts and of headings."""


class ScoredField(NamedTuple):
    """A column, with what the scores of its rows depend on."""

    column: str
    weight: float
    rarities: Mapping[str, float]
    average: float
    """Words in a row."""


class WordCounts(NamedTuple):
    """How frequent one word is in a table."""

    rows: int
    heading_rows: int
    densest: tuple[Density, ...]


def scored_fields(words: Sequence[str], statistics: WordStatistics, heading_weight: float) -> list[ScoredField]:
    """Return what scores depend on in an index with these statistics."""
    average, heading_average = averages(statistics, WORDS)
    chunks = statistics.chunks
    in_text = {word: rarity(statistics.rows.get(word, 0.0), chunks) for word in words}
    fields = [ScoredField(TEXT, 1.0, in_text, average)]
    if heading_weight:
        in_headings = {word: heading_weight_of(word, statistics) for word in words}
        fields.append(ScoredField(HEADINGS, heading_weight, in_headings, heading_average))
    return fields


def statistics_of(counts: Mapping[str, WordCounts], rows: int, lengths: Mapping[str, int]) -> WordStatistics:
    """Return the statistics of a table with these numbers of rows and of words in each column."""
    return WordStatistics(
        chunks=rows,
        rows={word: each.rows for word, each in counts.items()},
        headed=rows,
        heading_rows={word: each.heading_rows for word, each in counts.items()},
        lengths={WORDS: FieldLengths(rows, lengths[TEXT], lengths[HEADINGS])},
        densest={word: each.densest for word, each in counts.items()},
    )


def count_in(matrix: WordMatrix, word: str) -> WordCounts:
    """Return how frequent a word is in a small table."""
    texts, headings = (matrix.columns[name] for name in TERM_COLUMNS)
    return WordCounts(texts.count(word), headings.count(word), texts.densest(word))


def dense_rows(counts: NDArray[Any], lengths: NDArray[Any]) -> tuple[Density, ...]:
    """Return the rows in which a word may weigh most, whatever the average length."""
    import numpy as np

    order = np.lexsort((lengths, -counts))
    shortest = np.minimum.accumulate(lengths[order])
    kept = order[np.flatnonzero(np.diff(shortest, prepend=shortest[:1] + 1))]
    return tuple(map(Density, counts[kept].tolist(), lengths[kept].tolist()))


def count_words(table: Any) -> Mapping[str, int]:
    """Return the number of words in each column of a large table, a batch of rows at a time."""
    import pyarrow.compute as pc

    totals = dict.fromkeys(TERM_COLUMNS, 0)
    for batch in table.scanner(columns=[*TERM_COLUMNS], filter=f"{TEXT} IS NOT NULL").to_batches():
        for column in TERM_COLUMNS:
            lengths = pc.list_value_length(pc.utf8_split_whitespace(batch.column(column)))
            totals[column] += pc.sum(lengths).as_py() or 0
    return totals
