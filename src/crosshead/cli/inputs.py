"""Paths that the user names -> the documents behind them."""

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
    """How documents are read."""

    format: str | None = None
    """The name of the format, where neither content nor name shall decide."""
    options: ExtractOptions = ExtractOptions()
    include: tuple[str, ...] = ()
    """Formats of code and data that are taken from folders, too."""

    @property
    def included(self) -> tuple[str, ...]:
        """The same with images, if a command recognizes their text."""
        return (*self.include, "image") if self.options.takes_images else self.include


AS_USUAL: Final = ReadSettings()


class Input(NamedTuple):
    """One document that has not been read yet."""

    source: str
    data: bytes | None = None
    """The bytes, if they do not come from a file."""
    problem: str = ""
    """Why it cannot be read, if that is known already."""
    reading: ReadSettings = AS_USUAL
    traceback: str = ""
    """Where we failed, if the problem is a fault of ours."""


def find_inputs(paths: Sequence[str], reading: ReadSettings = AS_USUAL) -> list[Input]:
    """Return the documents in files and folders in the order given, each once."""
    if reading.format:
        get_format(reading.format)  # raises an error that says what is known
    found = {each.source: each._replace(reading=reading) for path in paths for each in _inputs_at(path, reading)}
    return list(found.values())


def find_file(path: str, reading: ReadSettings = AS_USUAL) -> Input:
    """Return the one document of a command that takes no folder."""
    if path != STDIN and Path(path).is_dir():
        raise CrossheadError(f"{path}: is a folder; name a file")
    if path != STDIN and Path(path).exists():
        return Input(PurePath(path).as_posix(), reading=reading)  # as it is: an archive is no document
    return find_inputs([path], reading)[0]


def read_input(given: Input) -> Document:
    """Read a document."""
    if given.problem:
        raise ExtractError(given.problem, given.source)
    format, options, _ = given.reading
    if given.data is not None:
        format = format or detect_format(given.data) or "markdown"
        return read_document(given.data, format, source=given.source, options=options)
    return read_document(given.source, format, options=options)


def explain(inputs: Sequence[Input]) -> None:
    """Say on standard error what each document is read as, and why."""
    for given in inputs:
        what = given.data if given.data is not None else given.source
        with suppress(ExtractError):  # to be told when it is read
            typer.echo(f"{given.source}: {explain_format(what, given.reading.format, given.reading.options)}", err=True)


def size_of(given: Input) -> int:
    """Return the number of bytes, 0 if it cannot be known."""
    return file_size(given.source) if given.data is None else len(given.data)


def _inputs_at(path: str, reading: ReadSettings) -> Iterator[Input]:
    if path == STDIN:
        yield Input(STDIN_SOURCE, sys.stdin.buffer.read())
    elif os.path.isdir(path):
        yield from _inputs_of(path, files_in(path, reading.included))
    elif os.path.lexists(path):
        yield from _inputs_of(path, files_at(path, reading.included))
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
