"""crosshead rate: say whether a hit or an answer of the last search was good."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import typer

from crosshead.cli.citations.last_search import LastSearch, RememberedHit, last_search
from crosshead.cli.flags import IndexFolder
from crosshead.cli.terminal.output import print_done
from crosshead.errors import OptionsError
from crosshead.options import DEFAULT_LOCATION

ANSWER: Final = "answer"

What = Annotated[
    str,
    typer.Argument(metavar="N|answer", help="The number of a hit or passage, or `answer` for all that it cites."),
]
Verdict = Annotated[Literal["good", "bad"], typer.Argument(metavar="good|bad", help="Whether it answers.")]


def rate(what: What, verdict: Verdict, location: IndexFolder = DEFAULT_LOCATION) -> None:
    """Rate a hit of the last search, or the last answer.

    Ratings become questions in `questions.jsonl` in the folder of the index, which `crosshead eval` measures with, and
    `crosshead tune` and `crosshead calibrate` learn from.
    """
    from crosshead.evaluation import Evidence, rate
    from crosshead.index import Index

    last = last_search(location)
    hits = _rated(last, what)
    with Index(location, create=False) as index:
        path = index.questions_file
    rate(path, last.question, [Evidence(*each.lines) for each in hits], good=verdict == "good")
    print_done(f'rated {verdict}: {", ".join(each.citation for each in hits)} for "{last.question}", in {path}')


def _rated(last: LastSearch, what: str) -> list[RememberedHit]:
    if what == ANSWER:
        if not last.cited:
            raise OptionsError("there is no answer with citations to rate: run crosshead ask first")
        return [last.hit(n) for n in last.cited]
    if not what.isascii() or not what.isdigit():
        raise OptionsError(f"{what!r} must be the number of a hit, or `answer`")
    return [last.hit(int(what))]
