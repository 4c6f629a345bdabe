"""Index documents into an index in parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from crosshead import indexing
from crosshead.errors import OptionsError
from crosshead.store import find_parts, make_parts
from crosshead.types import Embedder

if TYPE_CHECKING:
    from crosshead.indexing import AddKeywords, AddResult, Progress


def add_to_parts(
    location: str | Path,
    *paths: str | Path,
    parts: int | None = None,
    root: str | Path | None = None,
    embedder: str | Embedder | None = None,
    language: str = "auto",
    wait_seconds: float = 0,
    chunking: Mapping[str, Any] | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    **request: Unpack[AddKeywords],
) -> AddResult:
    """Index files and folders into an index in parts, each with a committer; `Index.join` searches it.

    `parts`: how many parts a new index gets; one that exists keeps its number. A document is in the part that a
    hash of its source names.
    `chunking`: chunking options by name. With `engine="ray"`, a task of the cluster
    brings each part up to date: all nodes must reach `location`. The other keywords are those of `Index` and `add`.
    """
    settings = indexing.IndexSettings(
        root=indexing.whole_path(root),
        embedder=embedder,
        language=None if language == "auto" else language,
        chunking=chunking or {},
    )
    wanted = indexing.AddRequest.make(paths, request)
    known = find_parts(location) if parts is None else make_parts(location, parts)
    if known is None:
        raise OptionsError(f"{location}: no index in parts is here: say how many a new one gets, as in parts=8")
    opened, sources = indexing.open_parts(known, settings, wanted, wait_seconds=wait_seconds)
    with closing(opened):
        return indexing.add_to_parts(opened, wanted, sources=sources, on_progress=on_progress)
