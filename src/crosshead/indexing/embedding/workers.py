"""Embedding in worker processes: it uses every core, and a text that crashes the runtime of a model fails alone.

A worker loads the model once and keeps it.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any, Final, cast

from crosshead.runtime.processes import usable_cores
from crosshead.runtime.workers import in_order
from crosshead.types import Embedder, ParallelEmbedder, QueryVectors, TokenEmbedder, Vectors

TEXTS_AT_ONCE: Final = 16

OnProgress = Callable[[int], None]


def in_workers(embedder: Embedder, make: Callable[[], Embedder], jobs: int | None) -> Embedder:
    """Return an embedder that works in worker processes if it runs on the cores of this machine.

    `make` makes the same embedder in a worker, which must be able to import it.
    """
    if isinstance(embedder, ParallelEmbedder):
        kind = _WorkerTokenEmbedder if isinstance(embedder, TokenEmbedder) else _WorkerEmbedder
        return kind(embedder, make, jobs)
    return embedder


class _WorkerEmbedder:
    """Embeds documents in workers, and queries in this process."""

    def __init__(self, embedder: Embedder, make: Callable[[], Embedder], jobs: int | None) -> None:
        self.name = embedder.name
        self.revision = embedder.revision
        self.dimension = embedder.dimension
        self._embedder = embedder
        self._make = pickle.dumps(make)
        self._jobs = jobs or usable_cores()

    def embed(self, texts: Sequence[str], *, on_progress: OnProgress | None = None) -> list[Vectors]:
        """Return the vectors of each text."""
        return self._run("embed", texts, on_progress)

    def embed_query(self, text: str) -> Vectors:
        """Return the vector of a query."""
        return self._embedder.embed_query(text)

    def _run(self, method: str, texts: Sequence[str], on_progress: OnProgress | None) -> list[Any]:
        batches = [texts[at : at + TEXTS_AT_ONCE] for at in range(0, len(texts), TEXTS_AT_ONCE)]
        found: list[Any] = []
        for made in in_order(partial(_embed, self._make, method), batches, self._jobs):
            found += made
            if on_progress:
                on_progress(len(found))
        return found


class _WorkerTokenEmbedder(_WorkerEmbedder):
    """The same for an embedder that makes token vectors."""

    def embed_with_tokens(
        self, texts: Sequence[str], *, on_progress: OnProgress | None = None
    ) -> list[tuple[Vectors, bytes]]:
        """Return the vectors and token vectors of each text."""
        return self._run("embed_with_tokens", texts, on_progress)

    def embed_query_with_tokens(self, text: str) -> QueryVectors:
        """Return the vector of a query and its token vectors."""
        return cast(TokenEmbedder, self._embedder).embed_query_with_tokens(text)

    def compare_tokens(self, query: Vectors, texts: Sequence[Sequence[bytes]]) -> list[float]:
        """Return how close the token vectors of texts are to those of a query, 0 to 1."""
        return cast(TokenEmbedder, self._embedder).compare_tokens(query, texts)


def _embed(make: bytes, method: str, texts: Sequence[str]) -> list[Any]:
    return cast(list[Any], getattr(_loaded(make), method)(texts))


@lru_cache(maxsize=1)
def _loaded(make: bytes) -> Embedder:
    embedder: Embedder = pickle.loads(make)()
    if isinstance(embedder, ParallelEmbedder):
        embedder.jobs = 1  # there is a worker for every core
    return embedder
