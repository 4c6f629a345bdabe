"""Bring the tables to another revision, and say which one they have.

A database of the older layout, which has no version of ours, is taken for revision 0001, also where another program has
moved its breadcrumbs or some of them: 0002 leaves those alone. While `migration_progress` exists, the tables are
between 0001 and 0002: an upgrade then starts from the lower and a downgrade from the upper one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from crosshead.errors import IndexNotFound, MigrationRequired, OptionsError, StoreError
from crosshead.store.postgres.connection import connect, mapped, place, take_lock
from crosshead.store.postgres.legacy.odd_rows import read_odd_rows

if TYPE_CHECKING:
    import psycopg
    from alembic.config import Config

VERSION_TABLE: Final = "crosshead_version"
REVISIONS: Final = ("0001", "0002", "0003", "0004", "0005", "0006", "0007")
HEAD: Final = REVISIONS[-1]
"""The revision that this program works with."""

BATCH_ROWS: Final = 1_000
"""Rows whose breadcrumbs are moved in one commit."""
LOCK_TIMEOUT_SECONDS: Final = 60
"""To wait for a program that has the tables in use."""

_OLDER, _BREADCRUMBS, _INDEX = REVISIONS[:3]
_OLDER_COLUMNS: Final = frozenset(
    ("id", "parent_id", "work_id", "level", "content", "embedding", "start_line", "end_line", "vector_status")
)
_PROGRESS_COLUMNS: Final = frozenset(("revision", "direction", "last_id"))
"""Of a table that may be of another program otherwise."""

_OWN_TABLE: Final = "to_regclass(quote_ident(current_schema()) || '.' || %s)"
"""A later schema of the search path may hold tables of the same name."""


LeftAlone = tuple[tuple[int, str], ...]
"""Rows by their number, each with a reason."""


class Effect(NamedTuple):
    """What moving the breadcrumbs does, or did."""

    rows: int
    moved: int
    reset: int
    """Rows that must be embedded again."""
    left_alone: int
    lookalikes: int = 0
    """Of these, rows that begin with a line like "A > B"."""
    headings: int = 0
    """Of the rows to embed again, headings: they are found with their text, and get no vector."""

    @property
    def is_doubtful(self) -> bool:
        """Were there breadcrumbs, by the look of them, of which none was recognized?"""
        return bool(self.lookalikes) and not self.moved


class Plan(NamedTuple):
    """A way from one revision to another."""

    place: str
    before: str | None
    """None for an empty database."""
    after: str
    breadcrumbs: Effect | None
    """None if the way does not lead past the revision that moves them."""
    obstacles: tuple[str, ...] = ()
    """What makes it fail, and what to do."""
    notes: tuple[str, ...] = ()
    """What to know before, although it does not fail."""


def current_revision(connection: psycopg.Connection[Any], url: str) -> str | None:
    """Return the revision of the tables; None if there are none."""
    recorded = _recorded_revision(connection)
    if recorded:
        return recorded
    if not _exists(connection, "chunks") and not _exists(connection, "works"):
        return None
    if _columns(connection, "chunks") >= _OLDER_COLUMNS and _exists(connection, "works"):
        return _OLDER
    raise StoreError(
        f"{place(url)}: the tables works and chunks here are of another program: use another database, or another "
        "schema with ?options=-csearch_path%3DNAME"
    )


def check_revision(connection: psycopg.Connection[Any], url: str) -> None:
    """Raise an error unless the tables are those that this program works with."""
    revision = current_revision(connection, url)
    if revision is None:
        raise IndexNotFound(f"{place(url)}: there is no index here; make one with: crosshead index PATH --index URL")
    check_not_newer(revision, url)
    if revision != HEAD or is_unfinished(connection):
        raise MigrationRequired(
            f"{place(url)}: the tables have revision {revision}, this program needs {HEAD}: back up the database, then "
            "run: crosshead db upgrade --index URL"
        )


def check_not_newer(revision: str | None, url: str) -> None:
    """Raise an error if a later version of the program made the tables."""
    if revision is not None and revision not in REVISIONS:
        raise MigrationRequired(
            f"{place(url)}: written by a newer version of Crosshead (revision {revision}); update it: "
            "pip install -U crosshead"
        )


def is_unfinished(connection: psycopg.Connection[Any]) -> bool:
    """Return whether an upgrade or downgrade was interrupted."""
    return _columns(connection, "migration_progress") >= _PROGRESS_COLUMNS


def read_left_alone(connection: psycopg.Connection[Any]) -> LeftAlone:
    """Return the rows whose breadcrumb was not moved, and why."""
    if not _exists(connection, "left_alone"):
        return ()
    return tuple(connection.execute("SELECT id, reason FROM left_alone ORDER BY id").fetchall())


def left_alone(url: str) -> LeftAlone:
    """Return the rows whose breadcrumb an upgrade did not move, and why."""
    with connect(url) as connection, mapped(url):
        return read_left_alone(connection)


def odd_rows(url: str) -> LeftAlone:
    """Return the rows that are not what the older layout promises, and what becomes of them."""
    with connect(url) as connection, mapped(url):
        return read_odd_rows(connection) if _exists(connection, "chunks") else ()


def plan(url: str, to: str | None = None, *, down: bool = False) -> Plan:
    """Return what `upgrade` or `downgrade` would do; nothing is changed."""
    with connect(url) as connection, mapped(url):
        before, after = _way(connection, url, to, down=down)
        low, high = sorted((before or _BREADCRUMBS, after))  # an empty database has no breadcrumbs to move
        passed = low < _BREADCRUMBS <= high
        obstacles = _find_obstacles(connection, before, after, down=down)
        effect = _foresee_despite(connection, obstacles, down=down) if passed else None
        return Plan(place(url), before, after, effect, obstacles, _find_notes(connection, before, after))


def upgrade(url: str, to: str | None = None) -> Plan:
    """Apply revisions up to one, by default the newest; return what was done."""
    return _migrate(url, to, down=False)


def downgrade(url: str, to: str | None = None) -> Plan:
    """Take revisions back down to one, by default the previous; return what was done."""
    return _migrate(url, to, down=True)


def _way(connection: psycopg.Connection[Any], url: str, to: str | None, *, down: bool) -> tuple[str | None, str]:
    """Return the revisions to start from and to end with."""
    before = current_revision(connection, url)
    check_not_newer(before, url)
    if down and before is None:
        raise IndexNotFound(f"{place(url)}: there is no index here")
    if is_unfinished(connection):
        before = _BREADCRUMBS if down else _OLDER
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
    wanted = to.zfill(len(HEAD))
    if wanted not in REVISIONS:
        raise OptionsError(f"there is no revision {to!r}: use one of {', '.join(REVISIONS)}")
    if before and (wanted > before if down else wanted < before):
        other = "upgrade" if down else "downgrade"
        raise OptionsError(f"the tables have revision {before}: {wanted} is reached with crosshead db {other}")
    return wanted


def _foresee_despite(connection: psycopg.Connection[Any], obstacles: tuple[str, ...], *, down: bool) -> Effect | None:
    """Return what would be done; None where that cannot be seen because of what is in the way."""
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
    with connect(url) as connection, mapped(url):
        from alembic import command

        take_lock(connection, url)
        before, after = _way(connection, url, to, down=down)
        obstacles = _find_obstacles(connection, before, after, down=down)
        if obstacles:
            raise StoreError(f"{place(url)}: nothing was changed: {'; '.join(obstacles)}")
        recorded = _recorded_revision(connection)
        with _alembic(connection) as config:
            if recorded != before:
                command.stamp(config, before or "base", purge=True)
            (command.downgrade if down else command.upgrade)(config, after)
            return Plan(place(url), before, after, _effect(config.attributes) if before else None)


def _effect(told: Mapping[Any, Any]) -> Effect | None:
    """Return what the revisions told of."""
    moved: Effect | None = told.get("breadcrumbs")
    return moved and moved._replace(reset=moved.reset + told.get("vectors_dropped", 0))


@contextmanager
def _alembic(connection: psycopg.Connection[Any]) -> Iterator[Config]:
    """Let Alembic work over a connection, with the revisions of this package and no file of settings."""
    from alembic.config import Config
    from sqlalchemy import NullPool, create_engine

    # Statements are short and many, which does not pay for compiling them.
    connection.execute(f"SET statement_timeout = 0; SET lock_timeout = '{LOCK_TIMEOUT_SECONDS}s'; SET jit = off")
    connection.autocommit = False
    engine = create_engine("postgresql+psycopg://", creator=lambda: connection, poolclass=NullPool)
    with engine.connect() as wrapped:
        config = Config(attributes={"connection": wrapped})
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
        yield config


def _recorded_revision(connection: psycopg.Connection[Any]) -> str | None:
    if not _exists(connection, VERSION_TABLE):
        return None
    row = connection.execute(f"SELECT version_num FROM {VERSION_TABLE}").fetchone()
    return str(row[0]) if row else None


def _has_model(connection: psycopg.Connection[Any]) -> bool:
    """Return whether vectors were made here."""
    query = "SELECT EXISTS (SELECT FROM index_settings)"
    return _exists(connection, "index_settings") and connection.execute(query).fetchone() == (True,)


def _columns(connection: psycopg.Connection[Any], table: str) -> set[str]:
    query = f"SELECT attname FROM pg_attribute WHERE attrelid = {_OWN_TABLE} AND NOT attisdropped"
    return {name for (name,) in connection.execute(query, [table])}


def _exists(connection: psycopg.Connection[Any], table: str) -> bool:
    return connection.execute(f"SELECT {_OWN_TABLE} IS NOT NULL", [table]).fetchone() == (True,)
