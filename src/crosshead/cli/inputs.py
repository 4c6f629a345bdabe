"""Paths on the command line -> documents."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path, PurePath
from typing import Final, NamedTuple

import typer

from crosshead.errors import CrossheadError, ExtractError
from crosshead.formats import detect_format, get_format, split_path
from crosshead.indexing import FoundFile, files_at, files_in, no_documents, no_such_path
from crosshead.options import ExtractOptions
from crosshead.pipeline import explain_format, read_document
from crosshead.runtime.processes import file_size
from crosshead.types import Document

STDIN: Final = "-"
STDIN_SOURCE: Final = "<stdin>"


class ReadSettings(NamedTuple):
    """How to read documents."""

    format: str | None = None
    """The name of the format; None detects it."""
    options: ExtractOptions = ExtractOptions()
    include: tuple[str, ...] = ()
    """Formats of code and data to read from folders as well."""
    hidden: bool = False
    """Also read hidden files in folders."""

    @property
    def included(self) -> tuple[str, ...]:
        """`include`, and images if a command recognizes their text."""
        return (*self.include, "image") if self.options.takes_images else self.include


DEFAULT_READING: Final = ReadSettings()


class Input(NamedTuple):
    """One document that has not been read yet."""

    source: str
    data: bytes | None = None
    """The bytes, if they are not in a file."""
    problem: str = ""
    """Why it cannot be read, if already known."""
    reading: ReadSettings = DEFAULT_READING
    traceback: str = ""
    """The traceback, if the problem is an internal error."""


def find_inputs(paths: Sequence[str], reading: ReadSettings = DEFAULT_READING) -> list[Input]:
    """Return the documents at these paths, in order, without duplicates."""
    if reading.format:
        get_format(reading.format)  # raises an error that lists the formats
    found = {each.source: each._replace(reading=reading) for path in paths for each in _inputs_at(path, reading)}
    return list(found.values())


def find_file(path: str, reading: ReadSettings = DEFAULT_READING) -> Input:
    """Return the document of a command that takes a single file."""
    if path != STDIN and Path(path).is_dir():
        raise CrossheadError(f"{path}: is a folder; name a file")
    if path != STDIN and Path(path).exists():
        return Input(PurePath(path).as_posix(), reading=reading)  # an archive is not unpacked: it is not a document
    return find_inputs([path], reading)[0]


def read_input(given: Input) -> Document:
    """Read a document."""
    if given.problem:
        raise ExtractError(given.problem, given.source)
    format, options = given.reading.format, given.reading.options
    if given.data is not None:
        format = format or detect_format(given.data) or "markdown"
        return read_document(given.data, format, source=given.source, options=options)
    return read_document(given.source, format, options=options)


def explain(inputs: Sequence[Input]) -> None:
    """Print to standard error which format each document is read as, and why."""
    for given in inputs:
        what = given.data if given.data is not None else given.source
        with suppress(ExtractError):  # reported when the document is read
            typer.echo(f"{given.source}: {explain_format(what, given.reading.format, given.reading.options)}", err=True)


def size_of(given: Input) -> int:
    """Return the size in bytes, 0 if unknown."""
    return file_size(given.source) if given.data is None else len(given.data)


def _inputs_at(path: str, reading: ReadSettings) -> Iterator[Input]:
    if path == STDIN:
        yield Input(STDIN_SOURCE, sys.stdin.buffer.read())
    elif os.path.isdir(path):
        yield from _inputs_of(path, files_in(path, reading.included, hidden=reading.hidden))
    elif os.path.lexists(path):
        yield from _inputs_of(path, files_at(path, reading.included, hidden=reading.hidden))
    elif split_path(path):
        yield Input(PurePath(path).as_posix())
    else:
        raise CrossheadError(no_such_path(path))


def _inputs_of(path: str, files: Iterable[FoundFile]) -> Iterator[Input]:
    found = [file for file in files if file.is_wanted]
    if not found:
        raise CrossheadError(no_documents(path))
    for file in found:
        source = file.whole_path if file.problem else PurePath(file.whole_path).as_posix()
        yield Input(source, None, file.problem, traceback=file.traceback)
