"""Other settings for an index: make all rows again beside the old ones, then put them in their place."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from crosshead import ids
from crosshead.errors import IndexChanged
from crosshead.indexing.change.estimate import estimate
from crosshead.indexing.change.remake import remake
from crosshead.indexing.change.settings import SettingsChange
from crosshead.indexing.embedding.pending import PendingRun
from crosshead.indexing.engines.base import is_instant
from crosshead.indexing.opened import IndexSettings, OpenedIndex
from crosshead.indexing.steps.run import Progress
from crosshead.indexing.steps.vectors import VectorSource
from crosshead.indexing.steps.write import DocumentWriter
from crosshead.store import with_known_vectors
from crosshead.types import Embedder

DOCUMENTS_AT_ONCE: Final = 100

OnProgress = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class ChangeResult:
    """What a change of the settings did, or would do."""

    settings: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)
    """The settings that changed, each with its value before and after; empty if all were as named."""
    documents: int = 0
    """How many documents were made again."""
    is_cut_again: bool = False
    embedded: int = 0
    """How many texts were embedded; other vectors were used again."""
    seconds: float = 0.0
    notes: tuple[str, ...] = ()
    """Texts that the embedder refused, which are found by their words."""


def change_index(
    index: OpenedIndex,
    named: IndexSettings,
    *,
    jobs: int | None = None,
    dry_run: bool = False,
    on_progress: OnProgress | None = None,
) -> tuple[OpenedIndex, ChangeResult]:
    """Give an index the settings that a caller names; return it as it is now, and what was done.

    If this is interrupted, the index is as before, and the same change continues where it stopped.
    """
    while True:
        change = SettingsChange(index.store.settings, named, index.location)
        try:
            if not change.differences:
                _call_off(index, named)
                return index, ChangeResult()
            if dry_run:
                return index, _estimated(index, change, jobs)
            result = ChangeRun(index, change, jobs, on_progress).run()
            return index.reopened(change.own_embedder), result
        except IndexChanged:  # another process was faster
            index = index.reopened()


def _call_off(index: OpenedIndex, named: IndexSettings) -> None:
    """Discard an unfinished change if the caller names the settings that the index has."""
    if named.is_change and index.store.unfinished_change():
        with index.lock():
            index.store.discard_change()


def _estimated(index: OpenedIndex, change: SettingsChange, jobs: int | None) -> ChangeResult:
    documents = len(index.store.document_revisions())
    texts, seconds = estimate(index, change, jobs)
    return ChangeResult(change.differences, documents, change.cuts, texts, seconds)


class ChangeRun:
    """One change of the settings."""

    def __init__(
        self, index: OpenedIndex, change: SettingsChange, jobs: int | None, on_progress: OnProgress | None
    ) -> None:
        self._index = index
        self._old = index.store
        self._change = change
        self._jobs = jobs
        self._on_progress = on_progress
        self._done = self._total = self._embedded = 0
        self._notes: list[str] = []

    def run(self) -> ChangeResult:
        """Make all rows again, and put them in the place of the old ones in one commit."""
        began, after = time.monotonic(), self._change.after
        with self._index.lock():
            if self._old.unfinished_change() != after:
                self._old.discard_change()
            new = self._index.on_store(self._old.begin_change(after), self._change.own_embedder)
            try:
                self._fill(new)
                while not self._old.finish_change(new.store, after):  # in a database, others may write meanwhile
                    self._fill(new)
            finally:
                new.close()
        seconds = time.monotonic() - began
        return ChangeResult(
            self._change.differences, self._total, self._change.cuts, self._embedded, seconds, tuple(self._notes)
        )

    def _fill(self, new: OpenedIndex) -> None:
        """Write the documents that the new rows lack, and embed what has no vector."""
        revisions, made = self._old.document_revisions(), new.store.document_revisions()
        new.store.delete_documents([ids.document_id(source) for source in made if source not in revisions])
        missing = sorted(source for source, revision in revisions.items() if made.get(source) != revision)
        self._total, self._done = len(revisions), len(revisions) - len(missing)
        embedder = new.embedder_for(self._jobs) if self._change.needs_model else None
        self._write(new, [ids.document_id(source) for source in missing], embedder)
        if embedder and new.store.count_pending():
            run = PendingRun(new.store, embedder, new.recipe, self._report)
            run.run()
            self._embedded += run.texts_embedded
            self._notes += run.unembedded.notes
        new.store.maintain()

    def _write(self, new: OpenedIndex, missing: Sequence[str], embedder: Embedder | None) -> None:
        vectors = VectorSource(new.store, embedder if is_instant(embedder) else None, new.recipe)
        writer = DocumentWriter(new.store, vectors)
        for at in range(0, len(missing), DOCUMENTS_AT_ONCE):
            rows = remake(self._old, missing[at : at + DOCUMENTS_AT_ONCE], self._change, self._jobs)
            for each in with_known_vectors(self._old, rows) if self._change.keeps_vectors else rows:
                writer.put(each)
            self._done += len(rows)
            self._report(self._embedded + vectors.embedded, writer.waiting)
        writer.flush()
        self._embedded += vectors.embedded
        self._notes += writer.unembedded.notes
        for error in writer.failed.values():
            raise error

    def _report(self, embedded: int, texts: int) -> None:
        if self._on_progress:
            self._on_progress(Progress(self._done, self._total, embedded, texts))
