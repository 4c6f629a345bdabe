"""The embedded store: documents, sections and chunks in one Lance table."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from crosshead.errors import CorruptIndex, StoreError
from crosshead.store.lance import reading, rows
from crosshead.store.lance.candidates import dense, lexical
from crosshead.store.lance.candidates.filters import NOTHING, one_of, quote
from crosshead.store.lance.candidates.titles import find_titles
from crosshead.store.lance.encoding import RowEncoder, to_table, with_vectors
from crosshead.store.lance.inspection.findings import inspect_rows
from crosshead.store.lance.inspection.sizes import list_documents, sizes_of
from crosshead.store.lance.location.base import TableLocation
from crosshead.store.lance.table import LiveTable, tries
from crosshead.store.lance.table_version import TableVersion
from crosshead.store.ranking import ranked
from crosshead.store.settings import SCHEMA_SETTING
from crosshead.types import (
    HAS_TOKEN_VECTORS,
    Candidate,
    Chunk,
    DocumentLinks,
    DocumentProperty,
    DocumentRows,
    EmbedChunks,
    EmbeddingResult,
    EncodedRows,
    Filter,
    Finding,
    IndexVectors,
    ListedDocument,
    Store,
    StoreContents,
    StoredDocument,
    StoredSection,
    StoredSizes,
    Vectors,
    WordStatistics,
)

Given = ParamSpec("Given")
Read = TypeVar("Read")
Reading = Callable[Concatenate["LanceStore", Given], Read]


def _retried(read: Reading[Given, Read]) -> Reading[Given, Read]:
    """Read again if files are missing: another process may have dropped the version, because there is a newer one."""

    @wraps(read)
    def reading(store: LanceStore, /, *args: Given.args, **options: Given.kwargs) -> Read:
        for _ in tries():
            with suppress(CorruptIndex):
                return read(store, *args, **options)
            store.table.check_identity()  # the files are missing because a change replaced the table
            with suppress(CorruptIndex):
                store.table.latest()  # also for what reads the version that was read last
        return read(store, *args, **options)

    return reading


class LanceStore:
    """An index in a Lance table."""

    def __init__(self, location: TableLocation, *, create: Mapping[str, Any] | None = None) -> None:
        """Open an index; `create` are the settings of a new one, used if there is none."""
        self.table = LiveTable(location, create)

    @property
    def location(self) -> str:
        """The folder, or the URL."""
        return self.table.location.name

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings that the index was created with."""
        return self.table.settings

    def close(self) -> None:
        """Do nothing: no file stays open."""

    # ------------------------------------------------------------------ writing

    def lock(
        self, wait_seconds: float = 0, *, index_vectors: IndexVectors | None = None
    ) -> AbstractContextManager[None]:
        """Take the write lock, or raise `Locked` after `wait_seconds`."""
        return self.table.lock(wait_seconds, index_vectors)

    def change_setting(self, name: str, value: Any) -> None:
        """Store a setting; None removes it."""
        self.table.change_setting(name, value)

    # ------------------------------------------------------------------ changing the settings

    def check_current(self) -> None:
        """Raise an error if other rows took the place of those that this store reads."""
        self.table.latest()

    def reopened(self) -> LanceStore:
        """Return the store as it is after a change of its settings."""
        return LanceStore(self.table.location.again())

    def unfinished_change(self) -> Mapping[str, Any] | None:
        """Return the settings that an unfinished change gives the index, or None."""
        location = self.table.location.next()
        if not location.exists():
            return None
        try:
            found = location.read_settings().settings
        except CorruptIndex:
            return {}
        return {name: value for name, value in found.items() if name != SCHEMA_SETTING}

    def begin_change(self, settings: Mapping[str, Any]) -> LanceStore:
        """Return a store for the rows that will replace these; it holds what an interrupted change has made."""
        self.table.location.sweep()
        with suppress(CorruptIndex):
            return LanceStore(self.table.location.next(), create=settings)
        self.discard_change()
        return LanceStore(self.table.location.next(), create=settings)

    def finish_change(self, changed: Store, settings: Mapping[str, Any]) -> bool:
        """Put the rows of a change in the place of these, in one commit."""
        assert isinstance(changed, LanceStore)
        self.table.replace_by(changed.table, settings)
        return True

    def discard_change(self) -> None:
        """Remove what an unfinished change has made."""
        self.table.location.discard_next()

    # ------------------------------------------------------------------ writing documents

    def encoder(self) -> RowEncoder:
        """Return what encodes rows in any process."""
        return RowEncoder(self._columns, self.settings["language"], self.location)

    def replace_documents(self, documents: Sequence[DocumentRows | EncodedRows]) -> Sequence[str]:
        """Write documents, replacing all rows of those that exist; of one that is given twice, the last counts."""
        by_id = {each.id: each for each in documents}
        known = self._known(list(by_id))
        new = [each for document_id, each in by_id.items() if document_id not in known]
        if new:
            self.table.append(self._to_table(new))
        if known:
            self.table.replace(self._to_table([by_id[each] for each in known]), one_of("document_id", known))
        return ()

    def set_languages(self, languages: Mapping[str, str]) -> None:
        """Set the language of documents by id, and rebuild their words."""
        for ids in reading.batches(list(languages)):
            condition = f"{one_of('document_id', ids)} AND {one_of('kind', (rows.DOCUMENT, rows.CHUNK))}"
            found = self._whole_rows(condition)
            with self._translate_errors():
                table = rows.table_of(rows.in_languages(found.to_pylist(), languages), self._columns)
            self.table.replace(table, NOTHING)

    def delete_documents(self, ids: Sequence[str]) -> None:
        """Remove documents with all their rows."""
        if ids:
            self.table.delete("document_id", [*ids])

    def embed_pending(self, limit: int, embed: EmbedChunks, *, skip: Collection[str] = ()) -> int:
        """Embed up to `limit` pending chunks; those that fail stay pending."""
        with self._latest() as version:
            found = version.rows(rows.PENDING, ["key", "record", "content"], limit=limit + len(skip))
            chunks = [rows.to_chunk(row) for row in found if row["key"] not in skip][:limit]
        if chunks:
            results = embed(chunks)
            self._set_vectors({chunk_id: each for chunk_id, each in results.items() if each.vectors is not None})
        return len(chunks)

    def reset_failed(self) -> None:
        """Do nothing: failed chunks stay pending here."""

    def maintain(self, *, thoroughly: bool = False) -> None:
        """Build and refresh indexes, merge small files where they are many, and drop old versions."""
        self.table.maintain(thoroughly=thoroughly)

    def inspect(self) -> Iterator[Finding]:
        """Look for damaged files and orphaned rows."""
        location = self.table.location
        with location.write_lock(), self._translate_errors():
            yield from location.inspect()  # first: damaged settings could not be read again
            yield from inspect_rows(self.table.latest().table, self.location)

    def _known(self, ids: Sequence[str]) -> list[str]:
        """Return the ids of documents that are stored."""
        with self._latest() as version:
            return [row["key"] for ids in reading.batches(ids) for row in version.rows(one_of("key", ids), ["key"])]

    def _to_table(self, documents: Sequence[DocumentRows | EncodedRows]) -> Any:
        with self._translate_errors():
            return to_table(documents, self.encoder())

    @property
    def _columns(self) -> Any:
        return self.table.latest().table.schema

    def _set_vectors(self, results: Mapping[str, EmbeddingResult]) -> None:
        for ids in reading.batches(list(results)):
            found = self._whole_rows(f"{one_of('key', ids)} AND kind = {quote(rows.CHUNK)}")
            keys = found["key"].to_pylist()
            if keys:
                with self._translate_errors():
                    table = with_vectors(found, {key: results[key] for key in keys})
                self.table.replace(table, rows.windows_of(keys))

    def _whole_rows(self, condition: str) -> Any:
        with self._latest() as version:
            return version.scan(columns=self._columns.names, filter=condition).cast(self._columns)

    # ------------------------------------------------------------------ looking up

    @contextmanager
    def _latest(self) -> Iterator[TableVersion]:
        """Read the newest version; errors of Lance are translated."""
        version = self.table.latest()
        with self._translate_errors():
            yield version

    def _translate_errors(self) -> AbstractContextManager[None]:
        return self.table.location.translate_errors()

    @_retried
    def document_revisions(self) -> dict[str, str]:
        """Return the revision of every document by source."""
        with self._latest() as version:
            found = version.rows(f"kind = {quote(rows.DOCUMENT)}", ["source", "record"])
        return {row["source"]: json.loads(row["record"])["revision"] for row in found}

    @_retried
    def documents(self, ids: Sequence[str]) -> list[StoredDocument]:
        """Return documents with their texts, in the order of `ids`."""
        with self._latest() as version:
            return reading.documents(version, ids)

    @_retried
    def list_documents(self, ids: Sequence[str]) -> list[ListedDocument]:
        """Return the sizes and counts of documents, sorted by source, without reading their texts."""
        with self._latest() as version:
            return sorted(each for batch in reading.batches(ids) for each in list_documents(version.table, batch))

    @_retried
    def known_documents(self, ids: Sequence[str]) -> Collection[str]:
        """Return those of some ids that documents have."""
        with self._latest() as version:
            if (known := version.document_ids) is not None:
                return known.intersection(ids)
        return self._known(ids)

    @_retried
    def sections(self, ids: Sequence[str]) -> list[StoredSection]:
        """Return sections in the order of `ids`."""
        with self._latest() as version:
            return [rows.to_section(row) for row in reading.by_key(version, rows.SECTION, ids)]

    @_retried
    def subsections(self, parent_ids: Sequence[str]) -> list[StoredSection]:
        """Return the direct subsections of some sections, in document order."""
        with self._latest() as version:
            return reading.subsections(version, parent_ids)

    @_retried
    def chunks(self, ids: Sequence[str]) -> list[Chunk]:
        """Return chunks in the order of `ids`."""
        with self._latest() as version:
            return reading.chunks(version, ids)

    @_retried
    def section_chunks(self, section_ids: Sequence[str]) -> list[Chunk]:
        """Return the chunks that begin in some sections, in document order."""
        with self._latest() as version:
            return [rows.to_chunk(row) for row in reading.below(version, rows.CHUNK, section_ids)]

    @_retried
    def document_links(self, ids: Sequence[str]) -> list[DocumentLinks]:
        """Return the links and anchors of documents, in the order of `ids`."""
        with self._latest() as version:
            return reading.document_links(version, ids)

    @_retried
    def linked_documents(self, keys: Sequence[str], limit: int) -> list[DocumentLinks]:
        """Return up to `limit` documents that have one of some `DocumentLinks.keys`, by source."""
        with self._latest() as version:
            return reading.linked_documents(version, keys, limit)

    @_retried
    def ids_starting_with(self, beginning: str, limit: int) -> list[str]:
        """Return up to `limit` ids of chunks and sections that start with some characters, sorted."""
        with self._latest() as version:
            return reading.keys_starting_with(version, (rows.CHUNK, rows.SECTION), beginning, limit)

    @_retried
    def complete_titles(self, beginning: str, limit: int) -> list[str]:
        """Return up to `limit` section titles that contain a word starting with `beginning`, ignoring case."""
        with self._latest() as version:
            return find_titles(version, beginning, limit)

    @_retried
    def count_languages(self) -> Mapping[str, int]:
        """Return the number of documents by language code."""
        with self._latest() as version:
            return version.languages

    @_retried
    def distinct_values(self, name: DocumentProperty) -> list[str]:
        """Return the distinct values of a property of documents, sorted."""
        with self._latest() as version:
            values: list[str] = version.values(name).to_pylist()
        return [each for each in values if "=" in each] if name == "tags" else [*filter(None, values)]

    @_retried
    def count_pending(self) -> int:
        """Return the number of pending chunks."""
        with self._latest() as version:
            return int(version.table.count_rows(rows.PENDING))

    @_retried
    def contents(self) -> StoreContents:
        """Return how much the store holds."""
        kinds = (f"kind = {quote(kind)}" for kind in (rows.DOCUMENT, rows.SECTION, rows.CHUNK))
        with self._latest() as version:
            documents, sections, chunks, pending = map(version.table.count_rows, (*kinds, rows.PENDING))
        return StoreContents(documents, sections, chunks, pending, failed=0)

    def size_bytes(self) -> int:
        """Return the space that the index takes."""
        return self.table.location.size_bytes()

    @_retried
    def sizes(self) -> StoredSizes:
        """Return what this space is taken by."""
        with self._latest() as version:
            return sizes_of(version.table, self.size_bytes())

    # ------------------------------------------------------------------ reusing vectors

    @_retried
    def known_vectors(self, text_hashes: Sequence[str]) -> dict[str, Vectors]:
        """Return stored vectors by the hash of their text."""
        with self._latest() as version:
            return reading.vectors_by_hash(version, text_hashes)

    @_retried
    def known_token_vectors(self, text_hashes: Sequence[str]) -> dict[str, tuple[bytes, ...]]:
        """Return stored token vectors, one entry per piece, by the hash of their text."""
        if not self.settings.get(HAS_TOKEN_VECTORS):
            return {}
        with self._latest() as version:
            return reading.token_vectors_by_hash(version, text_hashes)

    @_retried
    def known_text_hashes(self) -> list[str]:
        """Return the hashes of all texts that have vectors."""
        with self._latest() as version:
            found = version.scan(columns=["text_hash"], filter=rows.EMBEDDED)
            return list(found["text_hash"].unique().to_pylist())

    # ------------------------------------------------------------------ searching

    @_retried
    def matches_any(self, filter: Filter) -> bool:
        """Return whether a filter leaves anything to search."""
        with self._latest() as version:
            if filter.titles and version.lacks_titles(filter.titles):
                return False
            return version.has_chunks(version.condition(filter) or "true")

    @_retried
    def search_dense(self, vector: Vectors, limit: int, filter: Filter) -> list[Candidate]:
        """Return the chunks nearest to a vector, best first, with their cosines."""
        dimension = self.settings["dimension"]
        if vector.shape[-1] != dimension:
            raise StoreError(f"{self.location}: vectors here have {dimension} numbers, not {vector.shape[-1]}")
        with self._latest() as version:
            return ranked(dense.find_nearest(version, vector, limit, version.condition(filter)), limit)

    @_retried
    def search_lexical(
        self,
        words: Sequence[str],
        limit: int,
        filter: Filter,
        *,
        heading_weight: float,
        statistics: WordStatistics | None = None,
    ) -> list[Candidate]:
        """Return the best chunks by BM25 over text and headings, best first, with scores as a share of the maximum."""
        with self._latest() as version:
            condition = version.condition(filter)
            if not words or not version.is_indexed:
                return []
            if statistics:
                found = lexical.find_words_as(version, words, limit, condition, heading_weight, statistics)
            else:
                found = lexical.find_words(version, words, limit, condition, heading_weight)
            return ranked(found, limit)

    @_retried
    def word_statistics(self, words: Sequence[str]) -> WordStatistics:
        """Return how frequent words are: what others add to theirs to score as one index."""
        with self._latest() as version:
            return version.words.statistics(words) if version.is_indexed else WordStatistics()

    @_retried
    def rarities(self, words: Sequence[str]) -> list[float]:
        """Return how rare words are in the index: the weight (IDF) of each in BM25."""
        version = self.table.last_read  # a search has read the newest one
        with self._translate_errors():
            return version.words.rarities(words) if version.is_indexed else [0.0] * len(words)

    def index_of(self, id: str) -> str:
        """Return nothing: there is only one index."""
        return ""
