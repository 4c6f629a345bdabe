"""Embedders as a table, and the steps of installing one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.text import Text

from crosshead.cli.terminal.output import one_line
from crosshead.cli.views.layout import Column, make_console, print_hanging, print_table, room_beside, wrapped
from crosshead.embedding import ModelInfo

ROOM_BESIDE: Final = 24
"""With fewer columns than this, descriptions are below names."""
INDENT: Final = " " * 6


def show_models(models: Sequence[ModelInfo]) -> None:
    """Print one line per embedder; the last column describes it, or says how to install it."""
    columns = (
        Column("", "green"),
        Column("name", "cyan", left=True),
        Column("numbers"),
        Column("MB"),
        Column("what it is", left=True),
    )
    console = make_console()
    rows = [_row(each) for each in models]
    room = room_beside(console.width, [column.name for column in columns[:-1]], rows)
    if room >= ROOM_BESIDE:
        print_table(console, columns, [(*row[:-1], wrapped(row[-1], room)) for row in rows])
        return
    for row in rows:
        print_table(console, columns[:-1], [row[:-1]], header=False)
        print_hanging(console, Text(row[-1]), INDENT)


def _row(model: ModelInfo) -> tuple[str, ...]:
    mark = "auto" if model.auto else "✓" if model.installed else ""
    size = f"{model.size_bytes / 1e6:.0f}" if model.size_bytes else ""
    about = model.about if model.installed else f"{model.about}\n{model.install}"
    return mark, model.name, str(model.dimension or ""), size, about


@contextmanager
def shown_steps() -> Iterator[Callable[[str], None]]:
    """Show a line with a spinner on standard error; the yielded function changes its text."""
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn(20), TimeElapsedColumn())
    with Progress(*columns, console=make_console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=None)
        yield lambda step: progress.update(task, description=one_line(step))
