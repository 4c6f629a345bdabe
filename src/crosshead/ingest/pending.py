"""Chunks that wait to be embedded -> chunks with vectors.

Every batch is a commit of its own: whoever is interrupted loses at most one, and the next run goes on from there.
"""

from __future__ import annotations

from collections.abc import Callable

from crosshead.ingest.recipe import Recipe
from crosshead.ingest.write import TEXTS_AT_ONCE, VectorSource
from crosshead.model import Embedder, Store

OnPending = Callable[[int, int], None]
"""Is told how many chunks have vectors by now, and how many were waiting."""


def embed_pending(store: Store, embedder: Embedder, recipe: Recipe, on_progress: OnPending | None = None) -> int:
    """Embed all chunks that wait, in a store whose lock is held; return how many there were."""
    done, total = 0, store.counts().pending
    while waiting := store.pending(TEXTS_AT_ONCE):

        def tell(embedded: int, before: int = done) -> None:
            if on_progress:
                on_progress(before + embedded, total)

        hashes = {chunk.id: recipe.text_hash(chunk) for chunk in waiting}
        texts = {hashes[chunk.id]: recipe.text_to_embed(chunk) for chunk in waiting}
        vectors = VectorSource(store, embedder, tell).get(texts)
        store.set_vectors({chunk_id: vectors[text_hash] for chunk_id, text_hash in hashes.items()})
        done += len(waiting)
        tell(len(waiting))
    if done > TEXTS_AT_ONCE:
        store.maintain()
    return done
