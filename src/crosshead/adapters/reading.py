"""Paths that a user names, and texts with metadata -> documents, in the same way for all frameworks."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from crosshead.errors import ExtractError, IngestError
from crosshead.ingest.walk import FoundFile, files_at, files_in, no_such_path
from crosshead.model import Document
from crosshead.options import ExtractOptions
from crosshead.pipeline import TEXT_SOURCE, parse_document, read
from crosshead.processes import failure_of

logger = logging.getLogger("crosshead")
T = TypeVar("T")


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
    for path in paths:
        if not os.path.exists(path):
            raise IngestError(no_such_path(path))
        for file in (files_in if os.path.isdir(path) else files_at)(os.fspath(path)):
            is_alone = is_only and len(paths) == 1 and file.whole_path == os.fspath(path)
            yield from attempt(file.whole_path, partial(_make, file, make, options), is_only=is_alone)


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


def _make(file: FoundFile, make: Callable[[Document], Iterable[T]], options: ExtractOptions | None) -> Iterable[T]:
    if file.problem:
        raise ExtractError(f"{file.whole_path}: {file.problem}")
    return make(read(Path(file.whole_path), options=options))


def read_text(text: str, metadata: Mapping[str, Any], name: str = TEXT_SOURCE) -> Document:
    """Make a document of Markdown; metadata tell its source and format, as loaders and readers write them."""
    source = str(metadata.get("source") or metadata.get("file_path") or name)
    format = str(metadata.get("format") or "markdown")
    return parse_document(text, source=source, format=format, metadata=metadata)
