"""A word -> words of similar meaning, by the vectors of the embedder `static`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

from crosshead.embedding.static import StaticEmbedder, is_available

if TYPE_CHECKING:
    from crosshead.types import Vectors

SAME_BEGINNING: Final = 4
"""Characters; words that begin alike are forms of one word."""
NEAREST: Final = 32
"""Words to choose from."""


class SimilarWords:
    """Finds words of similar meaning; none if the table of the embedder is not installed."""

    def __init__(self) -> None:
        self._embedder = StaticEmbedder() if is_available() else None
        self._find = lru_cache(maxsize=50_000)(self._similar)

    def __call__(self, word: str, count: int) -> Sequence[str]:
        """Return words of similar meaning, nearest first."""
        return self._find(word.casefold())[:count]

    def _similar(self, word: str) -> Sequence[str]:
        if self._embedder is None:
            return ()
        import numpy as np

        words, vectors = self._common_words
        nearness = vectors @ self._embedder.embed_query(word)[0]
        nearest = np.argsort(-nearness, kind="stable")[:NEAREST].tolist()
        return [words[at] for at in nearest if words[at][:SAME_BEGINNING] != word[:SAME_BEGINNING]]

    @cached_property
    def _common_words(self) -> tuple[Sequence[str], Vectors]:
        assert self._embedder is not None
        return self._embedder.common_words()
