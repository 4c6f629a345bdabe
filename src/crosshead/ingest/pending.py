"""Chunks that wait to be embedded -> chunks with vectors.

A store hands out a few chunks at a time, to every process others, and commits their vectors before the next ones:
whoever is interrupted loses at most these, and the next run goes on from there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from crosshead.ingest.recipe import Recipe
from crosshead.ingest.write import CHUNKS_AT_ONCE, VectorSource
from crosshead.model import Chunk, Embedded, Embedder, Store

OnPending = Callable[[int, int], None]
"""Is told how many chunks are done by now, and how many there are to do."""


@dataclass(frozen=True, slots=True)
class EmbedResult:
    """What became of the chunks that waited."""

    embedded: int = 0
    failed: Mapping[str, str] = field(default_factory=dict)
    """Why a chunk could not be embedded, by its id."""


class PendingRun:
    """One call of `embed_pending`; where a store has only one writer, its lock is held."""

    def __init__(self, store: Store, embedder: Embedder, recipe: Recipe, on_progress: OnPending | None = None) -> None:
        self._store = store
        self._embedder = embedder
        self._recipe = recipe
        self._on_progress = on_progress
        self._done = 0
        self._total = store.count_waiting()
        self._failed: dict[str, str] = {}

    def run(self) -> EmbedResult:
        """Embed all chunks that wait and that no other process is at."""
        while taken := self._store.embed_waiting(CHUNKS_AT_ONCE, self._embed_chunks, skip=self._failed.keys()):
            self._done += taken
            self._tell(0)
        if self._done > CHUNKS_AT_ONCE:
            self._store.maintain()
        return EmbedResult(self._done - len(self._failed), self._failed)

    def _embed_chunks(self, chunks: Sequence[Chunk]) -> dict[str, Embedded]:
        hashes = {chunk.id: self._recipe.text_hash(chunk) for chunk in chunks}
        by_hash = {hashes[chunk.id]: chunk for chunk in chunks}
        found = VectorSource(self._store, self._embedder, self._recipe, self._tell).get(by_hash)
        result = {chunk_id: found[text_hash] for chunk_id, text_hash in hashes.items()}
        self._failed |= {chunk_id: each.error for chunk_id, each in result.items() if each.vectors is None}
        return result

    def _tell(self, more: int) -> None:
        if self._on_progress:
            done = self._done + more
            self._on_progress(done, max(done, self._total))
