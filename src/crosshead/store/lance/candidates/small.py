"""The words and vectors of a small table, in memory: a query of Lance takes a millisecond however few rows there are.

Scores are those of Lance: BM25 over all chunks, and the distance of the dot product. They are only so if its index of
words holds exactly the rows of the table: deleted rows that it still counts, or new ones that it lacks, change them.
A filter is the rows that meet it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from crosshead.store.bm25 import LENGTH_WEIGHT, SATURATION
from crosshead.store.lance.candidates.statistics import ScoredField, dense_rows
from crosshead.types import Density

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from crosshead.types import Vectors

MOST_CHUNKS: Final = 10_000
"""Most chunks of a table whose words are held in memory: 20 MB at 170 words a chunk."""
MOST_NUMBERS: Final = 8_000_000
"""Most numbers of all vectors that are held in memory (32 MB): 20,000 vectors of MiniLM."""
MOST_CONDITIONS: Final = 20
"""Conditions whose rows are remembered: a few MB in tables of this size."""


class Postings:
    """The words of one column: the rows that hold each, how often, and how long they are."""

    def __init__(self, texts: pa.Array) -> None:
        import numpy as np
        import pyarrow.compute as pc

        lists = pc.utf8_split_whitespace(texts)
        lengths = pc.list_value_length(lists).to_numpy(zero_copy_only=False).astype(np.int64)
        found = lists.flatten().dictionary_encode()
        rows = len(texts)
        of_row = np.repeat(np.arange(rows), lengths)
        pairs, counts = np.unique(found.indices.to_numpy().astype(np.int64) * rows + of_row, return_counts=True)
        words, self._rows = pairs // rows, (pairs % rows).astype(np.int32)
        self._counts, self._lengths = counts.astype(np.int32), lengths.astype(np.int32)
        self.total = int(lengths.sum())
        """Words in all rows."""
        self._starts = np.searchsorted(words, np.arange(len(found.dictionary) + 1)).tolist()
        self._numbers = {word: number for number, word in enumerate(found.dictionary.to_pylist())}

    def count(self, word: str) -> int:
        """Return how many rows hold a word."""
        start, end = self._span(word)
        return end - start

    def add_scores(self, scores: NDArray[np.float64], field: ScoredField) -> None:
        """Add to the scores of rows what words in them weigh."""
        for word, rare in field.rarities.items():
            start, end = self._span(word)
            if start < end:
                weight = field.weight * (SATURATION + 1) * rare
                scores[self._rows[start:end]] += weight * self._saturated(start, end, field.average)

    def densest(self, word: str) -> tuple[Density, ...]:
        """Return the rows in which a word may weigh most, whatever the average length."""
        start, end = self._span(word)
        return dense_rows(self._counts[start:end], self._lengths[self._rows[start:end]])

    def _saturated(self, start: int, end: int, average: float) -> NDArray[np.float64]:
        counts, lengths = self._counts[start:end], self._lengths[self._rows[start:end]]
        shares: NDArray[np.float64] = counts / (
            counts + SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * lengths / average)
        )
        return shares

    def _span(self, word: str) -> tuple[int, int]:
        number = self._numbers.get(word)
        return (0, 0) if number is None else (self._starts[number], self._starts[number + 1])


class WordMatrix:
    """The words of a small table: those of texts, and those of headings."""

    def __init__(self, row_ids: NDArray[np.uint64], columns: Mapping[str, pa.Array]) -> None:
        self.row_ids = row_ids
        self.columns = {name: Postings(texts) for name, texts in columns.items()}

    def match(
        self, fields: Iterable[ScoredField], limit: int, allowed: NDArray[np.bool_] | None = None
    ) -> dict[int, float]:
        """Return the BM25 scores of the best rows, of all or of those allowed, by row id."""
        import numpy as np

        scores = np.zeros(len(self.row_ids))
        for field in fields:
            self.columns[field.column].add_scores(scores, field)
        found = np.flatnonzero(scores if allowed is None else scores * allowed)
        best = found[_least(-scores[found], limit)]
        return dict(zip(self.row_ids[best].tolist(), scores[best].tolist(), strict=True))


class VectorMatrix:
    """The vectors of a small table."""

    def __init__(self, row_ids: NDArray[np.uint64], vectors: NDArray[Any]) -> None:
        import numpy as np

        self.row_ids = row_ids
        self._vectors = vectors.astype(np.float32)
        self._kept = vectors.dtype

    def nearest(self, vector: Vectors, count: int, allowed: NDArray[np.bool_] | None = None) -> dict[int, float]:
        """Return the distances of the nearest rows by row id, of all or of those allowed.

        The query is as precise as what it is compared with.
        """
        import numpy as np

        query = vector.reshape(-1).astype(self._kept).astype(np.float32)
        distances = 1.0 - np.einsum("ij,j->i", self._vectors, query)  # a product with `@` would wake threads that spin
        found = np.arange(len(distances)) if allowed is None else np.flatnonzero(allowed)
        best = found[_least(distances[found], count)]
        return dict(zip(self.row_ids[best].tolist(), distances[best].tolist(), strict=True))


class FilteredRows:
    """Which rows meet a condition; the searches of a query share their ids."""

    def __init__(self, read: Callable[[str], NDArray[np.uint64]]) -> None:
        """`read` returns the ids of the rows that meet a condition."""
        self._read = read
        self._known: dict[str, NDArray[np.uint64]] = {}

    def mask(self, row_ids: NDArray[np.uint64], condition: str | None) -> NDArray[np.bool_] | None:
        """Return which of some rows meet a condition; None if there is no condition."""
        import numpy as np

        if not condition:
            return None
        if condition not in self._known:
            if len(self._known) >= MOST_CONDITIONS:
                self._known = {}
            self._known[condition] = self._read(condition)
        return np.isin(row_ids, self._known[condition], assume_unique=True)


def _least(values: NDArray[Any], count: int) -> NDArray[Any]:
    """Return where the least values are, in order; all that equal the last one, for an order by ids."""
    import numpy as np

    last = min(count, len(values)) - 1
    few = np.flatnonzero(values <= np.partition(values, last)[last]) if last >= 0 else np.arange(0)
    return few[np.argsort(values[few], kind="stable")]
