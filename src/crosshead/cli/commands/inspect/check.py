"""crosshead check: verify the guarantees of chunking on documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Annotated, Final, NamedTuple

import typer

from crosshead import pipeline
from crosshead.cli.flags import AsJson, Jobs, Paths, with_chunk_options, with_reading
from crosshead.cli.inputs import ReadSettings, find_inputs
from crosshead.cli.process.exit_codes import Problems, finish, successes
from crosshead.cli.sample import Sample, draw_sample
from crosshead.cli.terminal.output import write_json
from crosshead.cli.terminal.parallel import process
from crosshead.options import ChunkOptions
from crosshead.types import Document, Report

Strict = Annotated[
    bool,
    typer.Option("--strict", metavar="", help="Also exit with 1 on warnings, or if a sample misses the goal."),
]
SampleSize = Annotated[
    int | None,
    typer.Option(
        "--sample",
        metavar="N",
        min=1,
        help="Instead, print N evenly spaced chunks for a person to review, with the readability faults found by rule.",
    ),
]

REPORTED: Final = ("malformed front matter is kept", "opens is never closed")
"""Warnings of reading that the reports repeat."""


class CheckedDocument(NamedTuple):
    """The report of one document, and the sizes of its chunks for the summary of all documents."""

    report: Report
    sizes: tuple[int, ...]

    @property
    def verdict(self) -> str:
        """The worst severity found, or "ok"."""
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
    """Cut documents into chunks and verify the guarantees."""
    inputs = find_inputs(paths, reading)
    problems = Problems()
    if sample:
        drawn = draw_sample(inputs, options, sample, problems, jobs)
        _show_sample(drawn, as_json=as_json)
        failed = strict and not drawn.reaches_goal
    else:
        outcomes = process(partial(check_document, options), inputs, jobs, streams=as_json)
        accepted = ("ok",) if strict else ("ok", "warning")
        failed = _show_reports(successes(outcomes, problems), options, accepted, problems, as_json=as_json)
        problems.notes[:] = [note for note in problems.notes if not any(text in note for text in REPORTED)]
    finish(problems, inputs=len(inputs), failed=failed)


def _show_sample(sample: Sample, *, as_json: bool) -> None:
    if as_json:
        write_json(*sample.to_json())
    else:
        from crosshead.cli.views.inspect.samples import show_sample

        show_sample(sample)


def _show_reports(
    checks: Iterator[CheckedDocument],
    options: ChunkOptions,
    accepted: Sequence[str],
    problems: Problems,
    *,
    as_json: bool,
) -> bool:
    """Print the reports as they are made, or all of them with a summary; return whether any is not accepted."""
    failed = False
    if as_json:
        for checked in checks:
            write_json(checked.report.to_json())
            failed |= checked.verdict not in accepted
        return failed
    from crosshead.cli.views.inspect.reports import show_reports

    documents = list(checks)
    failed = any(checked.verdict not in accepted for checked in documents)
    show_reports(documents, options, failed=failed, unread=len(problems.failures))
    return failed


def check_document(options: ChunkOptions, document: Document) -> CheckedDocument:
    """Cut a document and check the chunks."""
    chunks = pipeline.chunk(document, options)
    return CheckedDocument(pipeline.check(document, chunks), tuple(each.token_count for each in chunks))
