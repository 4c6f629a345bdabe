"""The rows of an index in a database -> what is wrong with them, as far as no key of the tables keeps it from them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from crosshead.store.postgres.database import Connection
from crosshead.store.postgres.indexes import GRAPHS
from crosshead.types import Finding

_AGAIN: Final = "crosshead remove their documents, and index them again"
_FAULTS: Final = (
    (
        "{:,} vectors are of another model: they have more or fewer numbers than the others",
        """SELECT count(*) FROM (SELECT embedding FROM chunks UNION ALL SELECT embedding FROM windows) AS vectors
        WHERE vector_dims(embedding) <> %(dimension)s""",
    ),
    (
        "{:,} chunks have no vector though they should, or have one though they should not",
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
"""What it means if a query counts any."""
_BROKEN_GRAPHS: Final = (
    "SELECT count(*) FROM pg_index WHERE NOT indisvalid AND indexrelid = ANY (%(graphs)s::regclass[])"
)


def inspect_rows(connection: Connection, dimension: int) -> list[Finding]:
    """Count what should not be there."""
    return [*_faults(connection, dimension)]


def _faults(connection: Connection, dimension: int) -> Iterator[Finding]:
    for what, query in _FAULTS:
        (count,) = connection.execute(query, {"dimension": dimension}).fetchone() or (0,)
        if count:
            yield Finding(what.format(count), _AGAIN)
    known = [
        each for each in GRAPHS.values() if connection.execute("SELECT to_regclass(%s)", [each]).fetchone() != (None,)
    ]
    if connection.execute(_BROKEN_GRAPHS, {"graphs": known}).fetchone() != (0,):
        yield Finding(
            "an index over vectors is not whole, so that all are compared", "crosshead optimize", is_fault=False
        )
