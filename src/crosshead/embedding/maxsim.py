"""The reranker `maxsim`: for each token of the query the most similar token of the text; the score is the mean.

It runs MiniLM. An index made with the embedder `minilm` stores token vectors, so this model need not run again.
"""

from __future__ import annotations

from collections.abc import Sequence

from crosshead.embedding.minilm.encoder import MiniLMEmbedder
from crosshead.options import MAXSIM


class MaxSimReranker:
    """Compares the token vectors of a query with those of texts."""

    name = MAXSIM

    def __init__(self, encoder: MiniLMEmbedder | None = None) -> None:
        self._encoder = encoder or MiniLMEmbedder("int8")

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return for each text how similar its tokens are to those of the query, 0 to 1."""
        question = self._encoder.embed_question(query)
        token_vectors = [tokens for _, tokens in self._encoder.embed_with_tokens(texts)]
        return self._encoder.compare_tokens(question.tokens, token_vectors)
