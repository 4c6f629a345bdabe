"""Chunks that wait to be embedded -> chunks with vectors.

1. A store hands out a few chunks at a time, to every process others, and commits their vectors before the next ones:
   whoever is interrupted loses at most these, and the next run goes on from there.
2. When an embedder fails, it is asked for something easy. If that fails too, the fault is its own: the run ends, and
   the chunks go on waiting. If not, the texts are tried in ever smaller parts, until those are found that it cannot
   embed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from crosshead.errors import EmbedError
from crosshead.ingest.recipe import Recipe
from crosshead.ingest.write import TEXTS_AT_ONCE
from crosshead.model import Chunk, Embedded, Embedder, Store

EASY_TEXT: Final = "text"

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
        while taken := self._store.embed_waiting(TEXTS_AT_ONCE, self._embed_chunks, skip=self._failed.keys()):
            self._done += taken
            self._tell(0)
        if self._done > TEXTS_AT_ONCE:
            self._store.maintain()
        return EmbedResult(self._done - len(self._failed), self._failed)

    def _embed_chunks(self, chunks: Sequence[Chunk]) -> dict[str, Embedded]:
        hashes = {chunk.id: self._recipe.text_hash(chunk) for chunk in chunks}
        texts = {hashes[chunk.id]: self._recipe.text_to_embed(chunk) for chunk in chunks}
        known = self._store.known_vectors([*texts])
        found = {text_hash: Embedded(text_hash, vectors) for text_hash, vectors in known.items()}
        unknown = [(text_hash, text) for text_hash, text in texts.items() if text_hash not in known]
        found |= {each.text_hash: each for each in self._embed_texts(unknown, len(known))}
        result = {chunk_id: found[text_hash] for chunk_id, text_hash in hashes.items()}
        self._failed |= {chunk_id: each.error for chunk_id, each in result.items() if each.vectors is None}
        return result

    def _embed_texts(self, texts: Sequence[tuple[str, str]], before: int) -> Iterator[Embedded]:
        """Embed texts with their hashes, of which some are done before."""
        if not texts:
            return
        try:
            found = self._embedder.embed(
                [text for _, text in texts], on_progress=lambda done: self._tell(before + done)
            )
        except EmbedError as error:
            self._embedder.embed([EASY_TEXT])
            if len(texts) == 1:
                yield Embedded(texts[0][0], None, str(error))
            else:
                middle = len(texts) // 2
                yield from self._embed_texts(texts[:middle], before)
                yield from self._embed_texts(texts[middle:], before + middle)
        else:
            for (text_hash, _), vectors in zip(texts, found, strict=True):
                yield Embedded(text_hash, vectors)

    def _tell(self, more: int) -> None:
        if self._on_progress:
            done = self._done + more
            self._on_progress(done, max(done, self._total))
