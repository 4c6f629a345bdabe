"""What `crosshead db` does: plan an upgrade or downgrade, carry it out, and report its effect on the rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from crosshead.errors import IndexNotFound, OptionsError, StoreError
from crosshead.store.postgres.database.catalog import has_table
from crosshead.store.postgres.database.connection import connect, public_url, take_lock, translate_errors
from crosshead.store.postgres.database.revisions import (
    HEAD,
    REVISIONS,
    change_revision,
    check_not_newer,
    current_revision,
)
from crosshead.store.postgres.legacy.layout import REVISION, is_unfinished
from crosshead.store.postgres.legacy.odd_rows import read_odd_rows

if TYPE_CHECKING:
    import psycopg

BATCH_ROWS: Final = 1_000
"""Rows whose breadcrumbs are moved in one commit."""
_BREADCRUMBS: Final = "0002"


RowNotes = tuple[tuple[int, str], ...]
"""Numbers of rows, each with what is to be known about it."""


class Effect(NamedTuple):
    """What moving the breadcrumbs does, or did."""

    rows: int
    moved: int
    reset: int
    """Rows that must be embedded again."""
    left_alone: int
    lookalikes: int = 0
    """Rows left alone that begin with a line like "A > B"."""
    headings: int = 0
    """Rows reset that are headings: they are found with their text, and get no vector."""

    @property
    def is_doubtful(self) -> bool:
        """Return whether rows look as if they had breadcrumbs, but none was recognized."""
        return bool(self.lookalikes) and not self.moved


class Plan(NamedTuple):
    """A migration from one revision to another."""

    place: str
    before: str | None
    """None for an empty database."""
    after: str
    breadcrumbs: Effect | None
    """None if the migration does not move breadcrumbs."""
    obstacles: tuple[str, ...] = ()
    """What makes it fail, and what to do about it."""
    notes: tuple[str, ...] = ()
    """What to know before; it does not make it fail."""


def read_left_alone(connection: psycopg.Connection[Any]) -> RowNotes:
    """Return the rows whose breadcrumb was not moved, with the reason."""
    if not has_table(connection, "left_alone"):
        return ()
    return tuple(connection.execute("SELECT id, reason FROM left_alone ORDER BY id").fetchall())


def left_alone(url: str) -> RowNotes:
    """Return the rows whose breadcrumb an upgrade did not move, with the reason."""
    with connect(url) as connection, translate_errors(url):
        return read_left_alone(connection)


def odd_rows(url: str) -> RowNotes:
    """Return the rows that break the rules of the layout, with what becomes of them."""
    with connect(url) as connection, translate_errors(url):
        return read_odd_rows(connection) if has_table(connection, "chunks") else ()


def plan(url: str, to: str | None = None, *, down: bool = False) -> Plan:
    """Return what `upgrade` or `downgrade` would do, without changing anything."""
    with connect(url) as connection, translate_errors(url):
        before, after = _route(connection, url, to, down=down)
        low, high = sorted((before or _BREADCRUMBS, after))  # an empty database has no breadcrumbs to move
        passed = low < _BREADCRUMBS <= high
        obstacles = _find_obstacles(connection, before, after, down=down)
        effect = _foresee_despite(connection, obstacles, down=down) if passed else None
        return Plan(public_url(url), before, after, effect, obstacles, _find_notes(connection, before, after))


def upgrade(url: str, to: str | None = None) -> Plan:
    """Apply revisions up to one, by default the newest; return what was done."""
    return _migrate(url, to, down=False)


def downgrade(url: str, to: str | None = None) -> Plan:
    """Take revisions back down to one, by default the previous; return what was done."""
    return _migrate(url, to, down=True)


def _route(connection: psycopg.Connection[Any], url: str, to: str | None, *, down: bool) -> tuple[str | None, str]:
    """Return the revisions to start from and to end with."""
    before = current_revision(connection, url)
    check_not_newer(before, url)
    if down and before is None:
        raise IndexNotFound(f"{public_url(url)}: there is no index here")
    if is_unfinished(connection):
        before = _BREADCRUMBS if down else REVISION
    return before, _target(before, to, down=down)


def _find_obstacles(
    connection: psycopg.Connection[Any], before: str | None, after: str, *, down: bool
) -> tuple[str, ...]:
    from crosshead.store.postgres.legacy import obstacles

    if down:
        return tuple(obstacles.of_downgrade(connection, str(before), after))
    if before is None or before == after:
        return ()
    return tuple(obstacles.of_upgrade(connection, before, after, is_unfinished=is_unfinished(connection)))


def _find_notes(connection: psycopg.Connection[Any], before: str | None, after: str) -> tuple[str, ...]:
    from crosshead.store.postgres.legacy import obstacles

    return tuple(obstacles.find_triggers_that_fire(connection, before, after)) if before else ()


def _target(before: str | None, to: str | None, *, down: bool) -> str:
    number = REVISIONS.index(before) if before else -1
    if to is None:
        return REVISIONS[max(number - 1, 0)] if down else HEAD
    target = to.zfill(len(HEAD))
    if target not in REVISIONS:
        raise OptionsError(f"there is no revision {to!r}: use one of {', '.join(REVISIONS)}")
    if before and (target > before if down else target < before):
        other = "upgrade" if down else "downgrade"
        raise OptionsError(f"the tables have revision {before}: {target} is reached with crosshead db {other}")
    return target


def _foresee_despite(connection: psycopg.Connection[Any], obstacles: tuple[str, ...], *, down: bool) -> Effect | None:
    """Return the effect of a migration; None if an obstacle keeps it from being seen."""
    from psycopg import Error

    try:
        return _foresee(connection, down=down)
    except Error:
        if not obstacles:
            raise
        return None


def _foresee(connection: psycopg.Connection[Any], *, down: bool) -> Effect:
    from crosshead.store.postgres.migrations.versions import r0002_breadcrumbs as breadcrumbs
    from crosshead.store.postgres.migrations.versions import r0003_index as index

    if not down:
        return breadcrumbs.preview(connection, is_unfinished=is_unfinished(connection))
    query = breadcrumbs.PREVIEW_DOWN_ALL_VECTORS if _has_model(connection) else breadcrumbs.PREVIEW_DOWN
    effect = Effect(*connection.execute(query).fetchone() or (0, 0, 0, 0))
    return effect._replace(reset=effect.reset + index.count_headings(connection))


def _migrate(url: str, to: str | None, *, down: bool) -> Plan:
    with connect(url) as connection, translate_errors(url):
        take_lock(connection, url)
        before, after = _route(connection, url, to, down=down)
        obstacles = _find_obstacles(connection, before, after, down=down)
        if obstacles:
            raise StoreError(f"{public_url(url)}: nothing was changed: {'; '.join(obstacles)}")
        report = change_revision(connection, before, after)
        return Plan(public_url(url), before, after, _effect(report) if before else None)


def _effect(report: Mapping[Any, Any]) -> Effect | None:
    moved: Effect | None = report.get("breadcrumbs")
    return moved and moved._replace(reset=moved.reset + report.get("vectors_dropped", 0))


def _has_model(connection: psycopg.Connection[Any]) -> bool:
    """Return whether Crosshead has embedded rows."""
    query = "SELECT EXISTS (SELECT FROM index_settings)"
    return has_table(connection, "index_settings") and connection.execute(query).fetchone() == (True,)
