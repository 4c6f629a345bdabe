"""The embedded store: one Lance table in a folder, or on object storage.

Every write is one commit of the table, which readers see whole or not at all; whatever a store object reads, it reads
from the newest version. New documents are appended; for others the whole table is compared with what is written.
Commits leave unindexed rows, small files and old versions behind. Rows are taken into the indexes when they are many
and at the end of every work; `maintain` takes care of the rest at the end of a longer one. A version is dropped
seconds after the next one is there, so that a long run does not fill the disk; who was just reading it reads again.
"""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, Concatenate, Final, ParamSpec, TypeVar

from crosshead.errors import CorruptIndex, IndexReplaced, StoreError
from crosshead.store.bm25 import best_score
from crosshead.store.lance import indexes, rows
from crosshead.store.lance import sizes as listing
from crosshead.store.lance.filters import NOTHING, one_of, quote, to_sql
from crosshead.store.lance.inspection import inspect_rows
from crosshead.store.lance.location.base import TableLocation, check_process
from crosshead.store.lance.memory import free_memory
from crosshead.store.lance.table_version import View
from crosshead.store.lance.titles import find_titles
from crosshead.store.settings import changed
from crosshead.types import (
    KEEPS_TOKENS,
    Candidate,
    Chunk,
    DocumentRows,
    EmbedChunks,
    EmbeddingResult,
    Filter,
    Finding,
    IndexVectors,
    ListedDocument,
    StoreCounts,
    StoredDocument,
    StoredSection,
    Vectors,
)

if TYPE_CHECKING:
    import pyarrow as pa

UPKEEP_CACHES: Final = {"index_cache_size_bytes": 16 << 20, "metadata_cache_size_bytes": 16 << 20}
"""Upkeep goes through everything once."""
FIELD_DEPTH: Final = 2
"""Chunks that each field may propose for one that is asked for: what is good by both may be the best by neither."""
VECTORS_PER_CHUNK: Final = 2
"""Vectors that are looked for at first for one chunk that is asked for: the pieces of a chunk are near each other."""
BATCH: Final = 500
"""Keys in one condition."""


READINGS: Final = 3
"""How often something is read before it counts as damaged."""

Given = ParamSpec("Given")
Read = TypeVar("Read")
Reading = Callable[Concatenate["LanceStore", Given], Read]


def _from_the_newest(read: Reading[Given, Read]) -> Reading[Given, Read]:
    """Read again where files are missing: the version may have been dropped meanwhile, because another one is newer."""

    @wraps(read)
    def reading(store: LanceStore, /, *args: Given.args, **options: Given.kwargs) -> Read:
        for _ in range(READINGS - 1):
            with suppress(CorruptIndex):
                return read(store, *args, **options)
        return read(store, *args, **options)

    return reading


class LanceStore:
    """An index in a Lance table."""

    def __init__(self, place: TableLocation, *, create: Mapping[str, Any] | None = None) -> None:
        """Open an index; `create` are the settings of a new one, if there is none."""
        self.place = place
        if create is not None and not place.exists():
            place.create(create, rows.schema(create))
        self.settings, self._identity = place.read_settings()
        self._identity_seen = time.monotonic()
        self._view = View(place.open_table())
        self._index_vectors: IndexVectors | None = None

    @property
    def location(self) -> str:
        """The folder, or the URL."""
        return self.place.location

    def close(self) -> None:
        """Nothing is held open."""

    # ------------------------------------------------------------------ writing

    @contextmanager
    def lock(self, wait_seconds: float = 0) -> Iterator[None]:
        """Become the one writer, or raise `Locked` after a wait. What a killed writer left undone is done first."""
        self._check_identity()
        with self.place.write_lock(wait_seconds):
            self._check_identity()
            if not self._is_indexed(self._latest()):
                self.maintain()
            before = self._latest().table.version
            try:
                yield
                if self._view.table.version != before:
                    self._take_in(most_outside=0)
            except CorruptIndex:  # another writer, who took the place of this one, drops versions that this one reads
                self.place.check_writer()
                raise
            finally:
                if self._view.table.version != before:
                    self.place.record()
        self._forget()

    def replace_documents(self, documents: Sequence[DocumentRows]) -> Sequence[str]:
        """Write documents in place of what is stored of them; of one that is given twice, the last counts."""
        by_id = {each.document.id: each for each in documents}
        known = self._known(list(by_id))
        new = [each for document_id, each in by_id.items() if document_id not in known]
        if new:
            self._append(self._to_table(new))
        if known:
            self._commit(self._to_table([by_id[each] for each in known]), one_of("document_id", known))
        return ()

    def set_languages(self, languages: Mapping[str, str]) -> None:
        """Read the words of documents again, each in its language."""
        for ids in _batches(list(languages)):
            condition = f"{one_of('document_id', ids)} AND {one_of('kind', (rows.DOCUMENT, rows.CHUNK))}"
            found = self._read(condition, rows.schema(self.settings).names)
            with self.place.mapped():
                table = rows.table_of(rows.in_languages(found, languages), self.settings)
            self._commit(table, NOTHING)

    def _known(self, ids: Sequence[str]) -> list[str]:
        """Return those of some documents that are stored."""
        return [row["key"] for batch in _batches(ids) for row in self._read(one_of("key", batch), ["key"])]

    def _to_table(self, documents: Sequence[DocumentRows]) -> pa.Table:
        with self.place.mapped():
            return rows.to_table(documents, self.settings)

    def delete_documents(self, ids: Sequence[str]) -> None:
        """Remove documents with all that belongs to them."""
        if ids:
            with self.place.mapped():
                self._writable().delete(one_of("document_id", ids))
            self._after_commit()

    def embed_waiting(self, limit: int, embed: EmbedChunks, *, skip: Collection[str] = ()) -> int:
        """Let some of the chunks that wait be embedded; those that cannot be go on waiting."""
        found = self._read(rows.PENDING, ["key", "record", "content"], limit=limit + len(skip))
        waiting = [rows.to_chunk(row) for row in found if row["key"] not in skip][:limit]
        if waiting:
            given = embed(waiting)
            self._set_vectors({chunk_id: each for chunk_id, each in given.items() if each.vectors is not None})
        return len(waiting)

    def retry_failed(self) -> None:
        """Nothing is given up here."""

    def _set_vectors(self, given: Mapping[str, EmbeddingResult]) -> None:
        for ids in _batches(list(given)):
            condition = f"{one_of('key', ids)} AND kind = {quote(rows.CHUNK)}"
            found = self._read(condition, rows.schema(self.settings).names)
            if found:
                written = rows.with_vectors(found, given)
                with self.place.mapped():
                    table = rows.table_of(written, self.settings)
                self._commit(table, rows.windows_of([row["key"] for row in found]))

    def _commit(self, table: pa.Table, replaced: str) -> None:
        """Write rows and drop those others that a condition names, in one step."""
        with self.place.mapped():
            merge = self._writable().merge_insert("key").when_matched_update_all().when_not_matched_insert_all()
            merge.when_not_matched_by_source_delete(replaced).execute(table)
        self._after_commit()

    def _append(self, table: pa.Table) -> None:
        """Write rows of new documents in one step, however many others there are."""
        with self.place.mapped():
            self._writable().insert(table)
        self._after_commit()

    def _after_commit(self) -> None:
        view = self._latest()
        with self.place.mapped():
            due = indexes.is_due(view.table)
        if due or not self._is_indexed(view):
            self.maintain()
        else:
            self._take_in(indexes.ROWS_OUTSIDE)

    def _is_indexed(self, view: View) -> bool:
        with self.place.mapped():
            return indexes.are_made(view.table)

    def _take_in(self, most_outside: int) -> None:
        """Take rows into the indexes if more than so many are outside."""
        view = self._latest()
        with self.place.mapped():
            due = indexes.are_made(view.table) and indexes.rows_outside(view.table) > most_outside
        if due:
            self._upkeep(indexes.take_in)

    def maintain(self, *, thoroughly: bool = False) -> None:
        """Build and refresh indexes, merge small files where they are many, and drop old versions."""
        self._upkeep(partial(indexes.maintain, thoroughly=thoroughly, elsewhere=self._index_vectors))
        with self.place.mapped():
            self.place.record()

    def index_with(self, index_vectors: IndexVectors | None) -> None:
        """Let the vectors of a large table be indexed elsewhere from now on, or here."""
        self._index_vectors = index_vectors

    def _upkeep(self, work: Callable[[Any], None]) -> None:
        self._forget()
        with self.place.mapped():
            table = self.place.open_table(**UPKEEP_CACHES)
            self.place.check_writer()
            work(table)
        self._forget()

    def _forget(self) -> None:
        """Let go of what Lance has cached of indexes that are replaced."""
        self._view = View(self.place.open_table(), self._view)
        free_memory()

    def inspect(self) -> Iterator[Finding]:
        """Look for damaged files, and for rows that belong to nothing."""
        with self.place.write_lock(), self.place.mapped():
            yield from self.place.inspect()
            yield from inspect_rows(self._latest().table, self.location)

    def _writable(self) -> Any:
        """Return the table as an object of its own, because writing moves it on to the next version."""
        table = self._latest().table
        self.place.check_writer()
        return table.checkout_version(table.version)

    def change_setting(self, name: str, value: Any) -> None:
        """Store another value of a setting; None removes it."""
        self._check_identity()
        settings = changed(self.settings, name, value)
        self._identity = self.place.write_settings(settings, self._identity)
        self.settings = settings

    def _check_identity(self) -> None:
        """What was read before, and is kept in caches, says nothing about an index that took the place of this one."""
        found = self.place.identity()
        if found is None:
            raise self.place.not_found()
        if found != self._identity:
            raise IndexReplaced(f"{self.location}: the index was made anew since it was opened; open it again")
        self._identity_seen = time.monotonic()

    def _latest(self) -> View:
        """Return the table as it is now: this or another process may have written.

        A version of the same object shares its caches, which an opened one would have to fill again.
        """
        if time.monotonic() >= self._identity_seen + self.place.identity_seconds:
            self._check_identity()
        check_process(self.location)
        view = self._view
        with self.place.mapped():
            newest = view.table.latest_version
            if newest != view.table.version:
                view = self._view = View(view.table.checkout_version(newest), view)
        return view

    # ------------------------------------------------------------------ reading

    @_from_the_newest
    def document_revisions(self) -> dict[str, str]:
        """Return the revision of every document by its source."""
        found = self._read(f"kind = {quote(rows.DOCUMENT)}", ["source", "record"])
        return {row["source"]: json.loads(row["record"])["revision"] for row in found}

    @_from_the_newest
    def languages(self) -> Mapping[str, int]:
        """Return how many documents are in each language."""
        with self.place.mapped():
            return self._latest().languages

    @_from_the_newest
    def documents(self, ids: Sequence[str]) -> list[StoredDocument]:
        """Return those documents that exist, in the order asked for."""
        return [rows.to_document(row) for row in self._by_key(rows.DOCUMENT, ids)]

    @_from_the_newest
    def listed(self, ids: Sequence[str]) -> list[ListedDocument]:
        """Return how large documents are, by source, without reading their texts."""
        with self.place.mapped():
            return [each for batch in _batches(ids) for each in listing.list_documents(self._latest().table, batch)]

    @_from_the_newest
    def sections(self, ids: Sequence[str]) -> list[StoredSection]:
        """Return those sections that exist, in the order asked for."""
        return [rows.to_section(row) for row in self._by_key(rows.SECTION, ids)]

    @_from_the_newest
    def chunks(self, ids: Sequence[str]) -> list[Chunk]:
        """Return those chunks that exist, in the order asked for."""
        view = self._latest()
        with self.place.mapped():
            found = {row["key"]: row for row in view.read_known(ids, ["key", "record", "content"])}
        found |= {row["key"]: row for row in self._by_key(rows.CHUNK, [each for each in ids if each not in found])}
        return [rows.to_chunk(found[each]) for each in ids if each in found]

    @_from_the_newest
    def subsections(self, parent_ids: Sequence[str]) -> list[StoredSection]:
        """Return the sections directly below these, in order."""
        return [rows.to_section(row) for row in self._below(rows.SECTION, parent_ids)]

    @_from_the_newest
    def section_chunks(self, section_ids: Sequence[str]) -> list[Chunk]:
        """Return the chunks whose section is one of these, in order."""
        return [rows.to_chunk(row) for row in self._below(rows.CHUNK, section_ids)]

    @_from_the_newest
    def titles(self, beginning: str, limit: int) -> list[str]:
        """Return titles of sections that have a word with this beginning."""
        with self.place.mapped():
            return find_titles(self._latest(), beginning, limit)

    @_from_the_newest
    def counts(self) -> StoreCounts:
        """Return how much there is."""
        kinds = (f"kind = {quote(kind)}" for kind in (rows.DOCUMENT, rows.SECTION, rows.CHUNK))
        with self.place.mapped():
            documents, sections, chunks, pending = map(self._latest().table.count_rows, (*kinds, rows.PENDING))
        return StoreCounts(documents, sections, chunks, pending, failed=0)

    @_from_the_newest
    def count_waiting(self) -> int:
        """Return how many chunks wait to be embedded."""
        with self.place.mapped():
            return int(self._latest().table.count_rows(rows.PENDING))

    def size_bytes(self) -> int:
        """Return the space that everything takes."""
        return self.place.size_bytes()

    @_from_the_newest
    def known_vectors(self, text_hashes: Sequence[str]) -> dict[str, Vectors]:
        """Return vectors that were made before, by the hash of their text."""
        known: dict[str, Vectors] = {}
        for hashes in _batches(sorted(set(text_hashes))):
            by_chunk: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
            found = self._read(
                f"{one_of('text_hash', hashes)} AND {rows.EMBEDDED}", ["key", "text_hash", "vector", "kind", "seq"]
            )
            for row in sorted(found, key=lambda row: (row["kind"] == rows.WINDOW, row["seq"])):
                by_chunk.setdefault((row["text_hash"], rows.chunk_id_of(row["key"])), []).append(row)
            known.update({text_hash: rows.to_vectors(group) for (text_hash, _), group in by_chunk.items()})
        return known

    @_from_the_newest
    def known_tokens(self, text_hashes: Sequence[str]) -> dict[str, tuple[bytes, ...]]:
        """Return the tokens that came with such vectors, piece by piece, where they are kept."""
        known: dict[str, tuple[bytes, ...]] = {}
        for hashes in _batches(sorted(set(text_hashes))) if self.settings.get(KEEPS_TOKENS) else ():
            found = self._read(f"{one_of('text_hash', hashes)} AND tokens IS NOT NULL", ["text_hash", "tokens"])
            known.update({row["text_hash"]: tuple(row["tokens"]) for row in found})
        return known

    @_from_the_newest
    def known_texts(self) -> list[str]:
        """Return the hashes of all texts that have vectors."""
        with self.place.mapped():
            found = self._latest().scan(columns=["text_hash"], filter=rows.EMBEDDED)
            return list(found["text_hash"].unique().to_pylist())

    def _by_key(self, kind: str, keys: Sequence[str]) -> list[Mapping[str, Any]]:
        found: dict[str, Mapping[str, Any]] = {}
        for batch in _batches(list(dict.fromkeys(keys))):
            read = self._read(one_of("key", batch), ["key", "kind", "record", "content"])
            found.update({row["key"]: row for row in read if row["kind"] == kind})
        return [found[key] for key in keys if key in found]

    def _below(self, kind: str, section_ids: Sequence[str]) -> list[Mapping[str, Any]]:
        found: list[Mapping[str, Any]] = []
        for batch in _batches(list(dict.fromkeys(section_ids))):
            condition = f"{one_of('section_id', batch)} AND kind = {quote(kind)}"
            found += self._read(condition, ["document_id", "seq", "record", "content"])
        return sorted(found, key=lambda row: (row["document_id"], row["seq"]))

    def _read(self, condition: str, columns: Sequence[str], limit: int | None = None) -> list[dict[str, Any]]:
        with self.place.mapped():
            found = self._latest().scan(columns=list(columns), filter=condition, limit=limit)
            return list(found.to_pylist())

    # ------------------------------------------------------------------ searching

    @_from_the_newest
    def holds(self, filter: Filter) -> bool:
        """Return whether there is anything that a filter allows."""
        view = self._latest()
        condition = self._condition(view, filter)
        with self.place.mapped():
            return bool(view.table.count_rows(condition))

    @_from_the_newest
    def search_dense(self, vector: Vectors, limit: int, filter: Filter) -> list[Candidate]:
        """Return the nearest chunks, best first."""
        dimension = self.settings["dimension"]
        if vector.shape[-1] != dimension:
            raise StoreError(f"{self.location}: vectors here have {dimension} numbers, not {vector.shape[-1]}")
        view, count = self._latest(), VECTORS_PER_CHUNK * limit
        condition = self._condition(view, filter)
        nearest = {"column": "vector", "q": vector.reshape(-1), "metric": "dot", **indexes.probing(view.table)}
        while True:
            found = self._search(view, "_distance", condition, nearest={**nearest, "k": count})
            best: dict[str, float] = {}
            for key, distance in zip(self._keys_at(view, list(found)), found.values(), strict=True):
                chunk_id = rows.chunk_id_of(key)
                best[chunk_id] = max(best.get(chunk_id, -2.0), 1.0 - distance)
            if len(best) >= limit or len(found) < count:
                return _ranked(best, limit)
            count *= 4  # few chunks took all places

    @_from_the_newest
    def search_lexical(
        self, words: Sequence[str], limit: int, filter: Filter, *, heading_weight: float
    ) -> list[Candidate]:
        """Return the chunks in which the words weigh most, best first: in their text, and less in their headings.

        Scores are shares of the best that the words could get. Each field is asked by itself and the scores
        are added up: Lance takes the better one of several fields, and is slow at it where a word is in many headings.
        """
        from lance.query import MatchQuery

        view = self._latest()
        condition = self._condition(view, filter)
        distinct = dict.fromkeys(words)
        if not distinct or not self._is_indexed(view):
            return []
        scores: defaultdict[int, float] = defaultdict(float)
        for column, weight in zip(indexes.TERM_COLUMNS, (1.0, heading_weight), strict=True):
            if weight:
                query = MatchQuery(" ".join(distinct), column)
                found = self._search(view, "_score", condition, full_text_query=query, limit=FIELD_DEPTH * limit)
                for place, score in found.items():
                    scores[place] += weight * score
        best = sorted(scores, key=lambda place: (-scores[place], place))[:limit]
        with self.place.mapped():
            most = best_score(map(view.rarity, distinct), heading_weight)
        shares = [scores[place] / most for place in best]
        return _ranked(dict(zip(self._keys_at(view, best), shares, strict=True)), limit)

    def _condition(self, view: View, filter: Filter) -> str | None:
        with self.place.mapped():
            return to_sql(filter, view.values) or None

    def _keys_at(self, view: View, places: Sequence[int]) -> list[str]:
        with self.place.mapped():
            return view.keys_at(places)

    def _search(self, view: View, score: str, condition: str | None, **query: Any) -> dict[int, float]:
        """Return scores by row id."""
        with self.place.mapped():
            found = view.scan(columns=["_rowid", score], filter=condition, prefilter=True, **query)
        return dict(zip(found.column("_rowid").to_pylist(), found.column(score).to_pylist(), strict=True))


def _ranked(scores: Mapping[str, float], limit: int) -> list[Candidate]:
    """Equal scores are told apart by the chunk's id, so that the same question has the same answer."""
    ranked = sorted(scores.items(), key=lambda each: (-each[1], each[0]))
    return [Candidate(chunk_id, score) for chunk_id, score in ranked[:limit]]


def _batches(values: Sequence[str]) -> Iterator[Sequence[str]]:
    for at in range(0, len(values), BATCH):
        yield values[at : at + BATCH]
