"""crosshead check: do the guarantees of chunking hold on these documents?"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Final, NamedTuple

import typer

from crosshead import pipeline
from crosshead.cli.exit_codes import Problems, finish, successes
from crosshead.cli.flags import AsJson, Jobs, Paths, with_chunk_options, with_reading
from crosshead.cli.inputs import ReadSettings, find_inputs
from crosshead.cli.output import write_json
from crosshead.cli.parallel import process
from crosshead.cli.sample import draw_sample
from crosshead.options import ChunkOptions
from crosshead.types import Document, Report

Strict = Annotated[
    bool,
    typer.Option("--strict", metavar="", help="Exit with 1 on a warning, too, or if a sample does not reach the goal."),
]
SampleSize = Annotated[
    int | None,
    typer.Option(
        "--sample",
        metavar="N",
        min=1,
        help="Show N chunks from all over the documents instead, for a person to judge whether each is readable by "
        "itself, and what can be told by rule.",
    ),
]

REPORTED: Final = ("malformed front matter is kept", "opens is never closed")
"""Warnings of a document that the reports have too."""


class CheckedDocument(NamedTuple):
    """The report of one document with the sizes of its chunks, from which figures of many documents are made."""

    report: Report
    sizes: tuple[int, ...]

    @property
    def verdict(self) -> str:
        """The worst that was found."""
        if not self.report.ok:
            return "error"
        return "warning" if self.report.violations else "ok"


@with_reading
@with_chunk_options(without=("explain",))
def check(
    paths: Paths,
    options: ChunkOptions,
    reading: ReadSettings,
    sample: SampleSize = None,
    strict: Strict = False,
    as_json: AsJson = False,
    jobs: Jobs = None,
) -> None:
    """Cut documents into chunks and test the guarantees on them."""
    inputs = find_inputs(paths, reading)
    problems = Problems()
    if sample:
        drawn = draw_sample(inputs, options, sample, problems, jobs)
        if as_json:
            write_json(*drawn.to_json())
        else:
            from crosshead.cli.views.samples import show_sample

            show_sample(drawn)
        finish(problems, inputs=len(inputs), failed=strict and not drawn.reaches_goal)
        return
    outcomes = process(partial(check_document, options), inputs, jobs, streams=as_json)
    accepted = ("ok",) if strict else ("ok", "warning")
    failed = False
    if as_json:
        for each in successes(outcomes, problems):
            write_json(each.report.to_json())
            failed |= each.verdict not in accepted
    else:
        from crosshead.cli.views.reports import show_reports

        checked = list(successes(outcomes, problems))
        failed = any(each.verdict not in accepted for each in checked)
        show_reports(checked, options, failed=failed, unread=len(problems.failures))
    problems.notes[:] = [note for note in problems.notes if not any(each in note for each in REPORTED)]
    finish(problems, inputs=len(inputs), failed=failed)


def check_document(options: ChunkOptions, document: Document) -> CheckedDocument:
    """Cut a document and test the chunks."""
    chunks = pipeline.chunk(document, options)
    return CheckedDocument(pipeline.check(document, chunks), tuple(each.token_count for each in chunks))
