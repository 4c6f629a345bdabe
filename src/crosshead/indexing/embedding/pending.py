"""Pending chunks -> chunks with vectors.

A store hands out a few chunks at a time, different ones to each process, and commits their vectors before the next.
An interrupted run loses at most these, and the next run continues from there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from crosshead.indexing.embedding.pieces import PieceCutter
from crosshead.indexing.opened import OpenedIndex
from crosshead.indexing.recipe import Recipe
from crosshead.indexing.steps.vectors import Unembedded, VectorSource
from crosshead.types import Chunk, Embedder, EmbeddingResult, Store

CHUNKS_AT_ONCE: Final = 256
"""A small model embeds them in seconds."""
SMALL_SHARE: Final = 0.05
"""Upkeep looks at all chunks, so a run that embeds fewer of them skips it."""

OnPending = Callable[[int, int], None]
"""Called with the number of chunks that are done and the total."""


@dataclass(frozen=True, slots=True)
class EmbedResult:
    """The result of embedding the pending chunks."""

    embedded: int = 0
    failed: Mapping[str, str] = field(default_factory=dict)
    """Why a chunk could not be embedded, by its id."""


def embed_pending(
    index: OpenedIndex, *, retry_failed: bool, on_progress: OnPending | None, jobs: int | None
) -> EmbedResult:
    """Embed the chunks that have no vector yet; with `retry_failed`, also those that failed before."""
    with index.lock():
        if retry_failed:
            index.store.reset_failed()
        return PendingRun(index.store, index.embedder_for(jobs), index.recipe, on_progress).run()


class PendingRun:
    """One call of `embed_pending`; the caller holds the lock of a store that has only one writer."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder,
        recipe: Recipe,
        on_progress: OnPending | None = None,
        *,
        skip: Collection[str] = (),
    ) -> None:
        """`skip`: chunks that were refused already."""
        self.total = store.count_pending()
        self.unembedded = Unembedded()
        self._store = store
        self._pieces = PieceCutter(recipe)
        self._vectors = VectorSource(store, embedder, recipe, lambda made: self._report(made - self._made))
        self._made = 0
        """Texts that were embedded before the last commit."""
        self._on_progress = on_progress
        self._done = 0
        self._skip = skip

    @property
    def texts_embedded(self) -> int:
        """How many texts were embedded, because the index had no vectors for them."""
        return self._vectors.embedded

    def run(self) -> EmbedResult:
        """Embed all pending chunks that no other process has taken."""
        if self.total:
            self._report(0)
        failed = self.unembedded.reasons
        while taken := self._store.embed_pending(CHUNKS_AT_ONCE, self._embed_chunks, skip={*self._skip, *failed}):
            self._done += taken
            self._made = self._vectors.embedded
            self._report(0)
        if self._done > CHUNKS_AT_ONCE or self._done > SMALL_SHARE * self._store.contents().chunks:
            self._store.maintain()
        return EmbedResult(self._done - len(failed), failed)

    def _embed_chunks(self, chunks: Sequence[Chunk]) -> dict[str, EmbeddingResult]:
        hashes = {chunk.id: self._pieces.text_hash(chunk) for chunk in chunks}
        found = self._vectors.get({hashes[chunk.id]: chunk for chunk in chunks})
        result = {chunk_id: found[text_hash] for chunk_id, text_hash in hashes.items()}
        for chunk in chunks:
            if result[chunk.id].vectors is None:
                self.unembedded.add(chunk, result[chunk.id])
        return result

    def _report(self, more: int) -> None:
        if self._on_progress:
            done = self._done + more
            self._on_progress(done, max(done, self.total))
