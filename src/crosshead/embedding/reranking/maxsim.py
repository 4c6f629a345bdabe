"""The reranker `maxsim`: the similarity of each query token to the nearest token of the text, as a mean.

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
        query_vectors = self._encoder.embed_query_with_tokens(query)
        token_vectors = [(tokens,) for _, tokens in self._encoder.embed_with_tokens(texts)]
        return self._encoder.compare_tokens(query_vectors.token_vectors, token_vectors)
