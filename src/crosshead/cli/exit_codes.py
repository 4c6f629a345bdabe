"""What became of the documents of one run, and the exit code that follows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

import typer

from crosshead.cli.output import print_error
from crosshead.cli.program import CHECK_FAILED, OUR_FAULT, USER_MISTAKE, Faults
from crosshead.runtime.processes import Outcome

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Problems:
    """What is to be said when all documents are done, so that it does not get lost among them."""

    failures: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    tracebacks: list[str] = field(default_factory=list)
    """Where we failed ourselves."""


def successes(outcomes: Iterable[Outcome[T]], problems: Problems) -> Iterator[T]:
    """Go through the values and keep the problems for later."""
    for outcome in outcomes:
        problems.notes.extend(outcome.notes)
        if outcome.failure:
            problems.failures.append(outcome.error)
            problems.tracebacks.extend(filter(None, [outcome.failure.traceback]))
        elif outcome.value is not None:
            yield outcome.value


def finish(problems: Problems, *, inputs: int, failed: bool = False) -> None:
    """Print the problems and end the command with the exit code that they ask for."""
    for note in problems.notes:
        print_error(note, label="warning")
    for failure in problems.failures:
        print_error(failure)
    if problems.tracebacks:
        raise Faults(*problems.tracebacks, code=OUR_FAULT if inputs == 1 else CHECK_FAILED)
    if problems.failures and inputs == 1:
        raise typer.Exit(USER_MISTAKE)
    if problems.failures or failed:
        raise typer.Exit(CHECK_FAILED)
