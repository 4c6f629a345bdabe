"""The reranker `maxsim`: every token of the question looks for the nearest token of a text, and their mean counts.

It runs MiniLM, as the embedder of that name does. An index that was made with that embedder keeps the tokens of its
chunks, and needs no reranker to compare them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from crosshead.embedding.minilm.encoder import MiniLMEmbedder

NAME: Final = "maxsim"


class MaxSimReranker:
    """Compares the tokens of a question with those of texts."""

    name = NAME

    def __init__(self, encoder: MiniLMEmbedder | None = None) -> None:
        self._encoder = encoder or MiniLMEmbedder("int8")

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return for every text how near its tokens are to those of the question, 0 to 1."""
        asked = self._encoder.embed_question(query)
        kept = [tokens for _, tokens in self._encoder.embed_with_tokens(texts)]
        return self._encoder.compare_tokens(asked.tokens, kept)
