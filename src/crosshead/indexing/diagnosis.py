"""An index -> findings about its files, its rows, its documents, and the model that made its vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from crosshead.errors import CrossheadError, IndexChanged, Locked, OptionsMismatch, StoreError
from crosshead.indexing.embedding.pieces import PieceCutter
from crosshead.indexing.opened import OpenedIndex
from crosshead.store import UNFINISHED_COPY, inspect_documents, sample_chunks
from crosshead.types import Embedder, Finding, Store

SAMPLE: Final = 16
"""How many chunks are embedded again."""
SAME_COSINE: Final = 0.95
"""Vectors of one model differ slightly between machines; those of two models differ entirely."""


def diagnose(index: OpenedIndex) -> Iterator[Finding]:
    """Yield findings about everything; an index that cannot be read ends the list with its error."""
    store, cutter = index.store, index.piece_cutter
    try:
        yield from _unfinished(store)
        yield from store.inspect()
        with store.lock():
            yield from inspect_documents(store, cutter.text_hash)
            yield from _compare_model(store, cutter, lambda: index.embedder)
            yield from _waiting(store)
            yield from _without_language(store)
    except (Locked, IndexChanged):
        raise
    except StoreError as error:
        yield Finding(str(error))


def _unfinished(store: Store) -> Iterator[Finding]:
    source = store.settings.get(UNFINISHED_COPY)
    if source:
        yield Finding(
            f"the copy of {source} is unfinished: documents are missing", f"crosshead copy {source} {store.location}"
        )


def _compare_model(store: Store, cutter: PieceCutter, get_embedder: Callable[[], Embedder]) -> Iterator[Finding]:
    """Embed some chunks again and compare the vectors."""
    sample = sample_chunks(store, cutter.text_hash, SAMPLE)
    if not sample:
        return
    try:
        embedder = get_embedder()
        made = [embedder.embed(cutter.texts_to_embed(stored.chunk))[0][0] for stored in sample]
    except OptionsMismatch as error:
        yield Finding(str(error))
        return
    except CrossheadError as error:
        yield Finding(f"the vectors were not compared with those of the model: {error}", is_fault=False)
        return
    other = [
        stored.chunk
        for stored, vector in zip(sample, made, strict=True)
        if stored.vectors is not None and float(stored.vectors[0] @ vector) < SAME_COSINE
    ]
    if other:
        what = f"{len(other)} of {len(sample)} vectors differ from those that the model {embedder.name} makes now"
        yield Finding(f"{what}, as of {other[0].citation}", "make a new index")


def _without_language(store: Store) -> Iterator[Finding]:
    count = store.count_languages().get("", 0)
    if count:
        what = f"{count:,} documents were indexed without their language, and are read by their script"
        yield Finding(what, "crosshead optimize, or index them again", is_fault=False)


def _waiting(store: Store) -> Iterator[Finding]:
    counts = store.contents()
    if counts.pending:
        what = f"{counts.pending:,} of {counts.chunks:,} chunks have no vector yet, and are found by their words"
        yield Finding(what, "crosshead embed --pending", is_fault=False)
    if counts.failed:
        what = f"{counts.failed:,} chunks could not be embedded, and are found by their words"
        yield Finding(what, "crosshead embed --pending --retry-failed", is_fault=False)
