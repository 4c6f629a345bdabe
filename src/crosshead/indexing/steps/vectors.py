"""Chunks -> their vectors: those that the store has for a text, and those that the embedder makes.

Texts that the embedder refuses stay pending, and are noted.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Final

from crosshead.errors import CrossheadError, EmbedError
from crosshead.indexing.embedding.pieces import PieceCutter
from crosshead.indexing.recipe import Recipe
from crosshead.runtime.processes import Failure, failure_of
from crosshead.types import (
    HAS_TOKEN_VECTORS,
    Chunk,
    DocumentRows,
    Embedder,
    EmbeddingResult,
    Store,
    StoredChunk,
    TokenEmbedder,
    Vectors,
)

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


def texts_without_vectors(rows: DocumentRows) -> dict[str, Chunk]:
    """Return the chunks of a document to embed, by the hashes of their texts."""
    return {each.text_hash: each.chunk for each in rows.chunks if each.chunk.indexable and each.vectors is None}


def with_vectors(rows: DocumentRows, found: Mapping[str, EmbeddingResult]) -> DocumentRows:
    """Return the rows of a document with the vectors of their texts."""

    def filled(stored: StoredChunk) -> StoredChunk:
        embedded = found.get(stored.text_hash)
        return stored._replace(vectors=embedded.vectors, token_vectors=embedded.token_vectors) if embedded else stored

    return rows._replace(chunks=tuple(map(filled, rows.chunks)))
