"""Rows without vectors -> rows in a store.

1. documents are gathered for a second, in a longer run for some seconds, or until there are enough of them or of their
   chunks
2. vectors that the store has for a text are used again; a very fast embedder embeds the other texts now, else they stay
   pending, as do texts that an embedder refuses (`vectors`)
3. one commit writes the gathered documents, so that a crash loses at most these; if one of them cannot be stored, it is
   found by bisection, and only that one fails
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Final

from crosshead.errors import CrossheadError, OptionsError, Unstorable
from crosshead.indexing.steps.vectors import Unembedded, VectorSource, texts_without_vectors, with_vectors
from crosshead.runtime.processes import failure_of
from crosshead.types import Chunk, DocumentRows, EmbeddingResult, EncodedRows, Store

DOCUMENTS_AT_ONCE: Final = 1_000
CHUNKS_AT_ONCE: Final = 2_000
SECONDS_AT_ONCE: Final = 1.0
"""A commit costs time, but a document can only be found after it."""
SHARE_AT_ONCE: Final = 0.25
"""Of the time that a longer run has taken."""
MOST_SECONDS_AT_ONCE: Final = 5.0


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
