"""The reranker `maxsim`: every token of the question looks for the nearest token of a text, and their mean counts.

It runs MiniLM, as the embedder of that name does, but compares tokens instead of whole texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from crosshead.embed.minilm.encoder import MiniLMEmbedder

if TYPE_CHECKING:
    from crosshead.model import Vectors

NAME: Final = "maxsim"


class MaxSimReranker:
    """Compares the tokens of a question with those of texts."""

    name = NAME

    def __init__(self, encoder: MiniLMEmbedder | None = None) -> None:
        self._encoder = encoder or MiniLMEmbedder("int8")

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return for every text how near its tokens are to those of the question, 0 to 1."""
        asked = self._encoder.embed_tokens(query)
        return [_nearness(asked, self._encoder.embed_tokens(text)) for text in texts]


def _nearness(asked: Vectors, given: Vectors) -> float:
    if not len(asked) or not len(given):
        return 0.0
    return max(float((asked @ given.T).max(axis=1).mean()), 0.0)
