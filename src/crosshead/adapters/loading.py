"""Paths, or texts with metadata -> documents, in the same way for all frameworks."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from crosshead.errors import ExtractError, IngestError
from crosshead.formats import log_warnings
from crosshead.indexing import FoundFile, files_at, files_in, no_such_path
from crosshead.options import ExtractOptions
from crosshead.pipeline import TEXT_SOURCE, parse_document, read_document, sendable
from crosshead.runtime.processes import failure_of, file_size, useful_jobs
from crosshead.runtime.workers import Limits, in_order
from crosshead.types import Document

T = TypeVar("T")


def read_all(
    paths: Sequence[str | Path],
    make: Callable[[Document], Iterable[T]],
    options: ExtractOptions | None = None,
    *,
    is_only: bool = True,
) -> Iterator[T]:
    """Read files, folders and archives, and yield what `make` returns for each document.

    A document that fails is logged as a warning and the rest is read; a file that is the only path raises its error,
    unless `is_only` is False because there are other sources.
    """
    options = options or ExtractOptions()
    for path in paths:
        if not os.path.exists(path):
            raise IngestError(no_such_path(path))
        files = [*(files_in if os.path.isdir(path) else files_at)(os.fspath(path))]
        for file, found in zip(files, _read_files(files, options), strict=True):
            is_alone = is_only and len(paths) == 1 and file.whole_path == os.fspath(path)
            yield from attempt(file.whole_path, partial(_make, found, make), is_only=is_alone)


def attempt(name: str, work: Callable[[], Iterable[T]], *, is_only: bool = False) -> list[T]:
    """Return what work on one document makes. If it fails, log that and return nothing, or raise if `is_only`."""
    try:
        return [*work()]
    except BaseException as error:
        reason = failure_of(error, name).reason
        if is_only:
            raise
        log_warnings([reason], name)
        return []


def _read_files(files: Sequence[FoundFile], options: ExtractOptions) -> Iterator[Document | Exception]:
    return in_order(
        sendable(partial(_read_file, options)),
        files,
        useful_jobs(files, _size_of),
        give_up=lambda _, error: error,
        limits_of=lambda file: Limits.of(options, _size_of(file)),
    )


def _read_file(options: ExtractOptions, file: FoundFile) -> Document | Exception:
    if file.problem:
        raise ExtractError(file.problem, file.whole_path)
    return read_document(Path(file.whole_path), options=options)


def _make(found: Document | Exception, make: Callable[[Document], Iterable[T]]) -> Iterable[T]:
    if isinstance(found, Exception):
        raise found
    log_warnings(found.warnings, found.source)
    return make(found)


def _size_of(file: FoundFile) -> int:
    return file_size(file.path)


def read_text(text: str, metadata: Mapping[str, Any], name: str = TEXT_SOURCE) -> Document:
    """Make a document of Markdown, with the source and the format that loaders and readers write into metadata."""
    source = str(metadata.get("source") or metadata.get("file_path") or name)
    format = str(metadata.get("format") or "markdown")
    document = parse_document(text, source=source, format=format, metadata=metadata)
    log_warnings(document.warnings, source)
    return document
