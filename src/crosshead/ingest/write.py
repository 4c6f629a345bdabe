"""Rows without vectors -> rows in a store.

1. documents are gathered until there are enough of them, or enough of their texts
2. vectors that the store has for a text are used again; the other texts are embedded, each once, or have to wait, as
   those have that an embedder refuses
3. one commit writes the gathered documents, so that a crash loses at most these
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from crosshead.errors import EmbedError
from crosshead.ingest.recipe import Recipe
from crosshead.model import DocumentRows, Embedded, Embedder, Store, StoredChunk

DOCUMENTS_AT_ONCE: Final = 32
TEXTS_AT_ONCE: Final = 512
EASY_TEXT: Final = "text"


class VectorSource:
    """Finds or makes the vectors of texts.

    When an embedder fails, it is asked for something easy. If that fails too, the fault is its own, and an error. If
    not, the texts are tried in ever smaller parts, until those are found that it cannot embed.
    """

    def __init__(
        self, store: Store, embedder: Embedder | None, on_embedded: Callable[[int], None] | None = None
    ) -> None:
        """Without an embedder none are made; `on_embedded` is told now and then how many texts were embedded in all."""
        self.embedded = 0
        self._store = store
        self._embedder = embedder
        self._on_embedded = on_embedded

    def get(self, texts: Mapping[str, str]) -> dict[str, Embedded]:
        """Return what came of texts, which are given by their hashes; nothing of those that have to wait."""
        known = self._store.known_vectors([*texts])
        unknown = [(text_hash, text) for text_hash, text in texts.items() if text_hash not in known]
        made = self._embed(self._embedder, unknown) if self._embedder else ()
        found = {text_hash: Embedded(text_hash, vectors) for text_hash, vectors in known.items()}
        return found | {each.text_hash: each for each in made}

    def _embed(self, embedder: Embedder, texts: Sequence[tuple[str, str]]) -> Iterator[Embedded]:
        if not texts:
            return
        before = self.embedded

        def tell(done: int) -> None:
            self.embedded = before + done
            if self._on_embedded:
                self._on_embedded(self.embedded)

        try:
            vectors = embedder.embed([text for _, text in texts], on_progress=tell)
        except EmbedError as error:
            self.embedded = before
            embedder.embed([EASY_TEXT])
            middle = len(texts) // 2
            if not middle:
                yield Embedded(texts[0][0], None, str(error))
            else:
                yield from self._embed(embedder, texts[:middle])
                yield from self._embed(embedder, texts[middle:])
        else:
            tell(len(vectors))
            for (text_hash, _), each in zip(texts, vectors, strict=True):
                yield Embedded(text_hash, each)


class Writer:
    """Writes documents into a store whose lock is held."""

    def __init__(self, store: Store, vectors: VectorSource, recipe: Recipe) -> None:
        self.commits = 0
        self.notes: list[str] = []
        """What was written without a vector, and why."""
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
        found = self._vectors.get(self._texts)
        self._store.replace_documents([_with_vectors(rows, found) for rows in self._gathered])
        self.notes += (note for rows in self._gathered for note in _refusals(rows, found))
        self.commits += 1
        self._gathered.clear()
        self._texts.clear()


def _with_vectors(rows: DocumentRows, found: Mapping[str, Embedded]) -> DocumentRows:
    vectors = {text_hash: each.vectors for text_hash, each in found.items()}
    chunks = (StoredChunk(chunk, text_hash, vectors.get(text_hash)) for chunk, text_hash, _ in rows.chunks)
    return rows._replace(chunks=tuple(chunks))


def _refusals(rows: DocumentRows, found: Mapping[str, Embedded]) -> Iterator[str]:
    for chunk, text_hash, _ in rows.chunks:
        embedded = found.get(text_hash)
        if embedded and embedded.vectors is None:
            yield f"{chunk.citation}: not embedded, found by its words only: {embedded.error}"
