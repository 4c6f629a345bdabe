"""Rows without vectors -> rows in a store.

1. documents are gathered until there are enough of them, or enough of their texts
2. vectors that the store has for a text are used again; the other texts are embedded, each once, or have to wait
3. one commit writes the gathered documents, so that a crash loses at most these
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from crosshead.ingest.recipe import Recipe
from crosshead.model import DocumentRows, Embedder, Store, StoredChunk, Vectors

DOCUMENTS_AT_ONCE: Final = 32
TEXTS_AT_ONCE: Final = 512


class VectorSource:
    """Finds or makes the vectors of texts."""

    def __init__(
        self, store: Store, embedder: Embedder | None, on_embedded: Callable[[int], None] | None = None
    ) -> None:
        """Without an embedder none are made; `on_embedded` is told now and then how many texts were embedded in all."""
        self.embedded = 0
        self._store = store
        self._embedder = embedder
        self._on_embedded = on_embedded

    def get(self, texts: Mapping[str, str]) -> dict[str, Vectors]:
        """Return vectors for texts; both by the hash of the text."""
        vectors = self._store.known_vectors([*texts])
        return vectors | self._embed({each: text for each, text in texts.items() if each not in vectors})

    def _embed(self, texts: Mapping[str, str]) -> dict[str, Vectors]:
        if not texts or self._embedder is None:
            return {}
        before = self.embedded

        def tell(done: int) -> None:
            self.embedded = before + done
            if self._on_embedded:
                self._on_embedded(self.embedded)

        vectors = self._embedder.embed([*texts.values()], on_progress=tell)
        tell(len(vectors))
        return dict(zip(texts, vectors, strict=True))


class Writer:
    """Writes documents into a store whose lock is held."""

    def __init__(self, store: Store, vectors: VectorSource, recipe: Recipe) -> None:
        self.commits = 0
        self._store = store
        self._vectors = vectors
        self._recipe = recipe
        self._gathered: list[DocumentRows] = []
        self._texts: dict[str, str] = {}

    def put(self, rows: DocumentRows) -> None:
        """Write a document, at the latest when `flush` is called."""
        self._gathered.append(rows)
        for chunk, text_hash, _ in rows.chunks:
            if chunk.indexable and text_hash not in self._texts:
                self._texts[text_hash] = self._recipe.text_to_embed(chunk)
        if len(self._gathered) >= DOCUMENTS_AT_ONCE or len(self._texts) >= TEXTS_AT_ONCE:
            self.flush()

    def flush(self) -> None:
        """Embed what is new and commit what was gathered."""
        if not self._gathered:
            return
        vectors = self._vectors.get(self._texts)
        self._store.replace_documents([_with_vectors(rows, vectors) for rows in self._gathered])
        self.commits += 1
        self._gathered.clear()
        self._texts.clear()


def _with_vectors(rows: DocumentRows, vectors: Mapping[str, Vectors]) -> DocumentRows:
    chunks = (StoredChunk(chunk, text_hash, vectors.get(text_hash)) for chunk, text_hash, _ in rows.chunks)
    return rows._replace(chunks=tuple(chunks))
