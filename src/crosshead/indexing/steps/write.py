"""Rows without vectors -> rows in a store.

1. documents are gathered for a second, in a longer run for some seconds, or until there are enough of them or of their
   chunks
2. vectors that the store has for a text are used again; a very fast embedder embeds the other texts now, else they stay
   pending, as do texts that an embedder refuses
3. one commit writes the gathered documents, so that a crash loses at most these; if one of them cannot be stored, it is
   found by bisection, and only that one fails
"""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Final

from crosshead.errors import CrossheadError, EmbedError, OptionsError, Unstorable
from crosshead.indexing.embedding.pieces import PieceCutter
from crosshead.indexing.recipe import Recipe
from crosshead.runtime.processes import Failure, failure_of
from crosshead.types import (
    HAS_TOKEN_VECTORS,
    Chunk,
    DocumentRows,
    Embedder,
    EmbeddingResult,
    EncodedRows,
    Store,
    StoredChunk,
    TokenEmbedder,
    Vectors,
)

DOCUMENTS_AT_ONCE: Final = 1_000
CHUNKS_AT_ONCE: Final = 2_000
SECONDS_AT_ONCE: Final = 1.0
"""A commit costs time, but a document can only be found after it."""
SHARE_AT_ONCE: Final = 0.25
"""Of the time that a longer run has taken."""
MOST_SECONDS_AT_ONCE: Final = 5.0
EASY_TEXT: Final = "text"


class VectorMaker:
    """Makes the vectors of chunks.

    If an embedder fails, it is probed with a trivial text. If that fails too, the embedder is down, which is an error.
    If it succeeds, bisection finds the chunks that cannot be embedded.
    """

    def __init__(
        self,
        embedder: Embedder,
        recipe: Recipe,
        on_embedded: Callable[[int], None] | None = None,
        *,
        keeps_tokens: bool,
    ) -> None:
        """`on_embedded` is called now and then with the number of embedded chunks."""
        self.embedded = 0
        self._embedder = embedder
        self._pieces = PieceCutter(recipe)
        self._on_embedded = on_embedded
        self._keeps_tokens = keeps_tokens

    def make(self, chunks: Mapping[str, Chunk]) -> Iterator[EmbeddingResult]:
        """Yield the results for chunks, which are given by the hashes of their texts."""
        cut: list[tuple[str, Sequence[str]]] = []
        for text_hash, chunk in chunks.items():
            try:
                cut.append((text_hash, self._pieces.texts_to_embed(chunk)))
            except BaseException as error:
                yield _failed(text_hash, error)
        try:
            yield from self._embed(cut)
        except _Stopped as stopped:
            raise stopped.reason from None

    def _embed(self, chunks: Sequence[tuple[str, Sequence[str]]]) -> Iterator[EmbeddingResult]:
        """Embed the pieces of chunks, all at once."""
        if not chunks:
            return
        before = self.embedded
        ends = [*accumulate(len(pieces) for _, pieces in chunks)]

        def tell(done: int) -> None:
            self.embedded = before + bisect_right(ends, done)
            if self._on_embedded:
                try:
                    self._on_embedded(self.embedded)
                except BaseException as reason:
                    raise _Stopped(reason) from None

        try:
            made = self._make([piece for _, pieces in chunks for piece in pieces], tell)
        except BaseException as error:
            refused = _failed(chunks[0][0], error)
            self.embedded = before
            self._check_embedder()
            middle = len(chunks) // 2
            if not middle:
                yield refused
            else:
                yield from self._embed(chunks[:middle])
                yield from self._embed(chunks[middle:])
        else:
            tell(len(made))
            for (text_hash, pieces), end in zip(chunks, ends, strict=True):
                vectors, tokens = zip(*made[end - len(pieces) : end], strict=True)
                yield EmbeddingResult(text_hash, _joined(vectors), token_vectors=tokens if any(tokens) else ())

    def _make(self, texts: Sequence[str], tell: Callable[[int], None]) -> Sequence[tuple[Vectors, bytes]]:
        """Return vectors and, if the index stores them, token vectors."""
        if self._keeps_tokens and isinstance(self._embedder, TokenEmbedder):
            made = self._embedder.embed_with_tokens(texts, on_progress=tell)
        else:
            made = [(vectors, b"") for vectors in self._embedder.embed(texts, on_progress=tell)]
        _check_vectors([vectors for vectors, _ in made], len(texts), self._embedder.dimension)
        return made

    def _check_embedder(self) -> None:
        """Raise an error if the embedder cannot embed anything, so that the texts are not at fault."""
        try:
            self._embedder.embed([EASY_TEXT])
        except BaseException as error:
            if isinstance(error, CrossheadError):
                raise
            raise EmbedError(f"the embedder {self._embedder.name} does not work: {failure_of(error).reason}") from error


class VectorSource:
    """Finds the vectors of chunks in a store, or makes them."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder | None,
        recipe: Recipe,
        on_embedded: Callable[[int], None] | None = None,
    ) -> None:
        """Without an embedder, only known vectors are found; `on_embedded` is called as in `VectorMaker`."""
        self._store = store
        keeps_tokens = bool(store.settings.get(HAS_TOKEN_VECTORS))
        self._maker = VectorMaker(embedder, recipe, on_embedded, keeps_tokens=keeps_tokens) if embedder else None

    @property
    def embedded(self) -> int:
        """How many chunks were embedded, because the store had no vectors for them."""
        return self._maker.embedded if self._maker else 0

    def get(self, chunks: Mapping[str, Chunk | None]) -> dict[str, EmbeddingResult]:
        """Return the results for chunks, given by the hashes of their texts; pending ones have none.

        Where a chunk is None, its vectors can only be found.
        """
        known = self._store.known_vectors([*chunks])
        tokens = self._store.known_token_vectors([*known])
        found = {
            each: EmbeddingResult(each, vectors, token_vectors=tokens.get(each, ())) for each, vectors in known.items()
        }
        if not self._maker:
            return found
        unknown = {each: chunk for each, chunk in chunks.items() if chunk is not None and each not in known}
        return found | {each.text_hash: each for each in self._maker.make(unknown)}


class _Stopped(BaseException):
    """The callback for progress stopped the run; no text is at fault."""

    def __init__(self, reason: BaseException) -> None:
        super().__init__()
        self.reason = reason


def _failed(text_hash: str, error: BaseException) -> EmbeddingResult:
    reason, traceback = failure_of(error)
    return EmbeddingResult(text_hash, None, reason, traceback=traceback)


def _check_vectors(made: Sequence[Vectors], count: int, dimension: int) -> None:
    import numpy as np

    if len(made) != count:
        raise EmbedError(f"the embedder gave vectors for {len(made)} of {count} texts")
    for vectors in made:
        if vectors.ndim != 2 or vectors.shape[1] != dimension or not np.isfinite(vectors).all():
            raise EmbedError(f"the embedder gave no vectors of {dimension} numbers for a text")


def _joined(vectors: Sequence[Vectors]) -> Vectors:
    import numpy as np

    return vectors[0] if len(vectors) == 1 else np.concatenate(vectors)


class Unembedded:
    """Chunks that could not be embedded."""

    def __init__(self) -> None:
        self.reasons: dict[str, str] = {}
        """By chunk id."""
        self.notes: list[str] = []
        """Which chunks the embedder refused, and why."""
        self.failed: dict[str, Failure] = {}
        """Documents, by source, with a chunk that failed for another reason."""

    def add(self, chunk: Chunk, embedded: EmbeddingResult) -> None:
        """Record why a chunk has no vector."""
        self.reasons[chunk.id] = embedded.error
        reason = f"not embedded, found by its words only: {embedded.error}"
        if embedded.traceback:
            self.failed[chunk.source] = Failure(reason, embedded.traceback)
        else:
            self.notes.append(f"{chunk.citation}: {reason}")


class DocumentWriter:
    """Writes documents into a store; the caller holds its lock."""

    def __init__(self, store: Store, vectors: VectorSource) -> None:
        self.commits = 0
        self.waiting = 0
        """How many chunks were written without a vector."""
        self.unembedded = Unembedded()
        """Those of these chunks that the embedder tried."""
        self.failed: dict[str, BaseException] = {}
        """Why a document could not be stored, by source."""
        self.notes: list[str] = []
        """What the store says about documents that it wrote."""
        self._store = store
        self._vectors = vectors
        self._gathered: list[DocumentRows | EncodedRows] = []
        self._chunk_count = 0
        self._began = self._flushed = time.monotonic()

    def put(self, rows: DocumentRows | EncodedRows) -> None:
        """Write a document, now or at the latest when `flush` is called."""
        self._gathered.append(rows)
        self._chunk_count += rows.chunk_count
        if self._is_time() or len(self._gathered) >= DOCUMENTS_AT_ONCE or self._chunk_count >= CHUNKS_AT_ONCE:
            self.flush()

    def _is_time(self) -> bool:
        """Return whether documents have waited long enough: a longer run has fewer commits for the same work."""
        longest = (self._flushed - self._began) * SHARE_AT_ONCE
        return time.monotonic() - self._flushed >= min(max(SECONDS_AT_ONCE, longest), MOST_SECONDS_AT_ONCE)

    def flush(self) -> None:
        """Commit the gathered documents with the vectors that are known."""
        if not self._gathered:
            return
        chunks = {key: chunk for rows in self._gathered for key, chunk in _texts_to_find(rows).items()}
        found = self._vectors.get(chunks)
        written = [_filled(rows, found) for rows in self._gathered]
        self._write(written)
        self.waiting += sum(map(_count_waiting, written))
        self._note_unembedded(written, found)
        self.commits += 1
        self._gathered.clear()
        self._chunk_count = 0
        self._flushed = time.monotonic()

    def _note_unembedded(
        self, written: Sequence[DocumentRows | EncodedRows], found: Mapping[str, EmbeddingResult]
    ) -> None:
        for rows in written:
            for chunk, text_hash, vectors, _ in rows.chunks if isinstance(rows, DocumentRows) else ():
                if text_hash in found and vectors is None:
                    self.unembedded.add(chunk, found[text_hash])

    def _write(self, documents: Sequence[DocumentRows | EncodedRows]) -> None:
        try:
            self.notes += self._store.replace_documents(documents)
        except BaseException as error:
            failure_of(error)  # raises an error that ends the run
            if not _is_about_data(error):
                raise
            middle = len(documents) // 2
            if middle:
                self._write(documents[:middle])
                self._write(documents[middle:])
            else:
                self.failed[documents[0].source] = error


def _is_about_data(error: BaseException) -> bool:
    """Return whether only this document is affected; a lost connection or a full disk affects all."""
    return isinstance(error, Unstorable | OptionsError) or not isinstance(error, CrossheadError | OSError)


def texts_without_vectors(rows: DocumentRows) -> dict[str, Chunk]:
    """Return the chunks of a document to embed, by the hashes of their texts."""
    return {each.text_hash: each.chunk for each in rows.chunks if each.chunk.indexable and each.vectors is None}


def _texts_to_find(rows: DocumentRows | EncodedRows) -> Mapping[str, Chunk | None]:
    """Return the hashes of texts without vectors, and their chunks; what another process encoded shows no chunks."""
    return texts_without_vectors(rows) if isinstance(rows, DocumentRows) else dict.fromkeys(rows.waiting.values())


def _filled(rows: DocumentRows | EncodedRows, found: Mapping[str, EmbeddingResult]) -> DocumentRows | EncodedRows:
    if isinstance(rows, DocumentRows):
        return with_vectors(rows, found)
    known = {chunk: found[each] for chunk, each in rows.waiting.items() if each in found}
    return rows._replace(vectors={chunk: each for chunk, each in known.items() if each.vectors is not None})


def _count_waiting(rows: DocumentRows | EncodedRows) -> int:
    return len(rows.waiting) - (0 if isinstance(rows, DocumentRows) else len(rows.vectors))


def with_vectors(rows: DocumentRows, found: Mapping[str, EmbeddingResult]) -> DocumentRows:
    """Return the rows of a document with the vectors of their texts."""

    def filled(stored: StoredChunk) -> StoredChunk:
        embedded = found.get(stored.text_hash)
        return stored._replace(vectors=embedded.vectors, token_vectors=embedded.token_vectors) if embedded else stored

    return rows._replace(chunks=tuple(map(filled, rows.chunks)))
