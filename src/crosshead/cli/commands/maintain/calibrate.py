"""crosshead calibrate: learn from an index when its hits probably do not answer."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from crosshead.cli.commands.index import AsObject
from crosshead.cli.flags import IndexFolder, Wait
from crosshead.cli.process.program import CHECK_FAILED
from crosshead.cli.terminal.output import print_done, print_error, print_note, write_json
from crosshead.errors import CrossheadError
from crosshead.options import DEFAULT_LOCATION

FalseAlarms = Annotated[
    float,
    typer.Option(
        "--false-alarms",
        metavar="X",
        help="Promised share of the questions that a search answers whose hits are marked as weak: above 0, below 1.",
    ),
]
Questions = Annotated[
    Path | None,
    typer.Option(
        "--questions",
        metavar="FILE",
        help="Questions that users asked and the index answers, as `crosshead eval` reads them; by default those that "
        "`crosshead rate` kept, if there are any.",
    ),
]


def calibrate(
    location: IndexFolder = DEFAULT_LOCATION,
    false_alarms: FalseAlarms = 0.05,
    questions: Questions = None,
    as_json: AsObject = False,
    wait: Wait = 0,
) -> None:
    """Learn from an index when its hits probably do not answer, with a promised rate of false alarms.

    It asks the index questions that it makes from its chunks, with and without the section that answers. Searches then
    show how confident a hit is, and mark hits below the threshold as weak.
    """
    from crosshead.index import Index

    with Index(location, create=False, wait_seconds=wait) as index:
        found = index.calibrate(questions=_asked(questions, index.questions_file), false_alarms=false_alarms)
    if as_json:
        write_json(found.to_json() if found else {"calibrated": False})
    elif found:
        from crosshead.cli.views.indexing import describe_calibration

        print_done(f"calibrated: {describe_calibration(found)}")
    if not found:
        print_error("too little text for 100 questions that the index answers; hits are weak by their scores")
        raise typer.Exit(CHECK_FAILED)


def _asked(given: Path | None, rated: Path) -> list[str]:
    """Return the questions of the file that the user names, or of ratings if these name answers."""
    from crosshead.evaluation import load_questions

    if given is None and not rated.is_file():
        return []
    try:
        return [question.text for question in load_questions(given or rated)]
    except CrossheadError as error:
        if given:
            raise
        print_note(f"calibrating without ratings: {error}")
        return []
