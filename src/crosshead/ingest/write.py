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


class VectorMaker:
    """Makes the vectors of chunks.

    When an embedder fails, it is asked for something easy. If that fails too, the fault is its own, and an error. If
    not, the chunks are tried in ever smaller parts, until those are found that it cannot embed.
    """

    def __init__(
        self,
        embedder: Embedder,
        recipe: Recipe,
        on_embedded: Callable[[int], None] | None = None,
        *,
        keeps_tokens: bool,
    ) -> None:
        """`on_embedded` is told now and then how many chunks were embedded."""
        self.embedded = 0
        self._embedder = embedder
        self._recipe = recipe
        self._on_embedded = on_embedded
        self._keeps_tokens = keeps_tokens

    def make(self, chunks: Mapping[str, Chunk]) -> Iterator[Embedded]:
        """Return what came of chunks, which are given by the hashes of their texts."""
        return self._embed([(each, self._recipe.texts_to_embed(chunk)) for each, chunk in chunks.items()])

    def _embed(self, chunks: Sequence[tuple[str, Sequence[str]]]) -> Iterator[Embedded]:
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
            made = self._make([piece for _, pieces in chunks for piece in pieces], tell)
        except EmbedError as error:
            self.embedded = before
            self._embedder.embed([EASY_TEXT])
            middle = len(chunks) // 2
            if not middle:
                yield Embedded(chunks[0][0], None, str(error))
            else:
                yield from self._embed(chunks[:middle])
                yield from self._embed(chunks[middle:])
        else:
            tell(len(made))
            for (text_hash, pieces), end in zip(chunks, ends, strict=True):
                vectors, tokens = zip(*made[end - len(pieces) : end], strict=True)
                yield Embedded(text_hash, _joined(vectors), tokens=tokens if any(tokens) else ())

    def _make(self, texts: Sequence[str], tell: Callable[[int], None]) -> Sequence[tuple[Vectors, bytes]]:
        """Return vectors and, where the index keeps them, tokens."""
        if self._keeps_tokens and isinstance(self._embedder, TokenEmbedder):
            return self._embedder.embed_with_tokens(texts, on_progress=tell)
        return [(vectors, b"") for vectors in self._embedder.embed(texts, on_progress=tell)]


class VectorSource:
    """Finds the vectors of chunks in a store, or makes them."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder | None,
        recipe: Recipe,
        on_embedded: Callable[[int], None] | None = None,
    ) -> None:
        """Without an embedder none are made; `on_embedded` is told now and then how many chunks were embedded."""
        self._store = store
        keeps_tokens = bool(store.settings.get(KEEPS_TOKENS))
        self._maker = VectorMaker(embedder, recipe, on_embedded, keeps_tokens=keeps_tokens) if embedder else None

    @property
    def embedded(self) -> int:
        """Chunks whose vectors were not known before."""
        return self._maker.embedded if self._maker else 0

    def get(self, chunks: Mapping[str, Chunk]) -> dict[str, Embedded]:
        """Return what came of chunks, which are given by the hashes of their texts; nothing of those that must wait."""
        known = self._store.known_vectors([*chunks])
        tokens = self._store.known_tokens([*known])
        found = {each: Embedded(each, vectors, tokens=tokens.get(each, ())) for each, vectors in known.items()}
        if not self._maker:
            return found
        unknown = {each: chunk for each, chunk in chunks.items() if each not in known}
        return found | {each.text_hash: each for each in self._maker.make(unknown)}


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
        self._chunks.update(texts_without_vectors(rows))
        is_time = time.monotonic() - self._flushed >= SECONDS_AT_ONCE
        if is_time or len(self._gathered) >= DOCUMENTS_AT_ONCE or len(self._chunks) >= CHUNKS_AT_ONCE:
            self.flush()

    def flush(self) -> None:
        """Commit what was gathered, with the vectors that there are."""
        if not self._gathered:
            return
        found = self._vectors.get(self._chunks)
        written = [with_vectors(rows, found) for rows in self._gathered]
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


def texts_without_vectors(rows: DocumentRows) -> dict[str, Chunk]:
    """Return those chunks of a document that are to be embedded, by the hashes of their texts."""
    return {each.text_hash: each.chunk for each in rows.chunks if each.chunk.indexable and each.vectors is None}


def with_vectors(rows: DocumentRows, found: Mapping[str, Embedded]) -> DocumentRows:
    """Return the rows of a document with the vectors that were found for their texts."""

    def filled(stored: StoredChunk) -> StoredChunk:
        embedded = found.get(stored.text_hash)
        return stored._replace(vectors=embedded.vectors, tokens=embedded.tokens) if embedded else stored

    return rows._replace(chunks=tuple(map(filled, rows.chunks)))


def refusal(chunk: Chunk, error: str) -> str:
    """Say that a chunk has no vector, and why."""
    return f"{chunk.citation}: not embedded, found by its words only: {error}"
