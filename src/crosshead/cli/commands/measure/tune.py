"""crosshead tune: find search settings that answer the questions of an index better."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crosshead.cli.commands.index import AsObject
from crosshead.cli.commands.measure.evaluate import rated_questions
from crosshead.cli.flags import IndexFolder
from crosshead.cli.terminal.output import print_done, write_json
from crosshead.options import DEFAULT_LOCATION

if TYPE_CHECKING:
    from crosshead.evaluation import Tuning

QuestionsFile = Annotated[
    Path | None,
    typer.Argument(
        metavar="QUESTIONS",
        help="At least 40 questions with the lines that answer them (JSON Lines). By default those that were rated.",
    ),
]
TryOnly = Annotated[bool, typer.Option("--dry-run", metavar="", help="Report the gain, but keep the settings.")]
Reset = Annotated[bool, typer.Option("--reset", metavar="", help="Go back to the settings of a new index.")]


def tune(
    path: QuestionsFile = None,
    location: IndexFolder = DEFAULT_LOCATION,
    dry_run: TryOnly = False,
    reset: Reset = False,
    as_json: AsObject = False,
) -> None:
    """Find search settings that answer the questions of an index better, and keep them if they do.

    Half of the questions choose the settings, the other half says what they gain. They are kept only if the gain is
    more than chance: if its 95 % interval is above zero.
    """
    from crosshead.cli.views.measure.tuning import show_tuning, trial_progress
    from crosshead.evaluation import load_questions, tune
    from crosshead.index import Index

    if reset:
        with Index(location, create=False) as index:
            index.keep_search_options(None)
        print_done("searches use the settings of a new index again")
        return
    with Index(location, create=False) as index:
        questions = load_questions(path or rated_questions(index))
        with trial_progress() as on_progress:
            found = tune(index, questions, on_progress=on_progress)
        if found.is_better and not dry_run:
            index.keep_search_options(found.after)
    if as_json:
        write_json({**found.to_json(), "kept": found.is_better and not dry_run})
        return
    show_tuning(found)
    print_done(_outcome(found, dry_run=dry_run))


def _outcome(found: Tuning, *, dry_run: bool) -> str:
    if found.after == found.before:
        return "nothing that was tried is better than the present settings"
    if not found.is_better:
        return "not kept: the gain may be chance, because its interval is not above zero"
    return "not kept, because of --dry-run" if dry_run else "kept: searches of this index use these settings"
