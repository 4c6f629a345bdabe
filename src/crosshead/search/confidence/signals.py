"""Hits -> what speaks for each of them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from typing import Final

from crosshead.language.words import words
from crosshead.search.query.entities import entity_share, find_entities
from crosshead.search.query.prepare import PreparedQuery
from crosshead.search.query.words import QueryWords
from crosshead.types import Hit, ReadableStore, Signals

COMPARED: Final = 10
"""Hits whose mean score a hit is compared with, whatever the limit."""
CAPITAL_NOUNS: Final = frozenset(("de", "lb"))
"""Languages in which every noun begins with a capital."""

_CAPITALIZED: Final = re.compile(r"\b[^\W\d_a-z][^\W\d_A-Z]+\b")


class SignalReader:
    """Reads the signals of hits for one query."""

    def __init__(self, query: PreparedQuery, store: ReadableStore) -> None:
        self._entities = find_names(query.text, [reading.language for reading in query.readings])
        self._readings = [(reading, _weights(reading, store)) for reading in query.readings if reading.wanted]

    def read(self, hit: Hit, held: Set[str], level: float) -> Signals:
        """Return the signals of a hit that holds these words of the query; `level` is the mean of the first scores."""
        return Signals(
            words=max([_share(held, reading, weights) for reading, weights in self._readings], default=0.0),
            names=entity_share(self._entities, _text(hit)) if self._entities else 1.0,
            lead=hit.final_score - level,
            cosine=hit.dense_score or 0.0,
            tokens=hit.rerank_score or 0.0,
        )


def mean_score(hits: Sequence[Hit]) -> float:
    """Return the mean score of the first hits."""
    first = [hit.final_score for hit in hits[:COMPARED]]
    return sum(first) / len(first) if first else 0.0


def find_names(text: str, languages: Sequence[str]) -> list[str]:
    """Return the names in a query; where every noun has a capital, the capital does not make a name."""
    has_capitals = not CAPITAL_NOUNS.isdisjoint(languages)
    return find_entities(_CAPITALIZED.sub(lambda found: found[0].lower(), text) if has_capitals else text)


def _weights(reading: QueryWords, store: ReadableStore) -> Mapping[str, float]:
    return dict(zip(reading.wanted, store.rarities(reading.wanted), strict=True))


def _share(held: Set[str], reading: QueryWords, weights: Mapping[str, float]) -> float:
    """Return the weight of the words that are held; an identifier that is held whole is held with its parts."""
    whole = [word for word in held if not word.isalnum()]
    parts = {part for word in whole for part in words(word, reading.language)}
    total = sum(weights.values())
    return sum([weight for word, weight in weights.items() if word in held or word in parts]) / total if total else 0.0


def _text(hit: Hit) -> str:
    return f"{hit.chunk.breadcrumb or ''}\n{hit.chunk.content}"
