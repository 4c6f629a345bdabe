"""The indexes of the table, and their upkeep after commits.

Without an index a query compares all vectors, read from disk or held in memory. Some ten thousand are compared quickly,
and an index would store them a second time. IVF groups neighboring vectors in partitions. Few vectors of many numbers
have one partition, so that a query is exact; with more vectors it searches the nearest partitions: all at 100,000
rows, half at 500,000, because in real texts the nearest vectors are in many. There the index stores 6 bits of each
number, at equal recall: a partition takes some microseconds. Graphs took 15 times as long to build.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from math import ceil, sqrt
from typing import Any, Final

from crosshead.runtime.scratch import native_scratch_folder
from crosshead.store.lance.candidates.small import MOST_NUMBERS
from crosshead.store.lance.candidates.statistics import TERM_COLUMNS
from crosshead.store.lance.compaction import ROWS_PER_FILE, compact, separate
from crosshead.store.lance.memory import free_memory
from crosshead.types import IndexVectors

KEY_COLUMNS: Final = ("key", "document_id", "section_id", "text_hash", "source")
LIST_COLUMNS: Final = ("titles", "tags")
LOOKED_UP: Final = (*KEY_COLUMNS, *LIST_COLUMNS, *TERM_COLUMNS)
KEEP_VERSIONS: Final = timedelta(seconds=3)
"""How long a version stays after the next commit, for readers that began before it."""
MOST_FILES: Final = 200
"""Small files that commits may leave before they are merged during a run."""
FEW_FILES: Final = 16
"""Fewer small files are not worth merging, because all indexes have to be updated afterwards."""
DELETED_SHARE: Final = 0.05
"""Share of deleted rows that may stay in files and indexes, where BM25 still counts their words."""
ROWS_OUTSIDE: Final = 10_000
"""Rows that may be outside the indexes during a run; a search scans them."""
PART_RATIO: Final = 2
ROWS_BEFORE_PARTITIONS: Final = 20_000
ROWS_PER_PARTITION: Final = 1_000
BITS: Final = 6
"""Bits that the index of a large table keeps of each number of a vector."""
NUMBERS_PER_STEP: Final = 8
"""Vectors of a multiple of this many numbers can be kept in fewer bits."""
VECTORS_FOR_A_CLUSTER: Final = 1_000_000
"""From this number on, building the vector index on several machines pays off."""
LARGEST_REST: Final = 0.03
"""Share of rows that may be outside the vector index; a search compares each of them."""
PROBES_PER_ROOT: Final = 10
"""Partitions to search, per square root of the number of partitions."""


def maintain(table: Any, *, thoroughly: bool = False, elsewhere: IndexVectors | None = None) -> None:
    """Build and refresh indexes, merge many small files, and drop old versions after each step.

    At the end only the newest is left; a reader of another one reads again.
    `thoroughly` merges all that can be merged. `elsewhere` may index the vectors if they are very many.
    """
    _tidy_up(table)
    if not table.count_rows():
        return
    if thoroughly:
        separate(table)
        _make_indexes(table)
        index_rows(table, thoroughly=True)  # files with indexed rows are not merged with others
    if thoroughly or _has_many_files(table):
        compact(table)
        _tidy_up(table)
    _make_indexes(table)
    _index_vectors(table, elsewhere)
    _tidy_up(table)
    index_rows(table, thoroughly=thoroughly)
    table.cleanup_old_versions(older_than=timedelta())


def is_due(table: Any) -> bool:
    """Return whether there are too many small files to put off merging them."""
    return _small_files(table) > MOST_FILES


def index_rows(table: Any, *, thoroughly: bool = False) -> None:
    """Add new rows to the indexes.

    They become a new part of each index, joined with the last parts that are not much larger: so there are few parts,
    and a row is indexed again only as often as the table doubles.
    """
    parts = table.stats.index_stats("key_idx")["num_indexed_rows_per_delta"]
    outside = rows_outside(table)
    if not outside and len(parts) == 1:
        return
    joined = len(parts) if thoroughly else _parts_to_join(parts, outside)
    # Lance would join partitions of the vector index until a query has to look into all of them.
    names = [f"{column}_idx" for column in LOOKED_UP]
    table.optimize.optimize_indices(index_names=names, num_indices_to_merge=joined)
    _tidy_up(table)


def _parts_to_join(parts: Sequence[int], rows: int) -> int:
    """Return how many of the last parts of an index are not much larger than all that follows them."""
    joined = 0
    for size in reversed(parts):
        if size > PART_RATIO * rows:
            break
        rows += size
        joined += 1
    return joined


def _has_many_files(table: Any) -> bool:
    deleted = table.stats.dataset_stats()["num_deleted_rows"]
    return _small_files(table) > FEW_FILES or deleted > DELETED_SHARE * table.count_rows()


def _small_files(table: Any) -> int:
    files: int = table.stats.dataset_stats()["num_fragments"] - table.count_rows() // ROWS_PER_FILE
    return files


def rows_outside(table: Any) -> int:
    """Return the number of rows that are not in the indexes yet."""
    rows: int = table.count_rows()
    return rows - _rows_indexed(table, "key")


def _tidy_up(table: Any) -> None:
    """Drop versions that no reader needs any more, and free memory."""
    table.cleanup_old_versions(older_than=KEEP_VERSIONS)
    free_memory()


def _make_indexes(table: Any) -> None:
    there = _indexed_columns(table)
    for column in KEY_COLUMNS:
        if column not in there:
            table.create_scalar_index(column, index_type="BTREE")
    for column in LIST_COLUMNS:
        if column not in there:
            table.create_scalar_index(column, index_type="LABEL_LIST")
    for column in TERM_COLUMNS:
        if column not in there:
            table.create_scalar_index(
                column, index_type="INVERTED", base_tokenizer="whitespace", with_position=False, stem=False,
                lower_case=False, remove_stop_words=False, ascii_folding=False, max_token_length=None,
            )  # fmt: skip


def _index_vectors(table: Any, elsewhere: IndexVectors | None) -> None:
    """Rebuild the vector index if too many rows are outside it."""
    vectors, count = table.count_rows("vector IS NOT NULL"), table.count_rows()
    dimension = table.schema.field("vector").type.list_size
    if vectors * dimension <= MOST_NUMBERS:
        if has_index(table, "vector"):
            table.drop_index("vector_idx")
    elif count - _rows_indexed(table, "vector") > LARGEST_REST * count:
        is_large = vectors >= ROWS_BEFORE_PARTITIONS
        partitions = vectors // ROWS_PER_PARTITION if is_large else 1
        options = {"column": "vector", "index_type": "IVF_FLAT", "metric": "dot", "num_partitions": partitions}
        remote_options = {**options, "storage_options": table.latest_storage_options()}
        if is_large and dimension % NUMBERS_PER_STEP == 0:
            options |= {"index_type": "IVF_RQ", "num_bits": BITS}
        if elsewhere and vectors >= VECTORS_FOR_A_CLUSTER and elsewhere(table.uri, remote_options):
            table.checkout_latest()
        else:
            with native_scratch_folder():  # for copies of all vectors
                table.create_index(**options, replace=True)


def _rows_indexed(table: Any, column: str) -> int:
    return sum(index.num_rows_indexed for index in table.describe_indices() if column in index.field_names)


def count_rows_exactly(table: Any, rows: int) -> bool:
    """Return whether the indexes of words hold all of these rows, and no deleted ones, whose words would count."""
    found = [table.stats.index_stats(f"{column}_idx") for column in TERM_COLUMNS]
    return all(
        each["num_unindexed_rows"] == 0 and sum(part["num_docs"] for part in each["indices"]) == rows for each in found
    )


def are_made(table: Any) -> bool:
    """Return whether every column but that of vectors has its index; they are built with the first rows."""
    return _indexed_columns(table).issuperset(LOOKED_UP)


def has_index(table: Any, column: str) -> bool:
    """Return whether a column has an index."""
    return column in _indexed_columns(table)


def _indexed_columns(table: Any) -> set[str]:
    return {name for index in table.describe_indices() for name in index.field_names}


def probing(table: Any) -> dict[str, int]:
    """Return how many partitions of the vector index to search, as options of a query."""
    if not has_index(table, "vector"):
        return {}
    return {"nprobes": ceil(PROBES_PER_ROOT * sqrt(max(table.count_rows() / ROWS_PER_PARTITION, 1)))}
