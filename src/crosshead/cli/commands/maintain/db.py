"""crosshead db: revisions of the tables of an index in PostgreSQL."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from crosshead.cli.flags import AsJson
from crosshead.cli.process.program import CHECK_FAILED
from crosshead.cli.terminal.output import print_error, print_warning, write_json
from crosshead.errors import OptionsError
from crosshead.store import POSTGRES, find_kind

if TYPE_CHECKING:
    from crosshead.store.postgres.legacy.migrate import Plan

IndexUrl = Annotated[
    str | None,
    typer.Option(
        "--index",
        metavar="URL",
        envvar="CROSSHEAD_INDEX",
        show_envvar=False,
        help=f"Database URL: {POSTGRES.url}; by default CROSSHEAD_INDEX.",
    ),
]
To = Annotated[str | None, typer.Option("--to", metavar="REVISION", help="Target revision.")]
DryRun = Annotated[
    bool, typer.Option("--dry-run", metavar="", help="Print what would be done, without changing anything.")
]


def db() -> None:
    """Upgrade, downgrade and inspect the tables of an index in PostgreSQL."""


def upgrade(index: IndexUrl = None, to: To = None, dry_run: DryRun = False, as_json: AsJson = False) -> None:
    """Upgrade the tables to the newest revision, or to --to. Back up the database first.

    If interrupted, run the same command again: it continues where it stopped.
    """
    _migrate(index, to, down=False, dry_run=dry_run, as_json=as_json)


def downgrade(index: IndexUrl = None, to: To = None, dry_run: DryRun = False, as_json: AsJson = False) -> None:
    """Downgrade the tables to the previous revision, or to --to.

    Drops what older tables cannot hold: below 0003, sources, metadata and vectors added since.
    """
    _migrate(index, to, down=True, dry_run=dry_run, as_json=as_json)


def status(index: IndexUrl = None, as_json: AsJson = False) -> None:
    """Show the revision of the tables and what they hold."""
    from crosshead.store.postgres.legacy.status import read_status

    found = read_status(_database_url(index))
    if as_json:
        write_json(asdict(found))
    else:
        from crosshead.cli.views.databases import show_status

        show_status(found)


def _migrate(index: str | None, to: str | None, *, down: bool, dry_run: bool, as_json: bool) -> None:
    from crosshead.store.postgres.legacy import migrate

    url = _database_url(index)
    rows: migrate.RowNotes = ()
    if dry_run:
        done = migrate.plan(url, to, down=down)
    else:
        with _progress_shown():
            done = (migrate.downgrade if down else migrate.upgrade)(url, to)
        rows = migrate.left_alone(url) if done.breadcrumbs else ()
    odd = migrate.odd_rows(url) if not down and done.breadcrumbs else ()
    if as_json:
        effect = done.breadcrumbs._asdict() if done.breadcrumbs else None
        report = {**done._asdict(), "breadcrumbs": effect, "left_alone": rows, "odd_rows": odd, "dry_run": dry_run}
        write_json(report)
    else:
        from crosshead.cli.views.databases import show_plan

        show_plan(done, (*rows, *odd), dry_run=dry_run)
    _report_problems(done)


def _report_problems(done: Plan) -> None:
    """Print warnings and obstacles, and exit with 1 if the migration fails or is doubtful."""
    for note in done.notes:
        print_warning(note)
    for obstacle in done.obstacles:
        print_error(f"this would fail: {obstacle}")
    effect = done.breadcrumbs
    if effect and effect.is_doubtful:
        rows = "1 row begins" if effect.lookalikes == 1 else f"{effect.lookalikes:,} rows begin"
        print_error(
            f"no breadcrumb was recognized, but {rows} with a line like one: compare it with the heading rows above; "
            "crosshead db downgrade --to 0001 goes back"
        )
    if done.obstacles or (effect and effect.is_doubtful):
        raise typer.Exit(CHECK_FAILED)


def _database_url(index: str | None) -> str:
    if not index:
        raise OptionsError(f"no database is named: give --index {POSTGRES.url}")
    if find_kind(index) != POSTGRES:
        raise OptionsError("--index must be the URL of a database: an index in a folder has no revisions")
    return index


@contextmanager
def _progress_shown() -> Iterator[None]:
    """Print the log of the migration to standard error."""
    log = logging.getLogger("crosshead.migrations")
    handler, level = logging.StreamHandler(), log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.setLevel(level)
        log.removeHandler(handler)
