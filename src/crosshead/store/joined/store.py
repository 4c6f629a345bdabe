"""The reading half of a store, over several indexes: for one search, or one look-up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from math import inf
from typing import Final

from crosshead.store.bm25 import weight_of
from crosshead.store.joined.lookup import JoinedLookup, Read
from crosshead.store.joined.parts import Part
from crosshead.store.ranking import ranked
from crosshead.types import Candidate, Filter, ReadableStore, Vectors, WordStatistics, relative, total_statistics

FEWEST: Final = 10
SHARES: Final = 3
"""A part is asked at first for three times its share of all candidates, but for ten at least."""


class JoinedStore(JoinedLookup):
    """Several indexes, searched as one: scores, and so the order of hits, are those of one index."""

    def __init__(self, parts: Sequence[Part], seconds: float) -> None:
        """`seconds`: how long to wait for the answer of a part."""
        super().__init__(parts, seconds)
        self._statistics: dict[tuple[str, ...], Sequence[WordStatistics]] = {}

    # ------------------------------------------------------------------ stored vectors

    def known_vectors(self, text_hashes: Sequence[str]) -> dict[str, Vectors]:
        """Return stored vectors by the hash of their text, as they are compared with the vector of a query."""
        found = self._ask(lambda store: store.known_vectors(text_hashes))
        if self._models.are_alike:
            return {text_hash: vectors for own in reversed(found) for text_hash, vectors in own.items()}
        models, dimension = self._models.of_parts, self._models.dimension
        return {
            text_hash: model.fill(vectors, dimension)
            for model, own in reversed([*zip(models, found, strict=True)])
            for text_hash, vectors in own.items()
        }

    def known_token_vectors(self, text_hashes: Sequence[str]) -> dict[str, tuple[bytes, ...]]:
        """Return stored token vectors, one entry per piece, by the hash of their text."""
        found = self._ask(lambda store: store.known_token_vectors(text_hashes))
        return {text_hash: vectors for own in reversed(found) for text_hash, vectors in own.items()}

    # ------------------------------------------------------------------ searching

    def matches_any(self, filter: Filter) -> bool:
        """Return whether a filter leaves anything to search."""
        return any(self._ask(lambda store: store.matches_any(filter)))

    def search_dense(self, vector: Vectors, limit: int, filter: Filter) -> list[Candidate]:
        """Return the chunks nearest to a vector, best first, with their cosines.

        `vector` has a slice for each model; cosines of several models are relative to the last candidate of each.
        """

        def search(number: int, count: int) -> Read[list[Candidate]]:
            return partial(_search_dense, self._models.of_parts[number].of_query(vector), count, filter)

        if self._models.are_alike:
            return self._best(range(len(self._parts)), search, limit)
        by_model = (relative(self._best(self._models.numbers(each), search, limit)) for each in self._models.distinct)
        return ranked(dict(candidate for own in by_model for candidate in own), limit)

    def search_lexical(
        self,
        words: Sequence[str],
        limit: int,
        filter: Filter,
        *,
        heading_weight: float,
        statistics: WordStatistics | None = None,
    ) -> list[Candidate]:
        """Return the best chunks by BM25 over text and headings, best first, with scores as a share of the maximum."""
        if not words:
            return []
        total = statistics or self.word_statistics(words)

        def search(_: int, count: int) -> Read[list[Candidate]]:
            return partial(_search_lexical, words, count, filter, heading_weight, total)

        return self._best([number for number, own in enumerate(self._count(words)) if _holds_any(own)], search, limit)

    def word_statistics(self, words: Sequence[str]) -> WordStatistics:
        """Return how frequent words are in all parts."""
        return total_statistics(self._count(words))

    def rarities(self, words: Sequence[str]) -> list[float]:
        """Return how rare words are in all parts: the weight (IDF) of each in BM25."""
        total = self.word_statistics(words)
        return [weight_of(word, total) for word in words]

    def _count(self, words: Sequence[str]) -> Sequence[WordStatistics]:
        """Return how frequent words are in each part."""
        key = tuple(words)
        if key not in self._statistics:
            self._statistics[key] = self._ask(lambda store: store.word_statistics(key))
        return self._statistics[key]

    def _best(
        self, numbers: Sequence[int], search: Callable[[int, int], Read[list[Candidate]]], limit: int
    ) -> list[Candidate]:
        """Return the best candidates of some parts.

        Each is first asked for a few, and once more for all if there may be others among the best.
        """
        few = min(limit, max(FEWEST, SHARES * limit // max(len(numbers), 1)))
        found = self._ask_some({number: search(number, few) for number in numbers})
        merged = self._merged(found, limit)
        lowest = merged[-1].score if len(merged) == limit else -inf
        more = [number for number, own in found.items() if few < limit and len(own) == few and own[-1].score >= lowest]
        if not more:
            return merged
        return self._merged({**found, **self._ask_some({number: search(number, limit) for number in more})}, limit)

    def _merged(self, found: Mapping[int, Iterable[Candidate]], limit: int) -> list[Candidate]:
        """Return the best candidates of parts; a chunk that several parts have is that of the first."""
        best = {
            each.chunk_id: each.score
            for number in sorted(found)
            for each in found[number]
            if self._names.remember(each.chunk_id, number) == number
        }
        return ranked(best, limit)


def _search_dense(vector: Vectors, limit: int, filter: Filter, store: ReadableStore) -> list[Candidate]:
    return store.search_dense(vector, limit, filter)


def _search_lexical(
    words: Sequence[str],
    limit: int,
    filter: Filter,
    heading_weight: float,
    statistics: WordStatistics,
    store: ReadableStore,
) -> list[Candidate]:
    return store.search_lexical(words, limit, filter, heading_weight=heading_weight, statistics=statistics)


def _holds_any(statistics: WordStatistics) -> bool:
    return any(statistics.rows.values()) or any(statistics.heading_rows.values())
