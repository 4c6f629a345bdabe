"""What `crosshead db status` shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from crosshead.store.postgres.database.connection import connect, public_url, translate_errors
from crosshead.store.postgres.database.revisions import HEAD, current_revision
from crosshead.store.postgres.legacy.layout import is_unfinished
from crosshead.store.postgres.legacy.migrate import RowNotes, read_left_alone
from crosshead.store.postgres.legacy.odd_rows import read_odd_rows

if TYPE_CHECKING:
    import psycopg

SAMPLES: Final = 3

_COUNTS: Final = """
SELECT (SELECT count(*) FROM works), count(*) FILTER (WHERE level ~ '^H[1-6]$'),
    count(*) FILTER (WHERE COALESCE(level !~ '^H[1-6]$', true))
FROM chunks
"""
_VECTORS: Final = "SELECT COALESCE(vector_status, 'none'), count(*) FROM chunks GROUP BY 1 ORDER BY 1"
_BREADCRUMBS: Final = "SELECT count(*) FROM chunks WHERE heading_breadcrumbs IS NOT NULL"
_SAMPLES: Final = f"""
SELECT id, heading_breadcrumbs, COALESCE(left(content, 80), '') FROM chunks WHERE heading_breadcrumbs IS NOT NULL
ORDER BY id LIMIT {SAMPLES}
"""


@dataclass(frozen=True, slots=True)
class DatabaseStatus:
    """What to know about a database before and after a migration."""

    place: str
    server: str
    pgvector: str | None
    """None while the extension is not created in the database."""
    revision: str | None
    """None for an empty database."""
    head: str
    """The revision that the program needs."""
    unfinished: bool
    """An upgrade or downgrade was interrupted."""
    works: int = 0
    sections: int = 0
    chunks: int = 0
    breadcrumbs: int | None = None
    """Rows with a breadcrumb; None before the revision that moves them."""
    vectors: Mapping[str, int] | None = None
    """Rows by their vector status."""
    left_alone: RowNotes = ()
    """Rows whose breadcrumb was not moved, with the reason."""
    odd_rows: RowNotes = ()
    """Rows that break the rules of the layout, with what becomes of them."""
    samples: tuple[tuple[int, str, str], ...] = ()
    """Some rows with a breadcrumb: id, breadcrumb, beginning of the content."""


def read_status(url: str) -> DatabaseStatus:
    """Return what is in a database."""
    with connect(url) as connection, translate_errors(url):
        row = connection.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'").fetchone()
        revision = current_revision(connection, url)
        return DatabaseStatus(
            place=public_url(url),
            server=connection.info.parameter_status("server_version") or "",
            pgvector=row[0] if row else None,
            revision=revision,
            head=HEAD,
            unfinished=is_unfinished(connection),
            **_contents(connection) if revision else {},
        )


def _contents(connection: psycopg.Connection[Any]) -> dict[str, Any]:
    works, sections, chunks = connection.execute(_COUNTS).fetchone() or (0, 0, 0)
    contents = {
        "works": works,
        "sections": sections,
        "chunks": chunks,
        "vectors": dict(connection.execute(_VECTORS).fetchall()),
        "odd_rows": read_odd_rows(connection),
    }
    if not _has_breadcrumbs(connection):
        return contents
    counted = connection.execute(_BREADCRUMBS).fetchone() or (0,)
    return {
        **contents,
        "breadcrumbs": counted[0],
        "left_alone": read_left_alone(connection),
        "samples": tuple(connection.execute(_SAMPLES).fetchall()),
    }


def _has_breadcrumbs(connection: psycopg.Connection[Any]) -> bool:
    query = "SELECT FROM pg_attribute WHERE attrelid = 'chunks'::regclass AND attname = 'heading_breadcrumbs'"
    return connection.execute(f"{query} AND NOT attisdropped").fetchone() is not None
