"""crosshead chunk: the chunks of documents."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Final, NamedTuple

import typer

from crosshead import pipeline
from crosshead.cli.flags import AsJson, Jobs, Paths, with_chunk_options, with_reading
from crosshead.cli.inputs import ReadSettings, explain, find_inputs
from crosshead.cli.process.exit_codes import Problems, finish, successes
from crosshead.cli.terminal.output import write_bytes
from crosshead.cli.terminal.parallel import process
from crosshead.options import ChunkOptions
from crosshead.runtime.json_output import json_line
from crosshead.types import Chunk, Document

FULL_TABLES: Final = 8
"""A summary of more files has one line per file, not one per chunk."""

Summary = Annotated[bool, typer.Option("--summary", metavar="", help="Show a table of sizes instead of texts.")]


class FileChunks(NamedTuple):
    """What to show of a file: its chunks, or only their sizes in a summary of many files."""

    source: str
    sizes: tuple[int, ...]
    oversize: int
    chunks: tuple[Chunk, ...]


@with_reading
@with_chunk_options()
def chunk(
    paths: Paths,
    options: ChunkOptions,
    reading: ReadSettings,
    summary: Summary = False,
    as_json: AsJson = False,
    jobs: Jobs = None,
) -> None:
    """Cut documents into chunks and print them."""
    inputs = find_inputs(paths, reading)
    problems = Problems()
    if options.explain:
        explain(inputs)
    if as_json:
        for lines in successes(process(partial(chunk_lines, options), inputs, jobs, streams=True), problems):
            write_bytes(lines)
    elif summary:
        from crosshead.cli.views.inspect.chunks import show_files

        work = partial(chunk_file, options, keep=len(inputs) <= FULL_TABLES)
        show_files(list(successes(process(work, inputs, jobs), problems)), options)
    else:
        from crosshead.cli.views.inspect.chunk_texts import show_texts_of

        work = partial(chunk_file, options, keep=True)
        show_texts_of(successes(process(work, inputs, jobs, streams=True), problems), options)
    finish(problems, inputs=len(inputs))


def chunk_lines(options: ChunkOptions, document: Document) -> bytes:
    """Return the chunks of a document as JSON Lines."""
    return b"".join(json_line(each.to_json()) for each in pipeline.chunk(document, options))


def chunk_file(options: ChunkOptions, document: Document, *, keep: bool) -> FileChunks:
    """Return what to show of a document."""
    chunks = pipeline.chunk(document, options)
    sizes = tuple(each.token_count for each in chunks)
    oversize = sum(each.oversize_reason is not None for each in chunks)
    return FileChunks(document.source, sizes, oversize, tuple(chunks) if keep else ())
