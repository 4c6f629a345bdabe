"""The embedded store: one Lance table in a folder.

Every write is one commit of the table, which readers see whole or not at all; whatever a store object reads, it reads
from the newest version. Commits leave unindexed rows and old versions behind; `maintain` takes care of them after every
20 commits and at the end of a longer work.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from crosshead.errors import StoreError
from crosshead.model import (
    Chunk,
    DocumentRows,
    Filter,
    Found,
    StoreCounts,
    StoredDocument,
    StoredSection,
    Vectors,
)
from crosshead.store import folder as files
from crosshead.store import indexes, rows
from crosshead.store.filters import one_of, quote, to_sql

if TYPE_CHECKING:
    import pyarrow as pa

COMMITS_BETWEEN_UPKEEP: Final = 20
HEADING_WEIGHT: Final = 0.5
MOST_SEEN: Final = 1_000
PENDING: Final = f"kind = {quote(rows.CHUNK)} AND vector IS NULL AND terms IS NOT NULL"
BATCH: Final = 500
"""Keys in one condition."""


class LanceStore:
    """An index in a folder."""

    def __init__(self, folder: Path, *, create: Mapping[str, Any] | None = None) -> None:
        """Open an index; `create` are the settings of a new one, if there is none."""
        self.folder = folder
        if create is not None and not files.exists(folder):
            files.create(folder, create, rows.schema(create["dimension"]))
        self.settings: Mapping[str, Any] = files.read_settings(folder)
        self._commits = 0
        self._table = files.open_table(folder)
        self._seen: dict[str, dict[str, Any]] = {}
        """Rows of chunks that the searches of this version found: who searches wants to read them next."""

    @property
    def location(self) -> str:
        """The folder."""
        return str(self.folder)

    def close(self) -> None:
        """Nothing is held open."""

    # ------------------------------------------------------------------ writing

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Become the one writer, or raise `Locked`."""
        with files.write_lock(self.folder):
            yield

    def replace_documents(self, documents: Sequence[DocumentRows]) -> None:
        """Write documents in place of what is stored of them; of one that is given twice, the last counts."""
        by_id = {each.document.id: each for each in documents}
        if by_id:
            with files.mapped(self.folder):
                table = rows.to_table(list(by_id.values()), self.settings["language"], self.settings["dimension"])
            self._commit(table, one_of("document_id", list(by_id)))

    def delete_documents(self, ids: Sequence[str]) -> None:
        """Remove documents with all that belongs to them."""
        if ids:
            with files.mapped(self.folder):
                self._latest().delete(one_of("document_id", ids))
            self._after_commit()

    def set_vectors(self, vectors: Mapping[str, Vectors]) -> None:
        """Give vectors to chunks, in place of those that they have."""
        for ids in _batches(list(vectors)):
            condition = f"{one_of('key', ids)} AND kind = {quote(rows.CHUNK)}"
            found = self._read(condition, rows.schema(self.settings["dimension"]).names)
            if found:
                written = rows.with_vectors(found, vectors)
                with files.mapped(self.folder):
                    table = rows.table_of(written, self.settings["dimension"])
                self._commit(table, rows.windows_of([row["key"] for row in found]))

    def _commit(self, table: pa.Table, replaced: str) -> None:
        """Write rows and drop those others that a condition names, in one step."""
        with files.mapped(self.folder):
            merge = self._latest().merge_insert("key").when_matched_update_all().when_not_matched_insert_all()
            merge.when_not_matched_by_source_delete(replaced).execute(table)
        self._after_commit()

    def _after_commit(self) -> None:
        self._commits += 1
        if self._commits >= COMMITS_BETWEEN_UPKEEP or not indexes.has_index(self._latest(), "terms"):
            self.maintain()

    def maintain(self) -> None:
        """Build and refresh indexes, merge small files, and drop old versions."""
        with files.mapped(self.folder):
            indexes.maintain(self._latest())
        self._commits = 0

    def _latest(self) -> Any:
        """Return the table as it is now: this or another process may have written.

        A version of the same object shares its caches, which an opened one would have to fill again.
        """
        with files.mapped(self.folder):
            newest = self._table.latest_version
            if newest != self._table.version:
                self._table = self._table.checkout_version(newest)
                self._seen = {}
        return self._table

    # ------------------------------------------------------------------ reading

    def document_revisions(self) -> dict[str, str]:
        """Return the revision of every document by its source."""
        found = self._read(f"kind = {quote(rows.DOCUMENT)}", ["source", "record"])
        return {row["source"]: json.loads(row["record"])["revision"] for row in found}

    def documents(self, ids: Sequence[str]) -> list[StoredDocument]:
        """Return those documents that exist, in the order asked for."""
        return [rows.to_document(row) for row in self._by_key(rows.DOCUMENT, ids)]

    def sections(self, ids: Sequence[str]) -> list[StoredSection]:
        """Return those sections that exist, in the order asked for."""
        return [rows.to_section(row) for row in self._by_key(rows.SECTION, ids)]

    def chunks(self, ids: Sequence[str]) -> list[Chunk]:
        """Return those chunks that exist, in the order asked for."""
        self._latest()
        seen = self._seen
        found = {each: seen[each] for each in ids if each in seen}
        found |= {row["key"]: row for row in self._by_key(rows.CHUNK, [each for each in ids if each not in found])}
        return [rows.to_chunk(found[each]) for each in ids if each in found]

    def subsections(self, parent_ids: Sequence[str]) -> list[StoredSection]:
        """Return the sections directly below these, in order."""
        return [rows.to_section(row) for row in self._below(rows.SECTION, parent_ids)]

    def section_chunks(self, section_ids: Sequence[str]) -> list[Chunk]:
        """Return the chunks whose section is one of these, in order."""
        return [rows.to_chunk(row) for row in self._below(rows.CHUNK, section_ids)]

    def counts(self) -> StoreCounts:
        """Return how much there is."""
        kinds = (f"kind = {quote(kind)}" for kind in (rows.DOCUMENT, rows.SECTION, rows.CHUNK))
        with files.mapped(self.folder):
            return StoreCounts(*map(self._latest().count_rows, (*kinds, PENDING)))

    def size_bytes(self) -> int:
        """Return the space that all files take."""
        return sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())

    def known_vectors(self, text_hashes: Sequence[str]) -> dict[str, Vectors]:
        """Return vectors that were made before, by the hash of their text."""
        known: dict[str, Vectors] = {}
        for hashes in _batches(sorted(set(text_hashes))):
            by_chunk: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
            found = self._read(
                f"{one_of('text_hash', hashes)} AND vector IS NOT NULL", ["key", "text_hash", "vector", "kind", "seq"]
            )
            for row in sorted(found, key=lambda row: (row["kind"] == rows.WINDOW, row["seq"])):
                by_chunk.setdefault((row["text_hash"], rows.chunk_id_of(row["key"])), []).append(row)
            known.update({text_hash: rows.to_vectors(group) for (text_hash, _), group in by_chunk.items()})
        return known

    def pending(self, limit: int) -> list[Chunk]:
        """Return chunks that wait to be embedded."""
        return [rows.to_chunk(row) for row in self._read(PENDING, ["record", "content"], limit=limit)]

    def _by_key(self, kind: str, keys: Sequence[str]) -> list[Mapping[str, Any]]:
        found: dict[str, Mapping[str, Any]] = {}
        for batch in _batches(list(dict.fromkeys(keys))):
            condition = f"{one_of('key', batch)} AND kind = {quote(kind)}"
            found.update({row["key"]: row for row in self._read(condition, ["key", "record", "content"])})
        return [found[key] for key in keys if key in found]

    def _below(self, kind: str, section_ids: Sequence[str]) -> list[Mapping[str, Any]]:
        found: list[Mapping[str, Any]] = []
        for batch in _batches(list(dict.fromkeys(section_ids))):
            condition = f"{one_of('section_id', batch)} AND kind = {quote(kind)}"
            found += self._read(condition, ["document_id", "seq", "record", "content"])
        return sorted(found, key=lambda row: (row["document_id"], row["seq"]))

    def _read(self, condition: str, columns: Sequence[str], limit: int | None = None) -> list[dict[str, Any]]:
        return self._scan(columns=list(columns), filter=condition, limit=limit)

    def _scan(self, **query: Any) -> list[dict[str, Any]]:
        with files.mapped(self.folder):
            return list(self._latest().scanner(**query).to_table().to_pylist())

    # ------------------------------------------------------------------ searching

    def search_dense(self, vector: Vectors, limit: int, filter: Filter) -> list[Found]:
        """Return the nearest chunks, best first."""
        dimension = self.settings["dimension"]
        if vector.shape[-1] != dimension:
            raise StoreError(f"{self.folder}: vectors here have {dimension} numbers, not {vector.shape[-1]}")
        condition, count = to_sql(filter), limit
        while True:
            found = self._nearest(vector, count, condition)
            best: dict[str, float] = {}
            for row in found:
                chunk_id = rows.chunk_id_of(row["key"])
                best[chunk_id] = max(best.get(chunk_id, -2.0), 1.0 - row["_distance"])
            if len(best) >= limit or len(found) < count:
                return _ranked(best, limit)
            count *= 4  # the windows of long chunks took places

    def _nearest(self, vector: Vectors, count: int, condition: str) -> list[dict[str, Any]]:
        nearest = {"column": "vector", "q": vector.reshape(-1), "k": count, "metric": "dot"}
        nearest |= indexes.probing(self._latest())
        return self._search("_distance", condition, nearest=nearest)

    def _search(self, score: str, condition: str, **query: Any) -> list[dict[str, Any]]:
        columns = ["key", "record", "content", score]
        found = self._scan(columns=columns, filter=condition or None, prefilter=True, **query)
        if len(self._seen) > MOST_SEEN:
            self._seen = {}
        self._seen.update({row["key"]: row for row in found if row["record"] is not None})
        return found

    def search_lexical(self, words: Sequence[str], limit: int, filter: Filter) -> list[Found]:
        """Return the chunks in which the words weigh most, best first."""
        from lance.query import MultiMatchQuery

        condition = to_sql(filter)
        if not words or not indexes.has_index(self._latest(), "terms"):
            return []
        query = MultiMatchQuery(" ".join(words), list(indexes.TERM_COLUMNS), boosts=[1.0, HEADING_WEIGHT])
        found = self._search("_score", condition, full_text_query=query, limit=limit)
        return _ranked({row["key"]: row["_score"] for row in found}, limit)


def _ranked(scores: Mapping[str, float], limit: int) -> list[Found]:
    """Equal scores are told apart by the chunk's id, so that the same question has the same answer."""
    ranked = sorted(scores.items(), key=lambda each: (-each[1], each[0]))
    return [Found(chunk_id, score) for chunk_id, score in ranked[:limit]]


def _batches(values: Sequence[str]) -> Iterator[Sequence[str]]:
    for at in range(0, len(values), BATCH):
        yield values[at : at + BATCH]
