"""Files -> rows, in worker processes of this machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from crosshead.indexing.engines.base import FileResult, MadeFile, encoded, prepare_guarded, size_of
from crosshead.indexing.recipe import Recipe
from crosshead.indexing.steps.source_file import SourceFile
from crosshead.indexing.steps.write import NO_TEXTS, pieces_of
from crosshead.pipeline import sendable
from crosshead.runtime.processes import Outcome, failed, useful_jobs
from crosshead.runtime.workers import Limits, in_order
from crosshead.types import EncodeRows


class LocalEngine:
    """Reads and chunks files on this machine; the caller embeds."""

    notes = ()
    index_vectors = None

    def __init__(self, recipe: Recipe, encode: EncodeRows, jobs: int | None = None, *, cuts_pieces: bool) -> None:
        """`cuts_pieces`: the caller embeds the texts before it writes the rows."""
        self._recipe = recipe
        self._encode = encode
        self._jobs = jobs
        self._cuts_pieces = cuts_pieces

    def make(self, files: Sequence[SourceFile]) -> Iterator[FileResult]:
        """Yield the result for every file, in order."""
        jobs = self._jobs or useful_jobs(files, size_of)
        step = sendable(partial(_make, self._recipe, self._encode if jobs > 1 else None, self._cuts_pieces))
        return map(FileResult, files, in_order(step, files, jobs, give_up=_give_up, limits_of=self._limits))

    def _limits(self, file: SourceFile) -> Limits:
        return Limits.of(self._recipe.extract, size_of(file))

    def close(self) -> None:
        """Do nothing: no resources are held."""


def _make(recipe: Recipe, encode: EncodeRows | None, cuts_pieces: bool, file: SourceFile) -> Outcome[MadeFile]:
    """Make the rows of a file; a process that is the only one leaves them to be encoded by the caller."""
    outcome = prepare_guarded(recipe, file)
    if outcome.value is None:
        return outcome.holding(None)
    rows, digest = outcome.value
    if encode is None:
        return outcome.holding(MadeFile(rows, digest))
    texts = pieces_of(recipe, rows) if cuts_pieces else NO_TEXTS
    return outcome.holding(MadeFile(encoded(rows, encode), digest, texts))


def _give_up(file: SourceFile, error: Exception) -> Outcome[MadeFile]:
    return failed(file.source, error)
