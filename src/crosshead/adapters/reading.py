"""Paths that a user names, and texts with metadata -> documents, in the same way for all frameworks."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from crosshead.errors import ExtractError, IngestError
from crosshead.indexing import FoundFile, files_at, files_in, no_such_path
from crosshead.options import ExtractOptions
from crosshead.pipeline import TEXT_SOURCE, parse_document, read, sendable
from crosshead.runtime.processes import collected_notes, failure_of, file_size, useful_jobs
from crosshead.runtime.workers import Limits, in_order
from crosshead.types import Document

logger = logging.getLogger("crosshead")
T = TypeVar("T")


class _Read(NamedTuple):
    """What came of reading a file."""

    document: Document | None
    notes: tuple[str, ...]
    error: Exception | None = None


def read_all(
    paths: Sequence[str | Path],
    make: Callable[[Document], Iterable[T]],
    options: ExtractOptions | None = None,
    *,
    is_only: bool = True,
) -> Iterator[T]:
    """Read files, all documents below folders and in archives, one after the other, and yield what `make` returns.

    A document that fails is warned about and the rest is read; a file that is the only path raises its error, unless
    `is_only` says that there are other sources.
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
    """Return what work on one document makes; if it fails, warn and return nothing, or raise if it is the only one."""
    try:
        return [*work()]
    except BaseException as error:
        reason = failure_of(error).reason
        if is_only:
            raise
        logger.warning("%s", reason if reason.startswith(name) else f"{name}: {reason}")
        return []


def _read_files(files: Sequence[FoundFile], options: ExtractOptions) -> Iterator[_Read]:
    return in_order(
        sendable(partial(_read_file, options)),
        files,
        useful_jobs(files, _size_of),
        give_up=lambda _, error: _Read(None, (), error),
        limits_of=lambda file: Limits.of(options, _size_of(file)),
    )


def _read_file(options: ExtractOptions, file: FoundFile) -> _Read:
    if file.problem:
        raise ExtractError(f"{file.whole_path}: {file.problem}")
    with collected_notes(file.whole_path) as notes:
        return _Read(read(Path(file.whole_path), options=options), tuple(notes))


def _make(found: _Read, make: Callable[[Document], Iterable[T]]) -> Iterable[T]:
    for note in found.notes:
        logger.warning("%s", note)
    if found.document is None:
        raise found.error or RuntimeError("no document, and no error")
    return make(found.document)


def _size_of(file: FoundFile) -> int:
    return file_size(file.path)


def read_text(text: str, metadata: Mapping[str, Any], name: str = TEXT_SOURCE) -> Document:
    """Make a document of Markdown; metadata tell its source and format, as loaders and readers write them."""
    source = str(metadata.get("source") or metadata.get("file_path") or name)
    format = str(metadata.get("format") or "markdown")
    return parse_document(text, source=source, format=format, metadata=metadata)
