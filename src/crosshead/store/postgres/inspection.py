"""Consistency checks that the keys of the tables do not cover."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from crosshead.store.postgres.database.pool import Connection
from crosshead.store.postgres.indexes import GRAPHS
from crosshead.types import Finding

_REPAIR: Final = "remove their documents with crosshead remove, and index them again"
_FAULTS: Final = (
    (
        "{:,} vectors are of another model: they have more or fewer numbers than the others",
        """SELECT count(*) FROM (SELECT embedding FROM chunks UNION ALL SELECT embedding FROM windows) AS vectors
        WHERE vector_dims(embedding) <> %(dimension)s""",
    ),
    (
        "{:,} chunks have no vector although they should, or have one although they should not",
        "SELECT count(*) FROM chunks WHERE (vector_status = 'vec') <> (embedding IS NOT NULL)",
    ),
    (
        "{:,} rows belong to no document",
        "SELECT count(*) FROM chunks WHERE chunk_id IS NOT NULL AND work_id IS NULL",
    ),
    (
        "{:,} further vectors belong to chunks without a first one",
        "SELECT count(*) FROM windows JOIN chunks ON chunks.id = chunk WHERE chunks.embedding IS NULL",
    ),
)
"""Messages, each with the query that counts such rows."""
_BROKEN_GRAPHS: Final = (
    "SELECT count(*) FROM pg_index WHERE NOT indisvalid AND indexrelid = ANY (%(graphs)s::regclass[])"
)


def inspect_rows(connection: Connection, dimension: int) -> list[Finding]:
    """Return what is wrong with the rows, or slow."""
    return [*_faults(connection, dimension)]


def _faults(connection: Connection, dimension: int) -> Iterator[Finding]:
    for what, query in _FAULTS:
        (count,) = connection.execute(query, {"dimension": dimension}).fetchone() or (0,)
        if count:
            yield Finding(what.format(count), _REPAIR)
    known = [
        each for each in GRAPHS.values() if connection.execute("SELECT to_regclass(%s)", [each]).fetchone() != (None,)
    ]
    if connection.execute(_BROKEN_GRAPHS, {"graphs": known}).fetchone() != (0,):
        yield Finding(
            "a vector index is incomplete, so that a search compares all vectors", "crosshead optimize", is_fault=False
        )
