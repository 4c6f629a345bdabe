"""The interface of an engine, which turns files into rows: here or on a cluster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Literal, NamedTuple, Protocol, get_args

from crosshead.errors import OptionsError
from crosshead.indexing.engines.cluster import import_ray
from crosshead.indexing.recipe import Recipe
from crosshead.indexing.steps.prepare import PreparedFile, prepare_file
from crosshead.indexing.steps.source_file import SourceFile
from crosshead.runtime.processes import Outcome, file_size, guarded
from crosshead.types import DocumentRows, Embedder, EncodedRows, EncodeRows, IndexVectors

EngineName = Literal["local", "ray"]


class MadeFile(NamedTuple):
    """The rows of a file."""

    rows: DocumentRows | EncodedRows
    lasting_digest: str
    """As in `FileContent`."""


class FileResult(NamedTuple):
    """The result for one file."""

    file: SourceFile
    outcome: Outcome[MadeFile]
    embedded: int = 0
    """How many of its texts the engine embedded."""


class Engine(Protocol):
    """Reads and chunks files; an engine that embeds as well skips texts whose vectors the index has."""

    @property
    def notes(self) -> Sequence[str]:
        """What is worth knowing about the run, apart from its documents."""

    @property
    def index_vectors(self) -> IndexVectors | None:
        """Builds the index of very many vectors; None leaves that to the store."""

    def make(self, files: Sequence[SourceFile]) -> Iterator[FileResult]:
        """Yield the result for every file, in any order; an error is part of the outcome."""

    def close(self) -> None:
        """Release the resources of the engine."""


def check_engine(name: str) -> None:
    """Raise an error if the engine is unknown or not installed."""
    if name not in get_args(EngineName):
        raise OptionsError(f"engine={name!r} is not one of {', '.join(get_args(EngineName))}")
    if name == "ray":
        import_ray()


def is_instant(embedder: Embedder | None) -> bool:
    """Return whether embedding is so quick that vectors are written together with the documents."""
    return bool(getattr(embedder, "is_instant", False))


def prepare_guarded(recipe: Recipe, file: SourceFile) -> Outcome[PreparedFile]:
    """Prepare a file; an error is part of the outcome."""
    return guarded(file.source, lambda: prepare_file(recipe, file))


def encoded(rows: DocumentRows, encode: EncodeRows) -> DocumentRows | EncodedRows:
    """Return encoded rows; those that cannot be encoded as they are, for the process that commits to report why."""
    with suppress(Exception):
        return encode(rows)
    return rows


def size_of(file: SourceFile) -> int:
    """Return the size of a file in bytes, 0 if it is unknown."""
    return file_size(file.path)
