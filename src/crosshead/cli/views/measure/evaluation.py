"""Figures of an evaluation as tables, and the progress bar."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.text import Text

from crosshead.cli.commands.measure.evaluate import EvaluationResult
from crosshead.cli.terminal.output import one_line
from crosshead.cli.views.layout import DOT, Cell, Column, count, make_console, number, print_table
from crosshead.evaluation import Difference, Evaluation

FIGURE: Final = Column("", "cyan", left=True)
MISSES_SHOWN: Final = 10


@contextmanager
def show_progress(total: int) -> Iterator[Callable[[int], None]]:
    """Show a bar on standard error, and yield the function that advances it."""
    with progress_bar("questions") as bar:
        task = bar.add_task("", total=total)
        yield lambda done: bar.update(task, completed=done)


def progress_bar(what: str) -> Progress:
    """Return a bar on standard error that counts something."""
    columns = (TextColumn(what), BarColumn(30), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    return Progress(*columns, console=make_console(stderr=True), transient=True)


def show_result(result: EvaluationResult) -> None:
    """Print what was evaluated, then a line per figure."""
    console = make_console()
    first, *others = result.runs
    facts = (
        count(len(first.evaluation.questions), "question"),
        count(first.documents, "document"),
        f"{result.mode} search",
        first.embedder,
        f"{number(result.limit)} hits",
    )
    console.print(DOT.join(facts), style="bold")
    if not others:
        _show_figures(console, {"all": first.evaluation, **first.evaluation.kinds})
    else:
        _show_differences(console, result)
        for run in result.runs:
            if run.evaluation.kinds:
                console.print(f"\n{run.strategy}, by kind", style="bold")
                _show_figures(console, run.evaluation.kinds)
    for run in result.runs:
        _show_misses(console, f"{run.strategy}: " if others else "", run.evaluation.missed)


def _show_figures(console: Console, evaluations: Mapping[str, Evaluation]) -> None:
    """Print one column per kind of question."""
    means = [each.means for each in evaluations.values()]
    rows = [("questions", *(number(len(each.questions)) for each in evaluations.values()))]
    rows += [(label(name), *(f"{each[name]:.3f}" for each in means)) for name in means[0]]
    print_table(console, (FIGURE, *(Column(one_line(kind)) for kind in evaluations)), rows)


def _show_differences(console: Console, result: EvaluationResult) -> None:
    """Print the runs side by side."""
    means = [run.evaluation.means for run in result.runs]
    rows: list[tuple[Cell, ...]] = [
        (label(name), *(f"{each[name]:.3f}" for each in means), f"{difference.mean:+.3f}", interval(difference))
        for name, difference in result.differences.items()
    ]
    names = (*(run.strategy for run in result.runs), "difference", "95 % interval")
    print_table(console, (FIGURE, *map(Column, names)), rows)


def label(figure: str) -> str:
    """Return the display name of a figure."""
    return figure.replace("mrr", "MRR")


def interval(difference: Difference) -> Text:
    """Return an interval: green or red if its sign is clear, else dim."""
    style = "dim" if not difference.is_clear else "green" if difference.mean > 0 else "red"
    return Text(f"{difference.low:+.3f} to {difference.high:+.3f}", style=style)


def _show_misses(console: Console, lead: str, missed: tuple[str, ...]) -> None:
    if missed:
        more = f" and {number(len(missed) - MISSES_SHOWN)} more" if len(missed) > MISSES_SHOWN else ""
        questions = one_line(", ".join(missed[:MISSES_SHOWN]))
        console.print(f"{lead}not within ten hits: {questions}{more}", style="dim", soft_wrap=True)
