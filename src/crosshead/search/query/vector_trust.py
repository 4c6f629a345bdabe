"""How far vectors can be trusted: as far as the model can read the text.

A model returns a vector for any text. In a script or language that it has not learned, the vector depends on a few
letters and signs, and would only disturb what words say.

A model of one language knows parts of words of other languages in the same script, which say as little. Only queries
are judged by their language, so that all chunks are compared alike: when chunks of code and of prose had different
weights, MiniLM found less in German documents than words alone.
"""

from __future__ import annotations

from typing import Final

from crosshead.types import Chunk, Embedder, ReadingEmbedder, WordReadingEmbedder

NOT_READ: Final = 0.5
"""Up to this share of a text that the model can read, its vector says nothing: it read mostly names and code."""
READ: Final = 0.75
"""From this share on, vectors are trusted fully."""
PARTS: Final = 0.5
"""Up to this share of words of the model's language, a query is in another language."""
WORDS: Final = 0.65
"""From this share on, it is in the model's language."""
MOST_REMEMBERED: Final = 100_000
"""Chunks whose trust is remembered."""


class ChunkTrust:
    """How far the vectors of chunks can be trusted, computed once for each text."""

    def __init__(self, embedder: Embedder | None) -> None:
        self._embedder = embedder if isinstance(embedder, ReadingEmbedder) else None  # once: this takes 0.1 ms
        self._by_hash: dict[str, float] = {}

    @property
    def may_doubt(self) -> bool:
        """Does the model know what it can read?"""
        return self._embedder is not None

    def __call__(self, chunk: Chunk) -> float:
        """Return the trust in the vectors of a chunk, 0 to 1."""
        if self._embedder is None:
            return 1.0
        known = self._by_hash.get(chunk.content_hash)
        if known is not None:
            return known
        if len(self._by_hash) >= MOST_REMEMBERED:
            self._by_hash.clear()
        trusted = self._by_hash[chunk.content_hash] = _from_share(self._embedder.read_share(chunk.content))
        return trusted


def trust(embedder: Embedder | None, text: str) -> float:
    """Return 0 if the vectors of a text say nothing, up to 1; 1 for a model that does not know what it can read."""
    if not isinstance(embedder, ReadingEmbedder):
        return 1.0
    return _from_share(embedder.read_share(text))


def trust_question(embedder: Embedder | None, text: str) -> float:
    """Return how far the vectors of a query can be trusted: less if it is not in the model's language."""
    trusted = trust(embedder, text)
    if not isinstance(embedder, WordReadingEmbedder):
        return trusted
    return min(trusted, _between(PARTS, WORDS, embedder.word_share(text)))


def _from_share(share: float) -> float:
    return _between(NOT_READ, READ, share)


def _between(low: float, high: float, share: float) -> float:
    return min(max((share - low) / (high - low), 0.0), 1.0)
