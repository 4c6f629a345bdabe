"""The progress of indexing, and the status of an index."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from rich.progress import BarColumn, SpinnerColumn, TextColumn
from rich.progress import Progress as Bar

from crosshead.cli.terminal.output import one_line, print_done
from crosshead.cli.terminal.progress import Pace, expected_texts
from crosshead.cli.views.layout import Column, make_console, number, print_table, room_beside, wrapped
from crosshead.types import LEAST_QUESTIONS

if TYPE_CHECKING:
    from crosshead.index import Progress, Status
    from crosshead.types import Calibration

SECONDS_BETWEEN_LINES: Final = 10.0
NOT_CALIBRATED: Final = "by their scores; with a promised rate of false alarms: crosshead calibrate"
TOO_SMALL: Final = "by their scores: too little text to promise a rate of false alarms"
MOST_MIGRATED: Final = 20
"""At most this many sources are listed; the JSON has all."""


@contextmanager
def shown_progress() -> Iterator[Callable[[Progress], None]]:
    """Show a bar on standard error; the yielded function moves it."""
    pace = Pace()
    with _shown_bar("indexing") as move:
        yield lambda progress: move(
            progress.documents_done + progress.texts_embedded,
            progress.documents_total + expected_texts(progress),
            pace.tell_indexing(progress),
        )


@contextmanager
def shown_count(doing: str) -> Iterator[Callable[[int, int], None]]:
    """Show a bar on standard error; the yielded function takes the number done and the total."""
    pace = Pace()
    with _shown_bar(doing) as move:
        yield lambda done, total: move(done, total, pace.tell(done, total))


@contextmanager
def _shown_bar(doing: str) -> Iterator[Callable[[int, int, str], None]]:
    """Show a bar that fits into 80 columns, with a spinner that moves during long steps."""
    columns = (SpinnerColumn(), TextColumn(doing), BarColumn(12), TextColumn("{task.description}"))
    with Bar(*columns, console=make_console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total, text: bar.update(task, completed=done, total=total, description=text)


@contextmanager
def logged_count(doing: str) -> Iterator[Callable[[int, int], None]]:
    """Print a line on standard error every few seconds, for a log."""
    shown, shown_at, pace = -1, -SECONDS_BETWEEN_LINES, Pace()

    def show(done: int, total: int) -> None:
        nonlocal shown, shown_at
        line = pace.tell(done, total)
        is_due = time.monotonic() - shown_at >= SECONDS_BETWEEN_LINES or done == total
        if is_due and done != shown:
            shown, shown_at = done, time.monotonic()
            print_done(f"{doing}: {line}", err=True)

    yield show


def _languages(status: Status) -> str:
    known = sorted(((count, code) for code, count in status.languages.items()), reverse=True)
    counts = (
        f"{code} {number(count)}" if code else f"{number(count)} unknown: crosshead optimize" for count, code in known
    )
    return ", ".join(counts) or "none"


def _size(status: Status) -> str:
    """Return the size with its parts, the largest first."""
    parts = sorted(asdict(status.sizes).items(), key=lambda part: -part[1])
    shown = ", ".join(f"{name.replace('_', ' ')} {size / 1e6:,.1f}" for name, size in parts)
    return f"{status.size_bytes / 1e6:,.1f} MB: {shown}"


def describe_calibration(calibration: Calibration) -> str:
    """Return what is promised, and what it was learned from, as text."""
    promise = f"hits below a confidence of {calibration.threshold:.2f} are weak"
    source = f"{number(calibration.questions)} questions about {number(calibration.chunks)} chunks"
    asked = f", {number(calibration.asked)} of users" if calibration.asked else ""
    return f"{promise}: {calibration.false_alarms:.0%} false alarms promised, from {source}{asked}"


def _describe_weak_hits(status: Status) -> str:
    if status.calibration:
        return describe_calibration(status.calibration)
    return TOO_SMALL if status.chunks < LEAST_QUESTIONS else NOT_CALIBRATED


def show_status(status: Status) -> None:
    """Print one line per figure and setting."""
    made = status.settings["chunk"]
    rows = [
        ("index", status.location),
        ("root", status.root),
        ("documents", number(status.documents)),
        ("sections", number(status.sections)),
        ("chunks", number(status.chunks)),
        ("to be embedded", number(status.pending)),
        ("size", _size(status)),
        ("embedder", status.embedder),
        *([("better", status.advice.partition("; ")[2].removeprefix("for better answers: "))] if status.advice else []),
        ("embedded text", str(status.settings["embed_text"])),
        ("language", str(status.settings["language"])),
        ("languages", _languages(status)),
        *([("metadata", ", ".join(status.metadata_keys))] if status.metadata_keys else []),
        ("weak hits", _describe_weak_hits(status)),
        ("chunking", f"{made['strategy']}, target {made['target_tokens']}, max {made['max_tokens']} tokens"),
    ]
    if status.unfinished_copy_of:
        rows.append(("unfinished", f"copy of {status.unfinished_copy_of}: documents are missing"))
    if status.failed:
        rows.append(("not embedded", f"{number(status.failed)}: crosshead embed --pending --retry-failed"))
    if status.migrated:
        rows.append(("migrated", f"{number(len(status.migrated))} that no indexed file took the place of"))
        rows += (("", source) for source in status.migrated[:MOST_MIGRATED])
    columns = (Column("", "dim", left=True), Column("", left=True))
    console = make_console()
    room = room_beside(console.width, [""], [(name,) for name, _ in rows]) if console.is_terminal else sys.maxsize
    print_table(console, columns, [(name, wrapped(one_line(value), room)) for name, value in rows], header=False)
