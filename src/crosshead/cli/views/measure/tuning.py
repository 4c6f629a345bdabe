"""What tuning found, and its progress."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from crosshead.cli.terminal.output import shows_progress
from crosshead.cli.views.layout import DOT, Cell, Column, count, make_console, print_table
from crosshead.cli.views.measure.evaluation import FIGURE, interval, progress_bar
from crosshead.evaluation import Tuning


@contextmanager
def trial_progress() -> Iterator[Callable[[int, int], None] | None]:
    """On a terminal, show how many settings were tried."""
    if not shows_progress():
        yield None
        return
    with progress_bar("settings") as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def show_tuning(found: Tuning) -> None:
    """Print the settings before and after, and what they gain."""
    console = make_console()
    facts = (
        f"{count(found.chosen_on, 'question')} to choose on",
        f"{found.reported_on} to report",
        f"{count(found.tried, 'setting')} tried",
    )
    console.print(DOT.join(facts), style="bold")
    rows: list[tuple[Cell, ...]] = [
        (name, f"{value:g}", f"{found.after[name]:g}", "", "") for name, value in found.before.items()
    ]
    gain = (f"{found.gain.mean:+.3f}", interval(found.gain))
    rows.append(("score", f"{found.score_before:.3f}", f"{found.score_after:.3f}", *gain))
    names = ("before", "after", "gain", "95 % interval")
    print_table(console, (FIGURE, *map(Column, names)), rows)
