"""How frequent words are, in one index or in several together: what BM25 needs to know about all chunks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

WORDS: Final = "words"
BYTES: Final = "bytes"
"""Measures of length, of which a store has one."""


class FieldLengths(NamedTuple):
    """The lengths of texts and headings together, in one measure, and of how many chunks."""

    chunks: float = 0.0
    texts: float = 0.0
    headings: float = 0.0

    @property
    def averages(self) -> tuple[float, float]:
        """The average lengths of a text and of its headings."""
        return self.texts / (self.chunks or 1.0), self.headings / (self.chunks or 1.0)


class Density(NamedTuple):
    """A text that holds a word often, for its length."""

    times: int
    """How often."""
    length: int


@dataclass(frozen=True, slots=True)
class WordStatistics:
    """Numbers about all chunks, and about the chunks that hold some words; those of several indexes can be added."""

    chunks: float = 0.0
    """Chunks that can be found by words."""
    rows: Mapping[str, float] = field(default_factory=dict)
    """Chunks that hold each word: in the text, or, where headings are not counted apart, in text or headings."""
    headed: float = 0.0
    """Those of `chunks` whose headings are counted apart."""
    heading_rows: Mapping[str, float] = field(default_factory=dict)
    """Of these, the chunks that hold each word in their headings."""
    lengths: Mapping[str, FieldLengths] = field(default_factory=dict)
    """By measure."""
    densest: Mapping[str, tuple[Density, ...]] = field(default_factory=dict)
    """Texts in which a word may weigh most, whatever the average length; only where headings are counted apart."""

    def headings_with(self, word: str) -> float:
        """Return how many chunks hold a word in headings; where these are not counted apart, as many as elsewhere.

        If they are not counted apart anywhere, those that hold it at all.
        """
        if not self.headed:
            return self.rows.get(word, 0.0)
        return self.heading_rows.get(word, 0.0) * self.chunks / self.headed

    def __add__(self, other: WordStatistics) -> WordStatistics:
        return total_statistics((self, other))


def total_statistics(parts: Iterable[WordStatistics]) -> WordStatistics:
    """Return the statistics of several indexes together."""
    each = [*parts]
    measures = {measure for part in each for measure in part.lengths}
    return WordStatistics(
        chunks=sum(part.chunks for part in each),
        rows=_added(part.rows for part in each),
        headed=sum(part.headed for part in each),
        heading_rows=_added(part.heading_rows for part in each),
        lengths={
            measure: _together(part.lengths.get(measure, FieldLengths()) for part in each) for measure in measures
        },
        densest={word: _front(part.densest.get(word, ()) for part in each) for word in _words(each)},
    )


def pareto_front(found: Iterable[Density]) -> tuple[Density, ...]:
    """Return those of some texts that are shorter than all others with at least as many of the word."""
    kept: list[Density] = []
    for each in sorted(found, key=lambda density: (-density.times, density.length)):
        if not kept or each.length < kept[-1].length:
            kept.append(each)
    return tuple(kept)


def _front(parts: Iterable[Iterable[Density]]) -> tuple[Density, ...]:
    return pareto_front(each for part in parts for each in part)


def _words(parts: Iterable[WordStatistics]) -> dict[str, None]:
    return {word: None for part in parts for word in part.densest}


def _added(parts: Iterable[Mapping[str, float]]) -> Mapping[str, float]:
    total: Counter[str] = Counter()
    for part in parts:
        for word, count in part.items():
            total[word] += count  # type: ignore[assignment]  # a Counter adds up any numbers
    return dict(total)


def _together(parts: Iterable[FieldLengths | None]) -> FieldLengths:
    return FieldLengths(*map(sum, zip(*filter(None, parts), strict=True)))
