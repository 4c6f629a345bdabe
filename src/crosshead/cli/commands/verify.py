"""crosshead verify: is an answer in the spans that it cites?"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from crosshead.cli.citations.addresses import files_of
from crosshead.cli.citations.hyperlinks import Hyperlink, are_links_wanted
from crosshead.cli.flags import AsJson, Indexes, with_indexes
from crosshead.cli.process.program import CHECK_FAILED
from crosshead.cli.terminal.output import write_json
from crosshead.cli.views.missing import warn_of_absent
from crosshead.errors import CrossheadError, OptionsError

AnswerFile = Annotated[
    str,
    typer.Argument(
        metavar="ANSWER.json",
        help="An answer as `crosshead.answer/1`, from Crosshead or any other program; - reads standard input.",
    ),
]


@with_indexes
def verify(
    file: AnswerFile,
    indexes: Indexes,
    hyperlink: Hyperlink = "auto",
    as_json: AsJson = False,
) -> None:
    """Check an answer against the documents that it cites, offline and without a model."""
    value = _read(file)
    with indexes.open() as index:
        warn_of_absent(index)
        try:
            proof = index.verify(value)
        except OptionsError as error:
            raise OptionsError(str(error), file) from error
        files = files_of(index)
    if as_json:
        write_json(proof.to_json())
    else:
        from crosshead.cli.views.citations import CitationLines
        from crosshead.cli.views.proofs import show_proof

        show_proof(proof, CitationLines(files, has_links=are_links_wanted(hyperlink)))
    if not proof.ok:
        raise typer.Exit(CHECK_FAILED)


def _read(file: str) -> Any:
    """Return the JSON of a file, or of standard input."""
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise CrossheadError(error.strerror or "cannot be read", file) from error
    try:
        value = json.loads(data)
    except ValueError as error:
        raise OptionsError(f"not JSON: {error}", file) from error
    if not isinstance(value, dict):
        raise OptionsError("must be a JSON object, as crosshead ask --json prints it", file)
    return value
