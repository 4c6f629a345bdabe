"""Rows without vectors -> rows in a store.

1. documents are gathered for a moment, or until there are enough of them or of their chunks
2. vectors that the store has for a text are used again; the other texts are embedded piece by piece, each once, if that
   takes no time, or have to wait, as those have that an embedder refuses
3. one commit writes the gathered documents, so that a crash loses at most these, and they are found by their words;
   where one of them cannot be stored, it is looked for by halves, and only that one fails
"""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Final

from crosshead.errors import CrossheadError, EmbedError, Unstorable
from crosshead.ingest.recipe import Recipe
from crosshead.model import (
    KEEPS_TOKENS,
    Chunk,
    DocumentRows,
    Embedded,
    Embedder,
    Store,
    StoredChunk,
    TokenEmbedder,
    Vectors,
)

DOCUMENTS_AT_ONCE: Final = 1_000
CHUNKS_AT_ONCE: Final = 2_000
SECONDS_AT_ONCE: Final = 1.0
"""Every commit has its price, but nobody finds what is not committed yet."""
EASY_TEXT: Final = "text"


class VectorSource:
    """Finds or makes the vectors of chunks.

    When an embedder fails, it is asked for something easy. If that fails too, the fault is its own, and an error. If
    not, the chunks are tried in ever smaller parts, until those are found that it cannot embed.
    """

    def __init__(
        self,
        store: Store,
        embedder: Embedder | None,
        recipe: Recipe,
        on_embedded: Callable[[int], None] | None = None,
    ) -> None:
        """Without an embedder none are made; `on_embedded` is told now and then how many chunks were embedded."""
        self.embedded = 0
        self._store = store
        self._embedder = embedder
        self._recipe = recipe
        self._on_embedded = on_embedded

    def get(self, chunks: Mapping[str, Chunk]) -> dict[str, Embedded]:
        """Return what came of chunks, which are given by the hashes of their texts; nothing of those that must wait."""
        known = self._store.known_vectors([*chunks])
        tokens = self._store.known_tokens([*known])
        found = {each: Embedded(each, vectors, tokens=tokens.get(each, ())) for each, vectors in known.items()}
        if not self._embedder:
            return found
        unknown = [(each, self._recipe.texts_to_embed(chunk)) for each, chunk in chunks.items() if each not in known]
        return found | {each.text_hash: each for each in self._embed(self._embedder, unknown)}

    def _embed(self, embedder: Embedder, chunks: Sequence[tuple[str, Sequence[str]]]) -> Iterator[Embedded]:
        """Embed the pieces of chunks, all at once."""
        if not chunks:
            return
        before = self.embedded
        ends = [*accumulate(len(pieces) for _, pieces in chunks)]

        def tell(done: int) -> None:
            self.embedded = before + bisect_right(ends, done)
            if self._on_embedded:
                self._on_embedded(self.embedded)

        try:
            made = self._make([piece for _, pieces in chunks for piece in pieces], embedder, tell)
        except EmbedError as error:
            self.embedded = before
            embedder.embed([EASY_TEXT])
            middle = len(chunks) // 2
            if not middle:
                yield Embedded(chunks[0][0], None, str(error))
            else:
                yield from self._embed(embedder, chunks[:middle])
                yield from self._embed(embedder, chunks[middle:])
        else:
            tell(len(made))
            for (text_hash, pieces), end in zip(chunks, ends, strict=True):
                vectors, tokens = zip(*made[end - len(pieces) : end], strict=True)
                yield Embedded(text_hash, _joined(vectors), tokens=tokens if any(tokens) else ())

    def _make(
        self, texts: Sequence[str], embedder: Embedder, tell: Callable[[int], None]
    ) -> Sequence[tuple[Vectors, bytes]]:
        """Return vectors and, where the index keeps them, tokens."""
        if self._store.settings.get(KEEPS_TOKENS) and isinstance(embedder, TokenEmbedder):
            return embedder.embed_with_tokens(texts, on_progress=tell)
        return [(vectors, b"") for vectors in embedder.embed(texts, on_progress=tell)]


def _joined(vectors: Sequence[Vectors]) -> Vectors:
    import numpy as np

    return vectors[0] if len(vectors) == 1 else np.concatenate(vectors)


class Writer:
    """Writes documents into a store whose lock is held."""

    def __init__(self, store: Store, vectors: VectorSource) -> None:
        self.commits = 0
        self.waiting = 0
        """Chunks that were written without a vector."""
        self.refused: dict[str, str] = {}
        """Of these, the ids of those that the embedder refused, with what to say about it."""
        self.failed: dict[str, Exception] = {}
        """Why a document could not be stored, by its source."""
        self._store = store
        self._vectors = vectors
        self._gathered: list[DocumentRows] = []
        self._chunks: dict[str, Chunk] = {}
        self._flushed = time.monotonic()

    def put(self, rows: DocumentRows) -> None:
        """Write a document, at the latest when `flush` is called."""
        self._gathered.append(rows)
        for chunk, text_hash, *_ in rows.chunks:
            if chunk.indexable:
                self._chunks[text_hash] = chunk
        is_time = time.monotonic() - self._flushed >= SECONDS_AT_ONCE
        if is_time or len(self._gathered) >= DOCUMENTS_AT_ONCE or len(self._chunks) >= CHUNKS_AT_ONCE:
            self.flush()

    def flush(self) -> None:
        """Commit what was gathered, with the vectors that there are."""
        if not self._gathered:
            return
        found = self._vectors.get(self._chunks)
        written = [_with_vectors(rows, found) for rows in self._gathered]
        self._write(written)
        for chunk, text_hash, vectors, _ in (each for rows in written for each in rows.chunks):
            self.waiting += vectors is None and chunk.indexable
            if text_hash in found and vectors is None:
                self.refused[chunk.id] = refusal(chunk, found[text_hash].error)
        self.commits += 1
        self._gathered.clear()
        self._chunks.clear()
        self._flushed = time.monotonic()

    def _write(self, documents: Sequence[DocumentRows]) -> None:
        try:
            self._store.replace_documents(documents)
        except Exception as error:
            if not _is_about_data(error):
                raise
            middle = len(documents) // 2
            if middle:
                self._write(documents[:middle])
                self._write(documents[middle:])
            else:
                self.failed[documents[0].document.source] = error


def _is_about_data(error: Exception) -> bool:
    """Return whether another document might be stored: a lost connection or a full disk concerns them all."""
    return isinstance(error, Unstorable) or not isinstance(error, CrossheadError | OSError | MemoryError)


def _with_vectors(rows: DocumentRows, found: Mapping[str, Embedded]) -> DocumentRows:
    def with_vectors(stored: StoredChunk) -> StoredChunk:
        embedded = found.get(stored.text_hash)
        return stored._replace(vectors=embedded.vectors, tokens=embedded.tokens) if embedded else stored

    return rows._replace(chunks=tuple(map(with_vectors, rows.chunks)))


def refusal(chunk: Chunk, error: str) -> str:
    """Say that a chunk has no vector, and why."""
    return f"{chunk.citation}: not embedded, found by its words only: {error}"
