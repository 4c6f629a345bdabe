"""The embedded store: one Lance table in a folder.

    folder/settings.json   what the index was made with
    folder/rows.lance/     documents, sections and chunks
    folder/write.lock      held by the one process that writes

Every write is one commit of the table, which readers see whole or not at all. Commits leave unindexed rows and old
versions behind; `maintain` takes care of them after every 20 commits and at the end of a longer work.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from crosshead.errors import (
    CorruptIndex,
    CrossheadError,
    IndexNotFound,
    Locked,
    MigrationRequired,
    MissingExtra,
    StoreError,
)
from crosshead.model import (
    Chunk,
    DocumentRows,
    Filter,
    Found,
    StoreCounts,
    StoredDocument,
    StoredSection,
    Vectors,
)  # fmt: skip
from crosshead.store import rows
from crosshead.store.filters import one_of, quote, to_sql

if TYPE_CHECKING:
    import pyarrow as pa

SCHEMA_VERSION: Final = 1
SETTINGS_FILE: Final = "settings.json"
TABLE: Final = "rows.lance"
LOCK_FILE: Final = "write.lock"

COMMITS_BETWEEN_UPKEEP: Final = 20
KEEP_VERSIONS: Final = timedelta(minutes=10)
"""Readers that began before a commit may still need the version before it."""
ROWS_BEFORE_VECTOR_INDEX: Final = 20_000
ROWS_PER_PARTITION: Final = 1_000
PROBED_SHARE: Final = 0.5
HEADING_WEIGHT: Final = 0.5
PENDING: Final = f"kind = {quote(rows.CHUNK)} AND vector IS NULL AND terms IS NOT NULL"
BATCH: Final = 500
"""Keys in one condition."""

_KEY_COLUMNS: Final = ("key", "document_id", "section_id", "text_hash")
_TERM_COLUMNS: Final = ("terms", "heading_terms")


class LanceStore:
    """An index in a folder."""

    def __init__(self, folder: Path, *, create: Mapping[str, Any] | None = None) -> None:
        """Open an index; `create` are the settings of a new one, if there is none."""
        self.folder = folder
        if create is not None and not self.exists(folder):
            _create(folder, create)
        self.settings: Mapping[str, Any] = _read_settings(folder)
        self._commits = 0
        self._table = _open_table(folder)

    @staticmethod
    def exists(folder: Path) -> bool:
        """Is there an index in a folder?"""
        return (folder / SETTINGS_FILE).exists()

    def close(self) -> None:
        """Nothing is held open."""

    # ------------------------------------------------------------------ writing

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Become the one writer, or raise `Locked`."""
        from filelock import FileLock, Timeout

        try:
            with FileLock(self.folder / LOCK_FILE, timeout=0):
                self._refresh()
                yield
        except Timeout as error:
            raise Locked(
                f"{self.folder}: another process is writing to this index; try again when it is done"
            ) from error
        except PermissionError as error:
            raise StoreError(f"{self.folder}: no permission to write here") from error

    def replace_documents(self, documents: Sequence[DocumentRows]) -> None:
        """Write documents in place of what is stored of them."""
        if documents:
            table = rows.to_table(documents, self.settings["language"], self.settings["dimension"])
            ids = [each.document.id for each in documents]
            self._commit(table, one_of("document_id", ids))

    def delete_documents(self, ids: Sequence[str]) -> None:
        """Remove documents with all that belongs to them."""
        if ids:
            with _mapped(self.folder):
                self._table.delete(one_of("document_id", ids))
            self._after_commit()

    def set_vectors(self, vectors: Mapping[str, Vectors]) -> None:
        """Give vectors to chunks that wait for them."""
        for keys in _batches(list(vectors)):
            found = self._read(one_of("key", keys), columns=[field.name for field in self._table.schema])
            self._commit(self._with_vectors(found, vectors), one_of("key", [row["key"] for row in found]))

    def _with_vectors(self, found: Sequence[Mapping[str, Any]], vectors: Mapping[str, Vectors]) -> pa.Table:
        import pyarrow as pa

        written: list[rows.Row] = []
        for row in found:
            first, *others = vectors[row["key"]]
            written.append({**row, "vector": first})
            bare = {**row, **dict.fromkeys(("record", "content", *_TERM_COLUMNS)), "kind": rows.WINDOW}
            written += [
                {**bare, "key": rows.window_key(row["key"], number), "seq": number, "vector": vector}
                for number, vector in enumerate(others, 1)
            ]
        return pa.Table.from_pylist(written, schema=rows.schema(self.settings["dimension"]))

    def _commit(self, table: pa.Table, replaced: str) -> None:
        """Write rows and drop those others that a condition names, in one step."""
        with _mapped(self.folder):
            merge = self._table.merge_insert("key").when_matched_update_all().when_not_matched_insert_all()
            merge.when_not_matched_by_source_delete(replaced).execute(table)
        self._after_commit()

    def _after_commit(self) -> None:
        self._refresh()
        self._commits += 1
        if self._commits >= COMMITS_BETWEEN_UPKEEP or not self._has_index("terms"):
            self.maintain()

    def maintain(self) -> None:
        """Build and refresh indexes, merge small files, and drop old versions."""
        with _mapped(self.folder):
            table, count = self._table, self._table.count_rows()
            if count:
                self._build_indexes(count)
                table.optimize.compact_files()
                table.optimize.optimize_indices()
                table.cleanup_old_versions(older_than=KEEP_VERSIONS)
        self._commits = 0
        self._refresh()

    def _build_indexes(self, count: int) -> None:
        table = self._table
        for column in _KEY_COLUMNS:
            if not self._has_index(column):
                table.create_scalar_index(column, index_type="BTREE")
        for column in _TERM_COLUMNS:
            if not self._has_index(column):
                table.create_scalar_index(
                    column, index_type="INVERTED", base_tokenizer="whitespace", with_position=False, stem=False,
                    lower_case=False, remove_stop_words=False, ascii_folding=False, max_token_length=None,
                )  # fmt: skip
        if count >= ROWS_BEFORE_VECTOR_INDEX and not self._has_index("vector"):
            partitions = max(1, count // ROWS_PER_PARTITION)
            table.create_index("vector", index_type="IVF_FLAT", metric="dot", num_partitions=partitions)

    def _has_index(self, column: str) -> bool:
        return any(column in index.field_names for index in self._table.describe_indices())

    def _refresh(self) -> None:
        self._table = _open_table(self.folder)

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
        return [rows.to_chunk(row) for row in self._by_key(rows.CHUNK, ids)]

    def subsections(self, parent_ids: Sequence[str]) -> list[StoredSection]:
        """Return the sections directly below these, in order."""
        return [rows.to_section(row) for row in self._below(rows.SECTION, parent_ids)]

    def section_chunks(self, section_ids: Sequence[str]) -> list[Chunk]:
        """Return the chunks whose section is one of these, in order."""
        return [rows.to_chunk(row) for row in self._below(rows.CHUNK, section_ids)]

    def counts(self) -> StoreCounts:
        """Return how much there is."""
        kinds = (f"kind = {quote(kind)}" for kind in (rows.DOCUMENT, rows.SECTION, rows.CHUNK))
        with _mapped(self.folder):
            return StoreCounts(*map(self._table.count_rows, (*kinds, PENDING)))

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
        with _mapped(self.folder):
            scanner = self._table.scanner(columns=list(columns), filter=condition, limit=limit)
            return list(scanner.to_table().to_pylist())

    # ------------------------------------------------------------------ searching

    def search_dense(self, vector: Vectors, limit: int, filter: Filter) -> list[Found]:
        """Return the nearest chunks, best first."""
        if vector.shape[-1] != self.settings["dimension"]:
            raise StoreError(
                f"{self.folder}: vectors here have {self.settings['dimension']} numbers, not {vector.shape[-1]}"
            )
        nearest: dict[str, Any] = {"column": "vector", "q": vector.reshape(-1), "k": limit, "metric": "dot"}
        if self._has_index("vector"):
            nearest["nprobes"] = self._probes()
        with _mapped(self.folder):
            scanner = self._table.scanner(
                columns=["key", "_distance"], nearest=nearest, filter=to_sql(filter) or None, prefilter=True
            )
            found = scanner.to_table().to_pylist()
        best: dict[str, float] = {}
        for row in found:
            chunk_id = rows.chunk_id_of(row["key"])
            best[chunk_id] = max(best.get(chunk_id, -2.0), 1.0 - row["_distance"])
        return _ranked(best, limit)

    def _probes(self) -> int:
        partitions = max(1, self._table.count_rows() // ROWS_PER_PARTITION)
        return max(10, int(partitions * PROBED_SHARE))

    def search_lexical(self, words: Sequence[str], limit: int, filter: Filter) -> list[Found]:
        """Return the chunks in which the words weigh most, best first."""
        from lance.query import MultiMatchQuery

        if not words or not self._has_index("terms"):
            return []
        query = MultiMatchQuery(" ".join(words), list(_TERM_COLUMNS), boosts=[1.0, HEADING_WEIGHT])
        with _mapped(self.folder):
            scanner = self._table.scanner(
                columns=["key", "_score"], full_text_query=query, limit=limit, filter=to_sql(filter) or None,
                prefilter=True,
            )  # fmt: skip
            found = scanner.to_table().to_pylist()
        return _ranked({row["key"]: row["_score"] for row in found}, limit)


def _ranked(scores: Mapping[str, float], limit: int) -> list[Found]:
    """Equal scores are told apart by the chunk's id, so that the same question has the same answer."""
    ranked = sorted(scores.items(), key=lambda each: (-each[1], each[0]))
    return [Found(chunk_id, score) for chunk_id, score in ranked[:limit]]


def _batches(values: Sequence[str]) -> Iterator[Sequence[str]]:
    for at in range(0, len(values), BATCH):
        yield values[at : at + BATCH]


# ---------------------------------------------------------------------- files


def _create(folder: Path, settings: Mapping[str, Any]) -> None:
    """Make an empty index; the settings come last, so that there is an index once they are there."""
    lance = _import_lance()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _mapped(folder):
            lance.write_dataset([], str(folder / TABLE), schema=rows.schema(settings["dimension"]), mode="overwrite")
        draft = folder / f"{SETTINGS_FILE}.{os.getpid()}"
        draft.write_text(json.dumps({**settings, "schema_version": SCHEMA_VERSION}, indent=2), encoding="utf-8")
        os.replace(draft, folder / SETTINGS_FILE)
    except OSError as error:
        raise StoreError(f"{folder}: {error.strerror or error}") from error


def _read_settings(folder: Path) -> Mapping[str, Any]:
    path = folder / SETTINGS_FILE
    try:
        settings = json.loads(path.read_text(encoding="utf-8"))
        version = settings["schema_version"]
    except FileNotFoundError as error:
        raise IndexNotFound(f"{folder}: there is no index here; make one with: crosshead index PATH") from error
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise CorruptIndex(f"{path}: damaged; remove the folder and index again") from error
    if version > SCHEMA_VERSION:
        raise MigrationRequired(
            f"{folder}: written by a newer version of Crosshead; update it: pip install -U crosshead"
        )
    return dict(settings)


def _open_table(folder: Path) -> Any:
    lance = _import_lance()
    with _mapped(folder):
        return lance.dataset(str(folder / TABLE))


def _import_lance() -> Any:
    os.environ.setdefault("LANCE_LOG", "error")  # it tells of ordinary things too
    try:
        import lance
    except ImportError as error:
        raise MissingExtra("index", "An index") from error
    return lance


@contextmanager
def _mapped(folder: Path) -> Iterator[None]:
    """Lance raises OSError and ValueError for everything."""
    try:
        yield
    except CrossheadError:  # an error about options is a ValueError too
        raise
    except (OSError, ValueError, RuntimeError) as error:
        first_line = str(error).partition("\n")[0][:300]
        raise StoreError(f"{folder}: the index could not be read or written: {first_line}") from error
