"""The progress of indexing, and what an index holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from crosshead.cli.pace import Pace, expected_texts
from crosshead.cli.plain import one_line
from crosshead.cli.views.layout import Column, make_console, number, print_table
from crosshead.index import Progress, Status


@contextmanager
def shown_progress() -> Iterator[Callable[[Progress], None]]:
    """Show a bar on standard error; the function moves it."""
    columns = (TextColumn("indexing"), BarColumn(30), TextColumn("{task.description}"), TimeElapsedColumn())
    with Bar(*columns, console=make_console(stderr=True), transient=True) as bar:
        task, pace = bar.add_task("", total=None), Pace()

        def show(progress: Progress) -> None:
            bar.update(
                task,
                completed=progress.documents_done + progress.texts_embedded,
                total=progress.documents_total + expected_texts(progress),
                description=pace.tell(progress),
            )

        yield show


@contextmanager
def shown_count(doing: str) -> Iterator[Callable[[int, int], None]]:
    """Show a bar on standard error; the function tells how many are done, and how many there are."""
    columns = (TextColumn(doing), BarColumn(30), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Bar(*columns, console=make_console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


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
        ("size", f"{status.size_bytes / 1e6:,.1f} MB"),
        ("embedder", status.embedder),
        ("embedded text", str(status.settings["embed_text"])),
        ("language", str(status.settings["language"])),
        ("chunking", f"{made['strategy']}, target {made['target_tokens']}, max {made['max_tokens']} tokens"),
    ]
    if status.failed:
        rows.append(("not embedded", f"{number(status.failed)}: crosshead embed --pending --retry-failed"))
    columns = (Column("", "dim", left=True), Column("", left=True))
    print_table(make_console(), columns, [(name, one_line(value)) for name, value in rows], header=False)
