"""Chunks that wait to be embedded -> chunks with vectors.

A store hands out a few chunks at a time, to every process others, and commits their vectors before the next ones:
whoever is interrupted loses at most these, and the next run goes on from there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from crosshead.indexing.pieces import PieceCutter
from crosshead.indexing.recipe import Recipe
from crosshead.indexing.write import Unembedded, VectorSource
from crosshead.types import Chunk, Embedder, EmbeddingResult, Store

CHUNKS_AT_ONCE: Final = 256
"""A small model takes seconds for them."""
SMALL_SHARE: Final = 0.05
"""Upkeep looks at all chunks, and need not follow the change of a few."""

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

    def __init__(
        self,
        store: Store,
        embedder: Embedder,
        recipe: Recipe,
        on_progress: OnPending | None = None,
        *,
        skip: Collection[str] = (),
    ) -> None:
        """Chunks to skip were refused already."""
        self.total = store.count_pending()
        self.unembedded = Unembedded()
        self._store = store
        self._pieces = PieceCutter(recipe)
        self._vectors = VectorSource(store, embedder, recipe, lambda made: self._tell(made - self._made))
        self._made = 0
        """Texts whose vectors were made when the last commit was done."""
        self._on_progress = on_progress
        self._done = 0
        self._skip = skip

    @property
    def texts_embedded(self) -> int:
        """Texts whose vectors were not known before."""
        return self._vectors.embedded

    def run(self) -> EmbedResult:
        """Embed all chunks that wait and that no other process is at."""
        if self.total:
            self._tell(0)
        failed = self.unembedded.reasons
        while taken := self._store.embed_pending(CHUNKS_AT_ONCE, self._embed_chunks, skip={*self._skip, *failed}):
            self._done += taken
            self._made = self._vectors.embedded
            self._tell(0)
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

    def _tell(self, more: int) -> None:
        if self._on_progress:
            done = self._done + more
            self._on_progress(done, max(done, self.total))
