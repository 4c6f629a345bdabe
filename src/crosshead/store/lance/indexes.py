"""The indexes of the table, and the upkeep that commits make necessary.

Without an index a query reads all vectors from disk. IVF keeps them in partitions by their neighborhood. There is one
partition for a while, so that a query is exact; later it looks into the nearest ones: 3 in 10 at 100,000 chunks,
1 in 8 at 500,000. Quantized vectors were no quicker at equal recall, and graphs took 15 times as long to
build.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from math import ceil, sqrt
from typing import Any, Final

from crosshead.runtime.scratch import native_scratch_folder
from crosshead.store.lance.memory import free_memory
from crosshead.types import IndexVectors

KEY_COLUMNS: Final = ("key", "document_id", "section_id", "text_hash", "source")
LIST_COLUMNS: Final = ("titles", "tags")
TERM_COLUMNS: Final = ("terms", "heading_terms")
LOOKED_UP: Final = (*KEY_COLUMNS, *LIST_COLUMNS, *TERM_COLUMNS)
KEEP_VERSIONS: Final = timedelta(seconds=3)
"""Readers that began before a commit may still need the version before it."""
ROWS_PER_FILE: Final = 65_536
"""A file with so many rows is not merged with others any more; else every upkeep would write all rows again."""
MOST_FILES: Final = 100
"""Files that commits may leave before they are merged in the midst of a work."""
FEW_FILES: Final = 16
"""Files that are not worth merging: all indexes have to be told where their rows are afterwards."""
GONE_SHARE: Final = 0.05
"""Share of the rows that may be deleted, but still in files and indexes, where their words go on counting."""
ROWS_OUTSIDE: Final = 5_000
"""Rows that may be outside of the indexes in the midst of a work; searches look at each of them."""
PART_RATIO: Final = 2
ROWS_BEFORE_PARTITIONS: Final = 20_000
ROWS_PER_PARTITION: Final = 1_000
VECTORS_FOR_A_CLUSTER: Final = 1_000_000
"""From here on it pays off to have them indexed by several machines, if there are any."""
LARGEST_REST: Final = 0.03
"""Share of the rows that may be outside the vector index; they are compared one by one."""
PROBES_PER_ROOT: Final = 2.5
"""Partitions that are looked into grow with the square root of all."""


def maintain(table: Any, *, thoroughly: bool = False, elsewhere: IndexVectors | None = None) -> None:
    """Build and refresh indexes, merge many small files, and drop old versions: at once what each step leaves behind.

    `thoroughly` merges all that can be merged. Very many vectors may be indexed `elsewhere`.
    """
    _tidy_up(table)
    if not table.count_rows():
        return
    if thoroughly or _has_many_files(table):
        table.optimize.compact_files(target_rows_per_fragment=ROWS_PER_FILE)
        _tidy_up(table)
    _make_indexes(table)
    _divide_vectors(table, elsewhere)
    _tidy_up(table)
    index_rows(table, thoroughly=thoroughly)


def is_due(table: Any) -> bool:
    """Return whether commits have left so many small files that merging them cannot wait."""
    return _small_files(table) > MOST_FILES


def index_rows(table: Any, *, thoroughly: bool = False) -> None:
    """Take the rows that came since into the indexes.

    They become a part of each index by themselves, joined with later parts that are not much larger: so parts remain
    few, and no row is indexed again more often than the table doubles.
    """
    parts = table.stats.index_stats("key_idx")["num_indexed_rows_per_delta"]
    joined = len(parts) if thoroughly else _parts_to_join(parts, rows_outside(table))
    # Lance would join partitions of the vector index until a query has to look into all of them.
    names = [f"{column}_idx" for column in LOOKED_UP]
    table.optimize.optimize_indices(index_names=names, num_indices_to_merge=joined)
    _tidy_up(table)


def _parts_to_join(parts: Sequence[int], rows: int) -> int:
    """Return how many of the last parts of an index are not much larger than all that comes behind them."""
    joined = 0
    for size in reversed(parts):
        if size > PART_RATIO * rows:
            break
        rows += size
        joined += 1
    return joined


def _has_many_files(table: Any) -> bool:
    gone = table.stats.dataset_stats()["num_deleted_rows"]
    return _small_files(table) > FEW_FILES or gone > GONE_SHARE * table.count_rows()


def _small_files(table: Any) -> int:
    files: int = table.stats.dataset_stats()["num_fragments"] - table.count_rows() // ROWS_PER_FILE
    return files


def rows_outside(table: Any) -> int:
    """Return how many rows came since the indexes were refreshed."""
    rows: int = table.count_rows()
    return rows - _rows_indexed(table, "key")


def _tidy_up(table: Any) -> None:
    """Free the space of versions that no reader needs any more, and the memory that a step has left."""
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


def _divide_vectors(table: Any, elsewhere: IndexVectors | None) -> None:
    """Divide all vectors anew when too many have come since."""
    vectors, count = table.count_rows("vector IS NOT NULL"), table.count_rows()
    if vectors and count - _rows_indexed(table, "vector") > LARGEST_REST * count:
        partitions = vectors // ROWS_PER_PARTITION if vectors >= ROWS_BEFORE_PARTITIONS else 1
        how = {"column": "vector", "index_type": "IVF_FLAT", "metric": "dot", "num_partitions": partitions}
        there = {**how, "storage_options": table.latest_storage_options()}
        if elsewhere and vectors >= VECTORS_FOR_A_CLUSTER and elsewhere(table.uri, there):
            table.checkout_latest()
        else:
            with native_scratch_folder():  # for copies of all vectors
                table.create_index(**how, replace=True)


def _rows_indexed(table: Any, column: str) -> int:
    return sum(index.num_rows_indexed for index in table.describe_indices() if column in index.field_names)


def are_made(table: Any) -> bool:
    """Return whether every column that is looked up has its index; they are made with the first rows."""
    return _indexed_columns(table).issuperset(LOOKED_UP)


def has_index(table: Any, column: str) -> bool:
    """Return whether a column has an index."""
    return column in _indexed_columns(table)


def _indexed_columns(table: Any) -> set[str]:
    return {name for index in table.describe_indices() for name in index.field_names}


def probing(table: Any) -> dict[str, int]:
    """Return how thoroughly the vector index, if there is one, is to be searched."""
    if not has_index(table, "vector"):
        return {}
    return {"nprobes": ceil(PROBES_PER_ROOT * sqrt(table.count_rows() / ROWS_PER_PARTITION))}
