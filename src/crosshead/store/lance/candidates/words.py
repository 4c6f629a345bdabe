"""The words of one version of the table: how frequent they are, and what they weigh.

The words of a small table are held in memory: for searches of this table alone once it was searched so often that
reading them pays off, and as a part of a larger index at once, because that needs the numbers of all words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from crosshead.store.bm25 import BEST_SHARE, MOST_COUNTED, SATURATION, rarity, weight_of
from crosshead.store.lance import indexes
from crosshead.store.lance.candidates.small import WordMatrix
from crosshead.store.lance.candidates.statistics import (
    TERM_COLUMNS,
    TEXT,
    WordCounts,
    count_in,
    count_words,
    statistics_of,
)
from crosshead.types import Density, WordStatistics
from crosshead.types.word_statistics import pareto_front

if TYPE_CHECKING:
    from crosshead.store.lance.table_version import TableVersion

MOST_WORDS: Final = 50_000
"""Words whose numbers are remembered."""


class TableWords:
    """The words of one version of the table."""

    def __init__(self, version: TableVersion) -> None:
        self._version = version
        self._rarities: dict[str, float] = {}
        self._counts: dict[str, WordCounts] = {}

    @property
    def are_held(self) -> bool:
        """Is it worth holding the words in memory, and would Lance score alike, whose index may count other rows?"""
        return self._version.is_worth_memory and self._are_counted_exactly and self.matrix is not None

    @cached_property
    def _are_counted_exactly(self) -> bool:
        return indexes.count_rows_exactly(self._version.table, self._version.texts)

    @cached_property
    def matrix(self) -> WordMatrix | None:
        """The words of all rows; None if the table is large."""
        if not self._version.is_small:
            return None
        condition = f"{TEXT} IS NOT NULL"
        found = self._version.scan(columns=["_rowid", *TERM_COLUMNS], filter=condition, scan_in_order=True)
        columns = {column: found.column(column).combine_chunks() for column in TERM_COLUMNS}
        return WordMatrix(found.column("_rowid").to_numpy(), columns)

    def rarities(self, words: Sequence[str]) -> list[float]:
        """Return the BM25 weights of words."""
        if self.are_held:
            statistics = self.statistics(words)
            return [weight_of(word, statistics) for word in words]
        return [self._rarity(word) for word in words]

    def _rarity(self, word: str) -> float:
        """Return the weight of a word. Lance does not expose its word counts, but finds some rows quickly."""
        if word not in self._rarities:
            if len(self._rarities) > MOST_WORDS:
                self._rarities.clear()
            scores = [*self._version.match([word], TEXT, None, MOST_COUNTED).values()]
            frequent = len(scores) == MOST_COUNTED
            self._rarities[word] = (
                scores[0] / ((SATURATION + 1) * BEST_SHARE) if frequent else rarity(len(scores), self._version.texts)
            )
        return self._rarities[word]

    def statistics(self, words: Sequence[str]) -> WordStatistics:
        """Return how frequent words are among the rows that are there."""
        if len(self._counts) > MOST_WORDS:
            self._counts = {}
        known = self._counts
        counts = {word: known[word] if word in known else self._count(word) for word in words}
        known.update(counts)
        return statistics_of(counts, self._version.texts, self._lengths)

    def _count(self, word: str) -> WordCounts:
        if matrix := self.matrix:
            return count_in(matrix, word)
        match, all_rows = self._version.match, max(self._version.texts, 1)
        texts, headings = ([*match([word], column, None, all_rows)] for column in TERM_COLUMNS)
        held = [words for (words,) in self.of_rows(texts[:MOST_COUNTED], [TEXT])]
        return WordCounts(
            len(texts), len(headings), pareto_front(Density(each.count(word), len(each)) for each in held)
        )

    @cached_property
    def _lengths(self) -> Mapping[str, int]:
        """The number of words in each column."""
        if matrix := self.matrix:
            return {column: postings.total for column, postings in matrix.columns.items()}
        return count_words(self._version.table)

    def of_rows(self, row_ids: Sequence[int], columns: Sequence[str]) -> list[list[list[str]]]:
        """Return the words of rows in some columns."""
        found = self._version.table._take_rows([*row_ids], [*columns]).to_pylist() if row_ids else []
        return [[row[column].split() for column in columns] for row in found]
