"""How much a change of the settings would embed, and for about how long, measured on a sample."""

from __future__ import annotations

import time
from typing import Final

from crosshead import ids
from crosshead.indexing.change.remake import remake
from crosshead.indexing.change.settings import SettingsChange
from crosshead.indexing.contents import list_documents
from crosshead.indexing.embedding.pieces import PieceCutter
from crosshead.indexing.opened import OpenedIndex, working_embedder
from crosshead.indexing.steps.vectors import texts_without_vectors
from crosshead.store import with_known_vectors
from crosshead.types import Chunk

DOCUMENTS: Final = 40
"""Documents to make again; of a smaller index, all of them."""
TEXTS: Final = 48
"""Texts to embed."""


def estimate(index: OpenedIndex, change: SettingsChange, jobs: int | None) -> tuple[int, float]:
    """Return about how many texts a change would embed, and how many seconds it would take."""
    documents = list(list_documents(lambda work: work(index), None))
    sample = documents[:: max(1, -(-len(documents) // DOCUMENTS))]
    began = time.monotonic()
    rows = remake(index.store, [ids.document_id(each.source) for each in sample], change, jobs)
    if change.keeps_vectors:
        rows = with_known_vectors(index.store, rows)
    seconds = time.monotonic() - began
    texts = {key: chunk for each in rows for key, chunk in texts_without_vectors(each).items()}
    share = sum(each.characters for each in documents) / max(1, sum(each.characters for each in sample))
    count = round(len(texts) * share) if change.needs_model else 0
    return count, seconds * share + count * _seconds_per_text(index, change, [*texts.values()][:TEXTS], jobs)


def _seconds_per_text(index: OpenedIndex, change: SettingsChange, chunks: list[Chunk], jobs: int | None) -> float:
    """Return how long the embedder takes for a chunk, once its model is loaded."""
    if not (chunks and change.needs_model):
        return 0.0
    if change.embedder:
        embedder = working_embedder(change.embedder, jobs, is_named=change.own_embedder is None)
    else:
        embedder = index.embedder_for(jobs)
    cutter = PieceCutter(change.recipe)
    texts = [text for chunk in chunks for text in cutter.texts_to_embed(chunk)]
    embedder.embed(texts)  # loads the model
    began = time.monotonic()
    embedder.embed(texts)
    return (time.monotonic() - began) / len(chunks)
