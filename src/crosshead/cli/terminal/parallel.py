"""Process many documents independently, in order, with a progress bar if there are many.

A document that cannot be read becomes a failure, internal errors included, and the others continue.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final, TypeVar

from crosshead.cli.inputs import Input, read_input, size_of
from crosshead.cli.terminal.output import shows_progress
from crosshead.pipeline import sendable
from crosshead.runtime.processes import Failure, Outcome, failed, guarded, useful_jobs
from crosshead.runtime.workers import Limits, in_order
from crosshead.types import Document

T = TypeVar("T")

PROGRESS_FROM: Final = 20
"""Show a progress bar for more files than this."""


def process(
    work: Callable[[Document], T], inputs: Sequence[Input], jobs: int | None = None, *, streams: bool = False
) -> Iterator[Outcome[T]]:
    """Apply `work`, a function at the top of a module, to every input, perhaps in other processes.

    `streams` says that results are printed while others are made; on a terminal no progress bar is shown then.
    """
    jobs = jobs or useful_jobs(inputs, size_of)
    outcomes = in_order(sendable(partial(_process_one, work)), inputs, jobs, give_up=_give_up, limits_of=_limits)
    in_the_way = streams and sys.stdout.isatty()
    if len(inputs) > PROGRESS_FROM and shows_progress() and not in_the_way:
        return _with_progress(outcomes, len(inputs))
    return outcomes


def _process_one(work: Callable[[Document], T], given: Input) -> Outcome[T]:
    if given.problem:
        return Outcome(given.source, failure=Failure(given.problem, given.traceback))
    return guarded(given.source, lambda: _work_and_warnings(work, given))


def _work_and_warnings(work: Callable[[Document], T], given: Input) -> tuple[T, tuple[str, ...]]:
    document = read_input(given)
    return work(document), document.warnings


def _give_up(given: Input, error: Exception) -> Outcome[Any]:
    return failed(given.source, error)


def _limits(given: Input) -> Limits:
    return Limits.of(given.reading.options, size_of(given))


def _with_progress(outcomes: Iterator[Outcome[T]], total: int) -> Iterator[Outcome[T]]:
    from rich.progress import track

    from crosshead.cli.views.layout import make_console

    yield from track(outcomes, "reading", total, console=make_console(stderr=True), transient=True)
