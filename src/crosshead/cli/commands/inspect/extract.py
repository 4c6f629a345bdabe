"""crosshead extract: a document, or all documents of a folder, as Markdown."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Sequence
from functools import partial
from operator import attrgetter
from pathlib import Path, PurePath
from typing import Annotated, Final

import typer

from crosshead.cli.flags import AsJson, Jobs, with_reading
from crosshead.cli.inputs import Input, ReadSettings, explain, find_file, find_inputs
from crosshead.cli.process.exit_codes import Problems, finish, successes
from crosshead.cli.terminal.output import print_done, print_text, write_json
from crosshead.cli.terminal.parallel import process
from crosshead.errors import CrossheadError
from crosshead.runtime.processes import Outcome
from crosshead.runtime.scratch import scratch_folder
from crosshead.types import Document

SUFFIX: Final = ".md"

ExtractPath = Annotated[
    str, typer.Argument(metavar="PATH", help="A document, `-` for standard input, or, with `--output`, a folder.")
]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE|DIR",
        help="Write to this file, as in `out.md`, or one Markdown file per document into this folder.",
    ),
]

Explain = Annotated[
    bool,
    typer.Option(
        "--explain", metavar="", help="Print the detected format of each document to standard error, and why."
    ),
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
    """Print a document as Markdown, or convert all documents of a folder.

    The text is UTF-8 with plain newlines. --output DIR mirrors the folder: `a/b.pdf` becomes `a/b.md`, or `a/b.pdf.md`
    if there is also an `a/b.docx`.
    """
    if output is not None and _is_file(output):
        _extract_one(path, reading, output, explained=explained, as_json=as_json)
        return
    if output is not None:
        _extract_all(path, reading, output, jobs, explained=explained, as_json=as_json)
        return
    if os.path.isdir(path):
        raise CrossheadError(f"{path}: is a folder; add --output DIR to convert its documents")
    document = find_file(path, reading)
    if explained:
        explain([document])
    problems = Problems()
    for text in successes(process(attrgetter("text"), [document]), problems):
        print_text(text)
    finish(problems, inputs=1)


def _is_file(output: Path) -> bool:
    """Whether an output is a file: one that exists, or a name with a suffix."""
    return not output.is_dir() and (output.exists() or bool(output.suffix))


def _extract_one(path: str, reading: ReadSettings, output: Path, *, explained: bool, as_json: bool) -> None:
    if os.path.isdir(path):
        raise CrossheadError(f"{path}: is a folder; name a folder for its documents instead of {output}")
    if os.path.realpath(path) == os.path.realpath(output):
        raise CrossheadError(f"{output}: is the document itself; choose another file")
    if not output.parent.is_dir():
        raise CrossheadError(f"{output.parent}: no such folder; create it first")
    document = find_file(path, reading)
    if explained:
        explain([document])
    problems = Problems()
    [outcome] = process(partial(write_text, output), [document])
    written = list(successes([outcome], problems))
    if as_json:
        write_json(_outcome_fields(document, outcome))
    elif written:
        print_done(f"written to {output}")
    finish(problems, inputs=1)


def write_text(output: Path, document: Document) -> str:
    """Write a document to a file and return its path."""
    data = document.text.encode("utf-8", "replace")
    if output.exists() and not output.is_file():  # a device or a pipe
        output.write_bytes(data)
    else:
        with scratch_folder(output.parent, hidden=True) as drafts:
            _replace_file(output, drafts, data)
    return output.as_posix()


def _extract_all(
    path: str, reading: ReadSettings, output: Path, jobs: int | None, *, explained: bool, as_json: bool
) -> None:
    folder = path if os.path.isdir(path) else os.path.dirname(path)
    if Path(os.path.realpath(output)).is_relative_to(os.path.realpath(folder)) and os.path.isdir(path):
        raise CrossheadError(f"{output}: is inside {path} and would be read next time; choose a folder outside")
    inputs = find_inputs([path], reading)
    if explained:
        explain(inputs)
    output.mkdir(parents=True, exist_ok=True)
    problems, written = Problems(), 0
    with scratch_folder(output, hidden=True) as drafts:
        work = partial(write_document, folder, str(output), drafts, clashing([each.source for each in inputs]))
        outcomes = process(work, inputs, jobs, streams=as_json)
        for item, outcome in zip(inputs, outcomes, strict=True):
            written += sum(1 for _ in successes([outcome], problems))
            if as_json:
                write_json(_outcome_fields(item, outcome))
    if not as_json:
        print_done(f"{written:,} {'document' if written == 1 else 'documents'} written to {output}")
    finish(problems, inputs=len(inputs))


def _outcome_fields(item: Input, outcome: Outcome[str]) -> dict[str, object]:
    return {
        "source": item.source,
        "output": outcome.value,
        "warnings": outcome.notes,
        "error": outcome.error or None,
    }


def clashing(sources: Sequence[str]) -> frozenset[str]:
    """Return the paths without suffix that several documents share, ignoring case."""
    counts = Counter(_stem(source) for source in sources)
    return frozenset(stem for stem, count in counts.items() if count > 1)


def write_document(folder: str, output: str, drafts: Path, clashes: Collection[str], document: Document) -> str:
    """Write a document to its path in the output folder and return that path."""
    name = os.path.relpath(document.source, folder or ".")
    target = Path(
        output, f"{name}{SUFFIX}" if _stem(document.source) in clashes else PurePath(name).with_suffix(SUFFIX)
    )
    target.parent.mkdir(parents=True, exist_ok=True)
    if not Path(os.path.realpath(target.parent)).is_relative_to(os.path.realpath(output)):
        raise CrossheadError(f"{document.source}: {target.parent} is a link that leads out of {output}; remove it")
    _replace_file(target, drafts, document.text.encode("utf-8", "replace"))
    return target.as_posix()


def _stem(source: str) -> str:
    return str(PurePath(source).with_suffix("")).casefold()


def _replace_file(target: Path, drafts: Path, data: bytes) -> None:
    """Replace a file atomically; a link is replaced, not followed."""
    draft = drafts / str(os.getpid())  # a process writes one document at a time
    draft.write_bytes(data)
    os.replace(draft, target)
