"""One version of the table, with caches of what was read from it.

Reading single rows costs most in a search, because every row is unpacked with its neighbors. So a search works with row
ids, which are valid for one version; keys are read once for all rows, and texts only for the hits. The next version
takes over the keys of the fragments that both have, and the chunks that were read: rows of a fragment never change, and
no search finds deleted ones.

The words and vectors of a small table are held in memory once it was searched so often that reading them pays off.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from crosshead.ids import encodable
from crosshead.store.lance import indexes
from crosshead.store.lance.cache import RowCache
from crosshead.store.lance.candidates.filters import distinct, one_of, quote, to_sql
from crosshead.store.lance.candidates.small import MOST_CHUNKS, MOST_NUMBERS, FilteredRows, VectorMatrix
from crosshead.store.lance.candidates.statistics import TEXT
from crosshead.store.lance.candidates.words import TableWords
from crosshead.store.lance.rows import CHUNK, DOCUMENT, to_chunk
from crosshead.store.tags import tagged_language
from crosshead.types import Chunk, Filter, StoredDocument, StoredSection, Vectors

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

MOST_ROW_IDS: Final = 100_000
MOST_FILTERS: Final = 10
MOST_CHECKS: Final = 100
"""Entries that a cache holds before it is emptied."""
CHUNK_BYTES: Final = 16 << 20
SECTION_BYTES: Final = 4 << 20
TOKEN_BYTES: Final = 16 << 20
DOCUMENT_BYTES: Final = 8 << 20
"""What chunks, sections, token vectors and documents that were read may take in memory."""
FIELD_BYTES: Final = 2_000
"""What a chunk, a section or a document takes besides its text, at most."""
MARK_BYTES: Final = 120
"""What a mark takes that says which line of the file a line of the text is."""
CHUNKS_PER_SEARCH: Final = 100
"""Chunks whose words are read into memory in the time that this saves in one search."""
NUMBERS_PER_SEARCH: Final = 500_000
"""Numbers of vectors, likewise."""

_values_of = attrgetter(*(each.name for each in fields(Filter)))

FragmentKeys: TypeAlias = "dict[int, tuple[NDArray[np.uint64], pa.Array]]"
"""Row ids and keys by fragment; the id of a fragment is the upper half of its row ids."""


class TableVersion:
    """A version of the table, which is read-only."""

    def __init__(self, table: Any, before: TableVersion | None = None) -> None:
        self.table = table
        self._fragments: FragmentKeys = before._fragments if before else {}
        self._row_ids: dict[str, int] = {}
        self._row_ids_of_texts: dict[str, int] = {}
        self._values: dict[str, pa.Array] = {}
        self.words = TableWords(self)
        self._conditions: dict[str, str] = {}
        self._has_chunks: dict[str, bool] = {}
        self._filtered = FilteredRows(self._row_ids_of)
        self._lookups: dict[tuple[str, str], dict[str, list[int]]] = {}
        self._searches = 0
        self._chunks: RowCache[int, Chunk] = (
            before._chunks if before else RowCache(CHUNK_BYTES, lambda chunk: FIELD_BYTES + len(chunk.content))
        )
        self.subsections: RowCache[str, list[StoredSection]] = RowCache(
            SECTION_BYTES, lambda sections: FIELD_BYTES * (1 + len(sections))
        )
        """The direct subsections of sections."""
        self.token_vectors: RowCache[str, tuple[bytes, ...]] = RowCache(
            TOKEN_BYTES, lambda parts: FIELD_BYTES + sum(map(len, parts))
        )
        """Token vectors by the hash of their text; empty for a text that has none."""
        self.documents: RowCache[str, StoredDocument] = RowCache(
            DOCUMENT_BYTES, lambda document: FIELD_BYTES + len(document.text) + MARK_BYTES * len(document.lines)
        )

    def scan(self, **query: Any) -> pa.Table:
        """Run a query of Lance."""
        return self.table.scanner(**query).to_table()

    def rows(self, condition: str, columns: Sequence[str], limit: int | None = None) -> list[dict[str, Any]]:
        """Return some columns of the rows that meet a condition."""
        return list(self.scan(columns=list(columns), filter=condition, limit=limit).to_pylist())

    def rows_with(
        self, column: str, values: Sequence[str], condition: str, columns: Sequence[str]
    ) -> list[dict[str, Any]]:
        """Return some columns of the rows that have one of some values in a column, and meet a condition."""
        if not self.is_worth_memory:
            return self.rows(f"{one_of(column, values)} AND {condition}", columns)
        by_value = self._row_ids_by(column, condition)
        row_ids = [row_id for value in values for row_id in by_value.get(value, ())]
        return list(self.table._take_rows(row_ids, list(columns)).to_pylist()) if row_ids else []

    def match(self, words: Sequence[str], column: str, condition: str | None, limit: int) -> dict[int, float]:
        """Return the BM25 scores of the rows that hold some words best, by row id, best first."""
        from lance.query import MatchQuery

        return self._search("_score", condition, full_text_query=MatchQuery(" ".join(words), column), limit=limit)

    def nearest(self, vector: Vectors, condition: str | None, count: int) -> dict[int, float]:
        """Return the distances of the rows whose vectors are nearest, by row id, best first."""
        if matrix := self._matrix:
            return matrix.nearest(vector, count, self.mask(matrix.row_ids, condition))
        query = {"column": "vector", "q": vector.reshape(-1), "metric": "dot", "k": count, **self._probing}
        return self._search("_distance", condition, nearest=query)

    def _search(self, score: str, condition: str | None, **query: Any) -> dict[int, float]:
        self._searches += 1
        found = self.scan(columns=["_rowid", score], filter=condition, prefilter=True, **query)
        found = found.drop_null()  # rows outside an index that do not match may have no score
        return dict(zip(found.column("_rowid").to_pylist(), found.column(score).to_pylist(), strict=True))

    def condition(self, filter: Filter) -> str | None:
        """Return a filter in SQL; None if it limits nothing. The steps of a search share it: globs take time."""
        key = repr(_values_of(filter))  # equal values may differ as metadata: 1, 1.0 and True
        if key not in self._conditions:
            if len(self._conditions) > MOST_FILTERS:
                self._conditions.clear()
            self._conditions[key] = to_sql(filter, self.values)
        return self._conditions[key] or None

    def has_chunks(self, condition: str) -> bool:
        """Return whether a chunk meets a condition."""
        if condition not in self._has_chunks:
            if len(self._has_chunks) > MOST_CHECKS:
                self._has_chunks.clear()
            of_chunks = f"kind = {quote(CHUNK)}"  # other rows lack what a condition may deny
            self._has_chunks[condition] = bool(self.table.count_rows(f"{of_chunks} AND ({condition})"))
        return self._has_chunks[condition]

    def keys_at(self, row_ids: Sequence[int]) -> list[str]:
        """Return the keys of rows; `known_chunks` then reads their rows without a lookup."""
        import numpy as np
        import pyarrow as pa

        all_ids, keys = self._keys
        at = np.searchsorted(all_ids, np.array(row_ids, np.uint64)).tolist()  # of an array, Arrow would import numpy.ma
        found: list[str] = keys.take(pa.array(at, pa.int64())).to_pylist()
        if len(self._row_ids) > MOST_ROW_IDS:
            self._row_ids.clear()
        self._row_ids.update(zip(found, row_ids, strict=True))
        return found

    def known_chunks(self, keys: Sequence[str]) -> dict[str, Chunk]:
        """Return those chunks whose keys `keys_at` returned before."""
        row_ids = {key: self._row_ids[key] for key in keys if key in self._row_ids}
        chunks = self._chunks.read(row_ids.values(), self._read_chunks)
        return {key: chunks[row_id] for key, row_id in row_ids.items() if row_id in chunks}

    def _read_chunks(self, row_ids: list[int]) -> dict[int, Chunk]:
        # The public way, a condition on `_rowid`, takes twice as long.
        found = self.table._take_rows(row_ids, ["record", "content", "text_hash"]).to_pylist()
        if len(self._row_ids_of_texts) > MOST_ROW_IDS:
            self._row_ids_of_texts.clear()
        self._row_ids_of_texts.update(zip((row["text_hash"] for row in found), row_ids, strict=True))
        return dict(zip(row_ids, map(to_chunk, found), strict=True))

    def token_vectors_at(self, text_hashes: Sequence[str]) -> dict[str, tuple[bytes, ...]]:
        """Return the token vectors of those texts whose chunks were read: their rows need no lookup."""
        row_ids = {each: self._row_ids_of_texts[each] for each in text_hashes if each in self._row_ids_of_texts}
        found = self.table._take_rows([*row_ids.values()], ["tokens"]).column("tokens").to_pylist() if row_ids else []
        return {text_hash: tuple(parts) for text_hash, parts in zip(row_ids, found, strict=True) if parts}

    @cached_property
    def texts(self) -> int:
        """The number of chunks that can be found by words."""
        return int(self.table.count_rows(f"{TEXT} IS NOT NULL"))

    @property
    def is_small(self) -> bool:
        """May the words of all chunks be held in memory?"""
        return self.texts <= MOST_CHUNKS

    @cached_property
    def languages(self) -> Counter[str]:
        """The number of documents by language code."""
        found = self.scan(columns=["tags"], filter=f"kind = {quote(DOCUMENT)}").column("tags")
        return Counter(map(tagged_language, found.to_pylist()))

    @cached_property
    def document_ids(self) -> frozenset[str] | None:
        """The ids of all documents; None if the table is large."""
        if not self.is_small:
            return None
        return frozenset(self.scan(columns=["key"], filter=f"kind = {quote(DOCUMENT)}").column("key").to_pylist())

    @cached_property
    def is_indexed(self) -> bool:
        """Does every column but that of vectors have its index?"""
        return indexes.are_made(self.table)

    @cached_property
    def _probing(self) -> dict[str, int]:
        """How many partitions of the vector index a query searches, as options of it."""
        return indexes.probing(self.table)

    # ------------------------------------------------------------------ a small table, in memory

    def lacks_titles(self, titles: Sequence[str]) -> bool:
        """Return whether no section has one of some titles; False if that is not known without a search."""
        return self.is_worth_memory and not any(map(self._has_title, titles))

    def _has_title(self, title: str) -> bool:
        values, title = self.values("titles"), encodable(title).casefold()
        at = bisect_left(range(len(values)), title, key=lambda at: values[at].as_py())
        return at < len(values) and values[at].as_py() == title

    @property
    def is_worth_memory(self) -> bool:
        """Is the table small, and was it searched so often that reading what a search compares pays off?"""
        return (1 + self._searches) * CHUNKS_PER_SEARCH >= self.texts and self.is_small

    def mask(self, row_ids: NDArray[np.uint64], condition: str | None) -> NDArray[np.bool_] | None:
        """Return which of some rows meet a condition; None if there is no condition."""
        return self._filtered.mask(row_ids, condition)

    @property
    def _matrix(self) -> VectorMatrix | None:
        numbers = self.texts * self._dimension  # or more, if chunks have several vectors
        is_worth_memory = (1 + self._searches) * NUMBERS_PER_SEARCH >= numbers and numbers <= MOST_NUMBERS
        return self._whole_matrix if is_worth_memory else None

    @cached_property
    def _whole_matrix(self) -> VectorMatrix | None:
        if self._dimension * self.table.count_rows("vector IS NOT NULL") > MOST_NUMBERS:
            return None
        row_ids, vectors = self._read_column("vector")
        return VectorMatrix(row_ids, vectors.flatten().to_numpy().reshape(-1, self._dimension))

    @cached_property
    def _dimension(self) -> int:
        return int(self.table.schema.field("vector").type.list_size)

    def _row_ids_by(self, column: str, condition: str) -> Mapping[str, Sequence[int]]:
        """Return row ids by the values of a column: a search of Lance takes a millisecond, reading known rows less."""
        if (column, condition) not in self._lookups:
            found = self.scan(columns=["_rowid", column], filter=condition, scan_in_order=True)
            by_value = self._lookups[column, condition] = defaultdict(list)
            for value, row_id in zip(found.column(column).to_pylist(), found.column("_rowid").to_pylist(), strict=True):
                by_value[value].append(row_id)
        return self._lookups[column, condition]

    def _row_ids_of(self, condition: str) -> NDArray[np.uint64]:
        row_ids: NDArray[np.uint64] = self.scan(columns=["_rowid"], filter=condition).column("_rowid").to_numpy()
        return row_ids

    def _read_column(self, column: str) -> tuple[NDArray[np.uint64], pa.Array]:
        """Return the ids of the rows that have a value in a column, and the values."""
        found = self.scan(columns=["_rowid", column], filter=f"{column} IS NOT NULL", scan_in_order=True)
        return found.column("_rowid").to_numpy(), found.column(column).combine_chunks()

    # ------------------------------------------------------------------ values and keys

    def values(self, column: str) -> pa.Array:
        """Return the distinct values of a column, or of the lists in it, in order."""
        if column not in self._values:
            self._values[column] = distinct(self.scan(columns=[column]).column(column))
        return self._values[column]

    @cached_property
    def _keys(self) -> tuple[NDArray[np.uint64], pa.Array]:
        """The ids of all rows in order, and their keys."""
        import numpy as np
        import pyarrow as pa

        there = {fragment.fragment_id: fragment for fragment in self.table.get_fragments()}
        known = {id: keys for id, keys in self._fragments.items() if id in there}
        known |= {id: self._read_keys(fragment) for id, fragment in there.items() if id not in known}
        self._fragments = known
        ordered = [known[id] for id in sorted(known)]
        keys = pa.concat_arrays([keys for _, keys in ordered]) if ordered else pa.array([], pa.string())
        return np.concatenate([np.empty(0, np.uint64), *(row_ids for row_ids, _ in ordered)]), keys

    def _read_keys(self, fragment: Any) -> tuple[NDArray[np.uint64], pa.Array]:
        rows = self.scan(columns=["key"], with_row_id=True, fragments=[fragment], scan_in_order=True)
        return rows.column("_rowid").to_numpy(), rows.column("key").combine_chunks()
