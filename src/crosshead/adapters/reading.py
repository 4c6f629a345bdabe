"""Paths that a user names, and texts with metadata -> documents, in the same way for all frameworks."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from crosshead.errors import IngestError
from crosshead.ingest.walk import files_at, files_in, no_such_path
from crosshead.model import Document
from crosshead.options import ExtractOptions
from crosshead.pipeline import TEXT_SOURCE, parse_document, read

logger = logging.getLogger("crosshead")


def read_all(paths: Iterable[str | Path], options: ExtractOptions | None = None) -> Iterator[Document]:
    """Read files, all documents below folders and in archives, one after the other."""
    for path in paths:
        if not os.path.exists(path):
            raise IngestError(no_such_path(path))
        for file in (files_in if os.path.isdir(path) else files_at)(os.fspath(path)):
            if file.problem:
                logger.warning("%s: %s", file.whole_path, file.problem)
            else:
                yield read(Path(file.whole_path), options=options)


def read_text(text: str, metadata: Mapping[str, Any], name: str = TEXT_SOURCE) -> Document:
    """Make a document of Markdown; metadata tell its source and format, as loaders and readers write them."""
    source = str(metadata.get("source") or metadata.get("file_path") or name)
    format = str(metadata.get("format") or "markdown")
    return parse_document(text, source=source, format=format, metadata=metadata)
