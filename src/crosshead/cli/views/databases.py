"""Print the status of a database, and the effect of a migration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.console import Console

from crosshead.cli.terminal.output import one_line
from crosshead.cli.views.layout import Column, count, fit_right, make_console, number, print_table

if TYPE_CHECKING:
    from crosshead.store.postgres.legacy.migrate import Plan, RowNotes
    from crosshead.store.postgres.legacy.status import DatabaseStatus

MOST_LEFT_ALONE: Final = 20
"""Rows to print; the JSON and the table `left_alone` have all of them."""

_COLUMNS: Final = (Column("", "cyan", left=True), Column("", left=True))


def show_plan(plan: Plan, left_alone: RowNotes, *, dry_run: bool) -> None:
    """Print what a migration did, or would do."""
    if plan.before == plan.after:
        lines = [f"{plan.place} has revision {plan.after} already"]
    else:
        suffix = " (dry run, nothing is changed)" if dry_run else ""
        lines = [f"{plan.place}: {plan.before or 'an empty database'} -> {plan.after}{suffix}"]
    if plan.breadcrumbs:
        lines.append(f"{count(plan.breadcrumbs.rows, 'row')}, {count(plan.breadcrumbs.moved, 'breadcrumb')} moved")
        if plan.breadcrumbs.reset:
            how = ": crosshead embed --pending --embedder NAME" if plan.after > (plan.before or "") else ""
            lines.append(f"{count(plan.breadcrumbs.reset, 'row')} to embed again{how}")
        if plan.breadcrumbs.headings:
            headings = count(plan.breadcrumbs.headings, "heading row")
            lines.append(f"no new vector for {headings} of these: headings are found with their text")
        if plan.breadcrumbs.left_alone:
            lines.append(f"{count(plan.breadcrumbs.left_alone, 'row')} left alone")
    console = make_console()
    console.print("\n".join(map(one_line, lines)), soft_wrap=True)
    _show_left_alone(console, left_alone)


def show_status(status: DatabaseStatus) -> None:
    """Print what to know about a database before and after a migration."""
    console = make_console()
    print_table(console, _COLUMNS, [(name, one_line(value)) for name, value in _facts(status)], header=False)
    _show_left_alone(console, (*status.left_alone, *status.odd_rows))
    for id, breadcrumb, content in status.samples:
        line = one_line(f"row {id}: {breadcrumb} | {content}")
        console.print(fit_right(line, console.width - 1) if console.is_terminal else line, soft_wrap=True)


def _show_left_alone(console: Console, rows: RowNotes) -> None:
    for id, reason in rows[:MOST_LEFT_ALONE]:
        console.print(f"  row {id}: {reason}", soft_wrap=True)
    if len(rows) > MOST_LEFT_ALONE:
        more = number(len(rows) - MOST_LEFT_ALONE)
        console.print(f"  and {more} more: crosshead db status --json lists them all", soft_wrap=True)


def _facts(status: DatabaseStatus) -> list[tuple[str, str]]:
    facts = [
        ("database", status.place),
        ("server", f"PostgreSQL {status.server}, pgvector {status.pgvector or 'not created yet'}"),
        ("revision", _revision(status)),
    ]
    if status.revision is None:
        return facts
    facts += [
        ("works", number(status.works)),
        ("sections", number(status.sections)),
        ("chunks", number(status.chunks)),
        ("vectors", ", ".join(f"{name} {number(amount)}" for name, amount in (status.vectors or {}).items())),
    ]
    if status.breadcrumbs is not None:
        facts += [("breadcrumbs", number(status.breadcrumbs)), ("left alone", number(len(status.left_alone)))]
    return facts


def _revision(status: DatabaseStatus) -> str:
    upgrade = f"the program needs {status.head}: crosshead db upgrade"
    if status.unfinished:
        return "between 0001 and 0002, interrupted; continue: crosshead db upgrade, or go back: crosshead db downgrade"
    if status.revision is None:
        return "none, the database is empty"
    if status.revision == status.head:
        return f"{status.revision}, the newest"
    if status.revision > status.head:
        return f"{status.revision}, of a newer version of Crosshead: pip install -U crosshead"
    return f"{status.revision}; {upgrade}"
