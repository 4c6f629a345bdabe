"""What makes rows of files, wherever that happens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, Protocol, get_args

from crosshead.errors import OptionsError
from crosshead.indexing.engines.cluster import import_ray
from crosshead.indexing.prepare import PreparedFile, SourceFile, prepare_file
from crosshead.indexing.recipe import Recipe
from crosshead.runtime.processes import Outcome, file_size, guarded
from crosshead.types import Embedder, IndexVectors

EngineName = Literal["local", "ray"]


class FileResult(NamedTuple):
    """What became of one file."""

    file: SourceFile
    outcome: Outcome[PreparedFile]
    embedded: int = 0
    """Texts of it whose vectors were made with the rows."""


class Engine(Protocol):
    """Reads and cuts files; those that embed as well leave out what the index has vectors for."""

    @property
    def notes(self) -> Sequence[str]:
        """What is worth knowing about the run, apart from its documents."""

    @property
    def index_vectors(self) -> IndexVectors | None:
        """What indexes very many vectors; None where the store does that best."""

    def make(self, files: Sequence[SourceFile]) -> Iterator[FileResult]:
        """Return what became of every file, in any order; what is wrong with one is told in its outcome."""

    def close(self) -> None:
        """Let go of what was needed for it."""


def check_engine(name: str) -> None:
    """Raise an error if there is no engine of this name, or none here."""
    if name not in get_args(EngineName):
        raise OptionsError(f"engine={name!r} is not one of {', '.join(get_args(EngineName))}")
    if name == "ray":
        import_ray()


def is_instant(embedder: Embedder | None) -> bool:
    """Return whether vectors take so little time that nothing needs to be found without them first."""
    return bool(getattr(embedder, "is_instant", False))


def prepare_guarded(recipe: Recipe, file: SourceFile) -> Outcome[PreparedFile]:
    """Prepare a file; an error is part of the outcome."""
    return guarded(file.source, lambda: prepare_file(recipe, file))


def size_of(file: SourceFile) -> int:
    """Return the bytes of a file, 0 if that cannot be known."""
    return file_size(file.path)
