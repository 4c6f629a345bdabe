"""Collect the problems of a run, print them at its end, and choose the exit code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

import typer

from crosshead.cli.process.program import CHECK_FAILED, OUR_FAULT, USER_MISTAKE, Faults
from crosshead.cli.terminal.output import print_error, print_warning
from crosshead.runtime.processes import Outcome

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Problems:
    """Messages to print after the output of all documents, where they are not overlooked."""

    failures: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    tracebacks: list[str] = field(default_factory=list)
    """Of internal errors."""


def successes(outcomes: Iterable[Outcome[T]], problems: Problems) -> Iterator[T]:
    """Yield the values, and collect the problems."""
    for outcome in outcomes:
        problems.notes.extend(outcome.notes)
        if outcome.failure:
            problems.failures.append(outcome.error)
            problems.tracebacks.extend(filter(None, [outcome.failure.traceback]))
        elif outcome.value is not None:
            yield outcome.value


def finish(problems: Problems, *, inputs: int, failed: bool = False) -> None:
    """Print the problems and exit with the code that follows from them."""
    for note in problems.notes:
        print_warning(note)
    for failure in problems.failures:
        print_error(failure)
    if problems.tracebacks:
        raise Faults(*problems.tracebacks, code=OUR_FAULT if inputs == 1 else CHECK_FAILED)
    if problems.failures and inputs == 1:
        raise typer.Exit(USER_MISTAKE)
    if problems.failures or failed:
        raise typer.Exit(CHECK_FAILED)
