"""crosshead extract: the Markdown of a document, or of all in a folder."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Sequence
from functools import partial
from operator import attrgetter
from pathlib import Path, PurePath
from typing import Annotated, Final

import typer

from crosshead.cli.exit_codes import Problems, finish, successes
from crosshead.cli.flags import AsJson, Jobs, with_reading
from crosshead.cli.inputs import Input, ReadSettings, explain, find_file, find_inputs
from crosshead.cli.output import write_bytes, write_json
from crosshead.cli.parallel import process
from crosshead.errors import CrossheadError
from crosshead.runtime.processes import Outcome
from crosshead.runtime.scratch import scratch_folder
from crosshead.types import Document

SUFFIX: Final = ".md"

ExtractPath = Annotated[
    str, typer.Argument(metavar="PATH", help="A document, `-` for one on standard input, or a folder with `--output`.")
]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="DIR", help="Write a Markdown file for every document into this folder."),
]

Explain = Annotated[
    bool,
    typer.Option("--explain", metavar="", help="Say on standard error what each document is read as, and why."),
]


@with_reading
def extract(
    path: ExtractPath,
    reading: ReadSettings,
    output: Output = None,
    explained: Explain = False,
    as_json: AsJson = False,
    jobs: Jobs = None,
) -> None:
    """Print a document as Markdown, in UTF-8 and with plain newlines; or write those of a folder into another one.

    The other folder gets the same tree: `a/b.pdf` becomes `a/b.md`, or `a/b.pdf.md` where there is an `a/b.docx`, too.
    """
    if output is not None:
        _extract_all(path, reading, output, jobs, explained=explained, as_json=as_json)
        return
    if os.path.isdir(path):
        raise CrossheadError(f"{path}: is a folder; say where to write its documents: --output DIR")
    given = find_file(path, reading)
    if explained:
        explain([given])
    problems = Problems()
    for text in successes(process(attrgetter("text"), [given]), problems):
        write_bytes(text.encode("utf-8", "replace"))
    finish(problems, inputs=1)


def _extract_all(
    path: str, reading: ReadSettings, output: Path, jobs: int | None, *, explained: bool, as_json: bool
) -> None:
    folder = path if os.path.isdir(path) else os.path.dirname(path)
    if Path(os.path.realpath(output)).is_relative_to(os.path.realpath(folder)) and os.path.isdir(path):
        raise CrossheadError(f"{output}: lies in {path}, and would be read the next time: name a folder outside of it")
    inputs = find_inputs([path], reading)
    if explained:
        explain(inputs)
    output.mkdir(parents=True, exist_ok=True)
    problems, written = Problems(), 0
    with scratch_folder(output, hidden=True) as drafts:
        work = partial(write_document, folder, str(output), drafts, clashing([each.source for each in inputs]))
        outcomes = process(work, inputs, jobs, streams=as_json)
        for given, outcome in zip(inputs, outcomes, strict=True):
            problems.notes.extend(outcome.notes)
            problems.failures.extend(filter(None, [outcome.failure]))
            problems.tracebacks.extend(filter(None, [outcome.traceback]))
            written += outcome.value is not None
            if as_json:
                write_json(_told(given, outcome))
    if not as_json:
        typer.echo(f"{written:,} {'document' if written == 1 else 'documents'} written to {output}")
    finish(problems, inputs=len(inputs))


def _told(given: Input, outcome: Outcome[str]) -> dict[str, object]:
    return {
        "source": given.source,
        "output": outcome.value,
        "warnings": outcome.notes,
        "error": outcome.failure or None,
    }


def clashing(sources: Sequence[str]) -> frozenset[str]:
    """Return the names without suffix that several documents have, as file systems compare them."""
    counts = Counter(_stem(source) for source in sources)
    return frozenset(stem for stem, count in counts.items() if count > 1)


def write_document(folder: str, output: str, drafts: Path, clashes: Collection[str], document: Document) -> str:
    """Write a document at its place in the other folder, and return where that is."""
    name = os.path.relpath(document.source, folder or ".")
    target = Path(
        output, f"{name}{SUFFIX}" if _stem(document.source) in clashes else PurePath(name).with_suffix(SUFFIX)
    )
    target.parent.mkdir(parents=True, exist_ok=True)
    if not Path(os.path.realpath(target.parent)).is_relative_to(os.path.realpath(output)):
        raise CrossheadError(f"{document.source}: {target.parent} is a link that leads out of {output}: remove it")
    _replace_file(target, drafts, document.text.encode("utf-8", "replace"))
    return target.as_posix()


def _stem(source: str) -> str:
    return str(PurePath(source).with_suffix("")).casefold()


def _replace_file(target: Path, drafts: Path, data: bytes) -> None:
    """Put a whole file in its place at once; a link there is replaced, not followed."""
    draft = drafts / str(os.getpid())  # a process writes one document at a time
    draft.write_bytes(data)
    os.replace(draft, target)
