"""Compute the breadcrumbs that text below each row of the older layout has.

Only headings and rows with children are read, each once. Their breadcrumbs go into a temporary table, so that one
statement can compare a batch of rows with them. Headings do not change while breadcrumbs are moved, so a run that
continues after an interruption computes the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from crosshead.store.postgres.database.pool import Connection
from crosshead.store.postgres.legacy.titles import HeadingRowTitle, breadcrumbs, read_title

CIRCLE = "its parents form a circle"

_PARENTS = """
SELECT id, parent_id, CASE WHEN level ~ '^H[1-6]$' THEN content END FROM chunks
WHERE level ~ '^H[1-6]$' OR id IN (SELECT parent_id FROM chunks)
"""
_TABLE = """
DROP TABLE IF EXISTS pg_temp.places;
CREATE TEMP TABLE places (id INT PRIMARY KEY, breadcrumbs TEXT[] NOT NULL, problem TEXT)
"""
_COPY = "COPY pg_temp.places (id, breadcrumbs, problem) FROM STDIN"


class Parent(NamedTuple):
    """A row that may have children."""

    above: int | None
    title: HeadingRowTitle | None
    """None if the row is not a heading, or has no text."""


class RowContext(NamedTuple):
    """The headings that text below a row has above it."""

    titles: tuple[HeadingRowTitle, ...]
    problem: str | None = None
    """Why its breadcrumb is not known."""


def write_contexts(connection: Connection) -> None:
    """Write the temporary table."""
    found: dict[int, Parent] = {}
    with connection.transaction(), connection.cursor("parents") as rows:
        for id, above, content in rows.execute(_PARENTS):
            found[id] = Parent(above, None if content is None else read_title(content))
    connection.execute(_TABLE)
    with connection.cursor() as cursor, cursor.copy(_COPY) as copy:
        for id, context in find_contexts(found):
            copy.write_row((id, breadcrumbs(context.titles), context.problem))
    connection.execute("ANALYZE pg_temp.places")


def find_contexts(parents: Mapping[int, Parent]) -> Iterator[tuple[int, RowContext]]:
    """Yield the context below every row, from the top down."""
    contexts: dict[int, RowContext] = {}
    for id in parents:
        for each in _unknown_above(id, parents, contexts):
            contexts[each] = _context_below(each, parents, contexts)
    yield from contexts.items()


def _unknown_above(id: int, parents: Mapping[int, Parent], contexts: dict[int, RowContext]) -> Iterator[int]:
    """Yield a row and its ancestors whose context is not known yet, the outermost first."""
    chain: dict[int, Any] = {}
    at: int | None = id
    while at is not None and at in parents and at not in contexts:
        if at in chain:
            contexts |= dict.fromkeys(chain, RowContext((), CIRCLE))
            return
        chain[at] = None
        at = parents[at].above
    yield from reversed(chain)


def _context_below(id: int, parents: Mapping[int, Parent], contexts: Mapping[int, RowContext]) -> RowContext:
    above, title = parents[id]
    if above is not None and above not in parents:
        return RowContext((), f"the parent {above} of row {id} was never stored")
    outer = contexts[above] if above is not None else RowContext(())
    return outer if outer.problem or title is None else RowContext((*outer.titles, title))
