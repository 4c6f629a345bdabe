"""How far the vectors of a text can be trusted: as far as the model can read the text.

A model gives a vector for any text. In a script or language that it has not learned, that vector depends on a few
letters and signs, and would only disturb what words say.

A model of one language knows other languages in the same script by parts of words, which say as little. Only questions
are judged by this, so that all chunks are compared alike: with chunks of code and of prose weighted differently, MiniLM
found less in German documents than words alone.
"""

from __future__ import annotations

from typing import Final

from crosshead.types import Embedder, ReadingEmbedder, WordReadingEmbedder

NOT_READ: Final = 0.5
"""A text of which no more than this share is read has vectors that say nothing: the rest is mostly names and code."""
READ: Final = 0.75
"""From this share on, vectors are trusted fully."""
PARTS: Final = 0.5
"""A question of which no more than this share is words of the model's language is in another language."""
WORDS: Final = 0.65
"""From this share on, it is in the model's language."""


def trust(embedder: Embedder | None, text: str) -> float:
    """Return 0 if the vectors of a text say nothing, up to 1; of a model that cannot tell, 1."""
    if not isinstance(embedder, ReadingEmbedder):
        return 1.0
    return _between(NOT_READ, READ, embedder.read_share(text))


def trust_question(embedder: Embedder | None, text: str) -> float:
    """Return how far the vectors of a question are trusted: less if it is in another language than the model's."""
    trusted = trust(embedder, text)
    if not isinstance(embedder, WordReadingEmbedder):
        return trusted
    return min(trusted, _between(PARTS, WORDS, embedder.word_share(text)))


def _between(low: float, high: float, share: float) -> float:
    return min(max((share - low) / (high - low), 0.0), 1.0)
