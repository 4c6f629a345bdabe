"""Rows without vectors -> rows in a store.

1. documents are gathered until there are enough of them, or enough of their texts
2. vectors that the store has for a text are used again; the other texts are embedded, each once
3. one commit writes the gathered documents, so that a crash loses at most these
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from crosshead.ingest.recipe import Recipe
from crosshead.model import DocumentRows, Embedder, Store, StoredChunk, Vectors

DOCUMENTS_AT_ONCE: Final = 32
TEXTS_AT_ONCE: Final = 512


class Writer:
    """Writes documents into a store whose lock is held."""

    def __init__(
        self, store: Store, embedder: Embedder, recipe: Recipe, on_embedded: Callable[[int], None] | None = None
    ) -> None:
        """`on_embedded` is told now and then how many texts have been embedded in all."""
        self.embedded = 0
        self.commits = 0
        self._store = store
        self._embedder = embedder
        self._recipe = recipe
        self._on_embedded = on_embedded
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
        vectors = self._store.known_vectors([*self._texts])
        vectors |= self._embed({each: text for each, text in self._texts.items() if each not in vectors})
        self._store.replace_documents([_with_vectors(rows, vectors) for rows in self._gathered])
        self.commits += 1
        self._gathered.clear()
        self._texts.clear()

    def _embed(self, texts: Mapping[str, str]) -> dict[str, Vectors]:
        if not texts:
            return {}
        before = self.embedded

        def tell(done: int) -> None:
            self.embedded = before + done
            if self._on_embedded:
                self._on_embedded(self.embedded)

        vectors = self._embedder.embed([*texts.values()], on_progress=tell)
        tell(len(vectors))
        return dict(zip(texts, vectors, strict=True))


def _with_vectors(rows: DocumentRows, vectors: Mapping[str, Vectors]) -> DocumentRows:
    chunks = (StoredChunk(chunk, text_hash, vectors.get(text_hash)) for chunk, text_hash, _ in rows.chunks)
    return rows._replace(chunks=tuple(chunks))
