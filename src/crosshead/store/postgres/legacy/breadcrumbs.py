"""Where the rows of the older layout stand: the breadcrumb that text below a row has.

Only headings and rows with others below them are looked at, each once. Their breadcrumbs go into a temporary table, so
that one statement can compare a batch of rows with them. Headings do not change while breadcrumbs are moved: a run that
goes on after another one finds the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from crosshead.store.postgres.database import Connection
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
    """A row that others may stand below."""

    above: int | None
    title: HeadingRowTitle | None
    """None of a row that is no heading, or has no text."""


class RowContext(NamedTuple):
    """What is known about text below a row."""

    titles: tuple[HeadingRowTitle, ...]
    problem: str | None = None
    """Why its breadcrumb is not known."""


def write_places(connection: Connection) -> None:
    """Make the temporary table."""
    found: dict[int, Parent] = {}
    with connection.transaction(), connection.cursor("parents") as rows:
        for id, above, content in rows.execute(_PARENTS):
            found[id] = Parent(above, None if content is None else read_title(content))
    connection.execute(_TABLE)
    with connection.cursor() as cursor, cursor.copy(_COPY) as copy:
        for id, place in find_places(found):
            copy.write_row((id, breadcrumbs(place.titles), place.problem))
    connection.execute("ANALYZE pg_temp.places")


def find_places(parents: Mapping[int, Parent]) -> Iterator[tuple[int, RowContext]]:
    """Return the place below every row, from the top downwards."""
    places: dict[int, RowContext] = {}
    for id in parents:
        for each in _unknown_above(id, parents, places):
            places[each] = _place_below(each, parents, places)
    yield from places.items()


def _unknown_above(id: int, parents: Mapping[int, Parent], places: dict[int, RowContext]) -> Iterator[int]:
    """Return a row and those above it whose place is not known yet, the outermost first."""
    chain: dict[int, Any] = {}
    at: int | None = id
    while at is not None and at in parents and at not in places:
        if at in chain:
            places |= dict.fromkeys(chain, RowContext((), CIRCLE))
            return
        chain[at] = None
        at = parents[at].above
    yield from reversed(chain)


def _place_below(id: int, parents: Mapping[int, Parent], places: Mapping[int, RowContext]) -> RowContext:
    above, title = parents[id]
    if above is not None and above not in parents:
        return RowContext((), f"the parent {above} of row {id} was never stored")
    outer = places[above] if above is not None else RowContext(())
    return outer if outer.problem or title is None else RowContext((*outer.titles, title))
