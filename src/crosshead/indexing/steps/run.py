"""Files -> an index.

1. a file is unchanged if its hash gives the revision that the index has; the hash is taken from the last run if the
   stat of the file is the same, else the file is read here, which is quicker than starting a worker
2. a new file, and one of another size, goes to an engine unread: to processes of this machine, or to a cluster, which
   embeds as well; of a file whose metadata alone have changed, the stored document is cut again
3. the rows are committed here, batch by batch; from then on documents are found by their words
4. documents whose files are missing are removed, unless they are suspiciously many
5. all pending chunks are embedded, also those of earlier runs; a very fast embedder has already done so in step 3

A file that cannot be read is reported; its stored document stays.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from crosshead import ids
from crosshead.errors import IngestError
from crosshead.indexing.embedding.pending import PendingRun
from crosshead.indexing.engines.base import Engine, FileResult, is_instant
from crosshead.indexing.files.hashes import FileHashes
from crosshead.indexing.files.metadata import MetadataFinder
from crosshead.indexing.files.missing import Removal, guard_removal
from crosshead.indexing.files.root import files_of
from crosshead.indexing.files.sources import Sources, excluded
from crosshead.indexing.recipe import Recipe
from crosshead.indexing.steps.prepare import is_current, read_file
from crosshead.indexing.steps.relabel import relabel_documents
from crosshead.indexing.steps.source_file import (
    SourceFile,
    content_revision,
    read_as_before,
    with_metadata,
    without_metadata,
)
from crosshead.indexing.steps.vectors import Unembedded, VectorSource
from crosshead.indexing.steps.write import DocumentWriter
from crosshead.pipeline import may_include
from crosshead.runtime.processes import Failure, failure_of
from crosshead.types import DocumentRows, Embedder, EncodedRows, Store


@dataclass(frozen=True, slots=True)
class AddResult:
    """What became of the documents."""

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    removed: int = 0
    kept: tuple[str, ...] = ()
    """Sources of documents whose files are missing, but are too many to be removed without `allow_removal`."""
    skipped: tuple[str, ...] = ()
    """Sources of files in folders that have no reader, or are code or data that is not included."""
    failed: Mapping[str, str] = field(default_factory=dict)
    """Why a document could not be indexed, by source."""
    by_words: tuple[str, ...] = ()
    """Those failed documents of which only a vector is missing; they are found by their words."""
    faults: Mapping[str, str] = field(default_factory=dict)
    """Tracebacks of those failures that are faults of Crosshead."""
    notes: tuple[str, ...] = ()
    """Warnings and advice about documents that were indexed."""
    embedded: int = 0
    """How many texts were embedded; vectors of known texts are used again."""
    pending: int = 0
    """Chunks of the whole index that have no vector yet."""

    @property
    def anything(self) -> bool:
        """Whether there is anything to report."""
        return bool(self.added or self.updated or self.removed or self.kept or self.failed or self.embedded)

    @property
    def summary(self) -> str:
        """What became of the documents, in one line."""
        counts = {name: getattr(self, name) for name in ("added", "updated", "unchanged", "removed")}
        counts |= {"gone but kept": len(self.kept), "failed": len(self.failed)}
        parts = [f"{amount:,} {name}" for name, amount in counts.items() if amount]
        texts = "text" if self.embedded == 1 else "texts"
        pending = f", {self.pending:,} wait for: crosshead embed --pending" if self.pending else ""
        return f"{', '.join(parts) or 'no documents found'}; {self.embedded:,} {texts} embedded{pending}"


class Progress(NamedTuple):
    """How far indexing has come."""

    documents_done: int
    documents_total: int
    texts_embedded: int
    texts_total: int
    """Texts found so far, embedded or not; more documents may add more."""


class AddRun:
    """One call of `add`; the caller holds the lock of the store."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder | None,
        recipe: Recipe,
        engine: Engine,
        hashes: FileHashes,
        metadata: MetadataFinder,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> None:
        self._store = store
        self._hashes = hashes
        self._recipe = recipe
        self._engine = engine
        self._metadata = metadata
        self._known = store.document_revisions()
        self._on_progress = on_progress
        self._done = self._total = 0
        self._embedder = embedder
        self._vectors = VectorSource(
            store, embedder if is_instant(embedder) else None, recipe, lambda _: self._report()
        )
        self._writer = DocumentWriter(store, self._vectors)
        self._embedded_elsewhere = self._embedded_later = 0
        self._failed: dict[str, str] = {}
        self._faults: dict[str, str] = {}
        self._notes: list[str] = []
        self._by_words: list[str] = []
        self._written: list[str] = []
        self._missing: set[str] = set()
        """Revisions of the content of missing documents that no other file has."""
        self._to_relabel: list[SourceFile] = []
        """Files whose metadata alone have changed."""

    @property
    def known_sources(self) -> Collection[str]:
        """The sources of all documents that are stored."""
        return self._known.keys()

    @property
    def known_files(self) -> Collection[str]:
        """The sources of stored documents that come from files."""
        return files_of(self._known)

    def _content(self, source: str) -> str:
        """Return the revision of the content of a stored document, or ""."""
        return without_metadata(self._known.get(source, ""))

    def add(
        self, sources: Sources, *, prune: bool, allow_removal: bool = False, touched: Container[str] | None = None
    ) -> AddResult:
        """Index files and remove missing documents; with `touched`, look only at these files."""
        self._failed.update(sources.problems)
        self._faults.update(sources.faults)
        self._notes += map(excluded, sources.ignored)
        gone = sources.missing(self.known_files) if prune else []
        self._missing = {self._content(source) for source in gone}
        self._missing.difference_update(self._content(file.source) for file in sources.files)
        files = [file for file in sources.files if touched is None or file.path in touched or may_include(file.source)]
        self._total = len(files)
        described = [*filter(None, map(self._described, files))]
        changed = [file for file in described if not self._is_unchanged(file)]
        self._make(changed)
        removal = self._guard(gone, sources) if not allow_removal else Removal(gone, [], [])
        self._store.delete_documents([ids.document_id(source) for source in removal.removed])
        if self._writer.commits > 1:
            self._store.maintain()
        pending = self._embed_pending()
        unchanged = len(sources.files) - len(changed) - (len(files) - len(described))
        return replace(self._result(unchanged=unchanged, removal=removal, pending=pending), skipped=sources.skipped)

    def _described(self, file: SourceFile) -> SourceFile | None:
        """Return a file with its metadata and the format that it was read as before; None if the metadata failed."""
        known = self._known.get(file.source, "")
        try:
            return read_as_before(file, known)._replace(metadata=self._metadata.of(file, known))
        except IngestError as error:
            self._fail(file.source, failure_of(error, file.source))
            return None

    def _is_unchanged(self, file: SourceFile) -> bool:
        known = self._known.get(file.source)
        if known is None or (not file.is_inside and self._hashes.has_other_size(file.source, file.stat)):
            return False
        try:
            is_current_content = is_current(self._recipe, known, self._revision_of(file))
        except Exception:  # the engine reads it again and reports what is wrong
            return False
        if not is_current_content:
            return False
        if with_metadata(known, file.metadata) != known:
            self._to_relabel.append(file)
            return False
        self._done += 1
        self._report()
        return True

    def _revision_of(self, file: SourceFile) -> str:
        digest = self._hashes.digest_of(file.source, file.stat)
        if digest:
            return content_revision(self._recipe, file, digest)
        content = read_file(self._recipe, file)
        self._hashes.remember(file.source, file.stat, content.lasting_digest)
        return content_revision(self._recipe, file, content.digest, content.included)

    def _make(self, files: Sequence[SourceFile]) -> None:
        """Read, chunk and commit files; if the engine fails, what it made before is committed."""
        relabeled = set()
        for file, rows in relabel_documents(self._store, self._recipe, self._to_relabel):
            relabeled.add(file.source)
            self._put(file, rows)
        try:
            for made in self._engine.make([file for file in files if file.source not in relabeled]):
                self._take(made)
        except IngestError as error:
            self._writer.flush()
            count = sum(source not in self._writer.failed for source in self._written)
            committed = "1 document is" if count == 1 else f"{count:,} documents are"
            raise IngestError(f"{error}; {committed} committed; run the same command again to continue") from error
        self._writer.flush()

    def _take(self, made: FileResult) -> None:
        file, outcome, embedded = made
        self._notes += outcome.notes
        self._embedded_elsewhere += embedded
        if outcome.value is not None:
            rows, digest = outcome.value
            self._hashes.remember(file.source, file.stat, digest)
            self._missing.discard(without_metadata(rows.revision))
            self._put(file, rows)
            return
        if outcome.failure:
            self._fail(file.source, outcome.failure)
        self._done += 1
        self._report()

    def _put(self, file: SourceFile, rows: DocumentRows | EncodedRows) -> None:
        self._writer.put(rows)
        self._written.append(file.source)
        self._done += 1
        self._report()

    def _fail(self, source: str, failure: Failure) -> None:
        self._failed[source] = failure.reason
        if failure.traceback:
            self._faults[source] = failure.traceback

    def _guard(self, gone: Sequence[str], sources: Sources) -> Removal:
        lost = {source for source in gone if self._content(source) in self._missing}
        return guard_removal(gone, lost, self.known_files, sources.searched)

    def _embed_pending(self) -> int:
        """Embed the chunks of the whole index that have no vector; return how many still have none."""
        if self._embedder is None:
            return self._store.count_pending()
        skip = self._writer.unembedded.reasons
        run = PendingRun(self._store, self._embedder, self._recipe, self._report_later, skip=skip)
        if not run.total:
            return 0
        run.run()
        self._embedded_later = run.texts_embedded
        self._take_unembedded(run.unembedded)
        return self._store.count_pending()

    def _take_unembedded(self, unembedded: Unembedded) -> None:
        self._notes += unembedded.notes
        for source, (reason, traceback) in unembedded.failed.items():
            self._failed[source], self._faults[source] = reason, traceback
            self._by_words.append(source)

    def _result(self, *, unchanged: int, removal: Removal, pending: int) -> AddResult:
        for source, error in self._writer.failed.items():
            self._fail(source, failure_of(error, source))
        self._take_unembedded(self._writer.unembedded)
        written = [source for source in self._written if source not in self._failed]
        updated = sum(source in self._known for source in written)
        return AddResult(
            added=len(written) - updated,
            updated=updated,
            unchanged=unchanged,
            removed=len(removal.removed),
            kept=tuple(removal.kept),
            failed=self._failed,
            by_words=tuple(self._by_words),
            faults=self._faults,
            notes=(*self._notes, *self._writer.notes, *self._engine.notes, *removal.reasons),
            embedded=self._vectors.embedded + self._embedded_elsewhere + self._embedded_later,
            pending=pending,
        )

    def _report(self) -> None:
        self._report_later(0, self._writer.waiting)

    def _report_later(self, embedded: int, waiting: int) -> None:
        if self._on_progress:
            made = self._vectors.embedded + self._embedded_elsewhere
            self._on_progress(Progress(self._done, self._total, made + embedded, made + waiting))
