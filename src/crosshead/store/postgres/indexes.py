"""The vector indexes and statistics of the tables, and their upkeep.

Without an index a search compares all vectors, which is exact and fast enough for small tables. Larger ones get a graph
(HNSW), which the database updates with every write.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final, NamedTuple

from crosshead.store.postgres.database.catalog import IN_SCHEMA
from crosshead.store.postgres.database.connection import LOCK
from crosshead.store.postgres.database.pool import Connection

VECTOR_TABLES: Final = ("chunks", "windows")
ROWS_BEFORE_GRAPH: Final = 10_000
MOST_NUMBERS: Final = 2_000
MOST_HALF_NUMBERS: Final = 4_000
"""Largest dimensions that pgvector indexes, with full and with half precision."""
LINKS: Final = 8
CARE: Final = 80
"""`m` and `ef_construction`: neighbors that a vector is linked to, and candidates that they are chosen from."""
ROWS_MEASURED: Final = 3_000
"""Rows to sample for the average length."""
MOST_BUILD_MEGABYTES: Final = 2_000
"""Most memory for building a graph; one that does not fit takes much longer."""

GRAPHS: Final = {table: f"{table}_nearest" for table in VECTOR_TABLES}
"""The names of the graphs by their tables."""

_UPKEEP_LOCK: Final = LOCK + 1


class Statistics(NamedTuple):
    """Statistics for ranking by words, and whether there is a graph."""

    chunks: float
    """Number of chunks with words; 0 before the first ANALYZE."""
    shares: Mapping[str, float]
    """Share of these chunks that hold a word, for frequent words."""
    lengths: tuple[float, float]
    """Average lengths of `terms` and `heading_terms` in bytes."""
    has_graph: bool
    """Whether vectors are searched by a graph, which may miss some."""


def read_statistics(connection: Connection) -> Statistics:
    """Return the statistics of the last ANALYZE, and sampled lengths."""
    query = """
        WITH known AS (
            SELECT pg_stats.* FROM pg_class JOIN pg_stats
                ON schemaname = relnamespace::regnamespace::name AND tablename = relname
            WHERE pg_class.oid = 'chunks'::regclass
        )
        SELECT (SELECT reltuples::float8 FROM pg_class WHERE oid = 'chunks'::regclass),
            (SELECT most_common_elems::text::text[] FROM known WHERE attname = 'content_tsvector'),
            (SELECT most_common_elem_freqs FROM known WHERE attname = 'content_tsvector'),
            (SELECT null_frac FROM known WHERE attname = 'terms'),
            to_regclass(%s) IS NOT NULL OR to_regclass(%s) IS NOT NULL
    """
    found = connection.execute(query, list(GRAPHS.values())).fetchone()
    rows, words, shares, without, has_graph = found or (0.0, None, None, None, False)
    rows = rows or 0.0  # none while a change replaces the table
    chunks = max(rows * (1 - without), 0.0) if without is not None else 0.0
    frequent = zip(words or (), shares or (), strict=False) if chunks else ()
    return Statistics(
        chunks=chunks,
        shares={word: share * rows / chunks for word, share in frequent},
        lengths=_measure_lengths(connection, rows),
        has_graph=has_graph,
    )


def _measure_lengths(connection: Connection, rows: float) -> tuple[float, float]:
    """Sample the average lengths: statistics of the database have those of compressed texts only."""
    percent = min(100.0, 100 * ROWS_MEASURED / max(rows, 1.0))
    query = (
        "SELECT avg(octet_length(terms)), avg(octet_length(heading_terms)) FROM chunks TABLESAMPLE SYSTEM (%s::float4)"
    )
    content, headings = connection.execute(query, [percent]).fetchone() or (None, None)
    return float(content or 1), float(headings or 1)


def compared(vector: str, dimension: int) -> str:
    """Return the expression to compare a vector by, which must be that of the graph."""
    is_long = MOST_NUMBERS < dimension <= MOST_HALF_NUMBERS
    return f"({vector}::halfvec({dimension:d}))" if is_long else vector


def maintain(connection: Connection, dimension: int) -> None:
    """Build graphs for many vectors, and refresh the statistics.

    Does nothing unless the user owns the tables, or if another process is doing it.
    """
    with _alone(connection) as is_alone:
        if not is_alone or not _is_owner(connection):
            return
        for table in VECTOR_TABLES if dimension <= MOST_HALF_NUMBERS else ():
            if _needs_graph(connection, table):
                _build_graph(connection, table, dimension)
        connection.execute("SELECT gin_clean_pending_list('chunks_words')")
        connection.execute("ANALYZE works, chunks, windows")


@contextmanager
def _alone(connection: Connection) -> Iterator[bool]:
    keys = f"({_UPKEEP_LOCK}, current_schema()::regnamespace::oid::int)"
    is_alone = connection.execute(f"SELECT pg_try_advisory_lock{keys}").fetchone() == (True,)
    try:
        yield is_alone
    finally:
        if is_alone and not connection.closed:
            connection.execute(f"SELECT pg_advisory_unlock{keys}")


def _is_owner(connection: Connection) -> bool:
    query = "SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = 'chunks'::regclass"
    return connection.execute(query).fetchone() == (True,)


def _needs_graph(connection: Connection, table: str) -> bool:
    """Return whether a table has many vectors and no graph, or an unusable one, left by an interrupted build."""
    query = f"SELECT indisvalid FROM pg_index WHERE indexrelid = {IN_SCHEMA}"
    found = connection.execute(query, [GRAPHS[table]]).fetchone()
    if found:
        return not found[0]
    query = f"SELECT count(*) FROM (SELECT FROM {table} WHERE embedding IS NOT NULL LIMIT %s) AS vectors"
    return connection.execute(query, [ROWS_BEFORE_GRAPH]).fetchone() == (ROWS_BEFORE_GRAPH,)


def _build_graph(connection: Connection, table: str, dimension: int) -> None:
    """Build a graph without blocking writers."""
    graph = GRAPHS[table]
    (count,) = connection.execute(f"SELECT count(embedding) FROM {table}").fetchone() or (0,)
    megabytes = min(MOST_BUILD_MEGABYTES, 64 + count * (4 * dimension + 64 * LINKS) * 3 // 2_000_000)
    (schema,) = connection.execute("SELECT quote_ident(current_schema())").fetchone() or ("",)
    connection.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {schema}.{graph}")
    connection.execute(f"SET maintenance_work_mem = '{megabytes}MB'")
    vector = compared("embedding", dimension)
    operators = "vector_ip_ops" if vector == "embedding" else "halfvec_ip_ops"
    try:
        connection.execute(
            f"CREATE INDEX CONCURRENTLY {graph} ON {table} USING hnsw ({vector} {operators})"
            f" WITH (m = {LINKS}, ef_construction = {CARE})"
        )
    finally:
        if not connection.closed:
            connection.execute("RESET maintenance_work_mem")
