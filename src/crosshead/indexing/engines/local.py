"""Files -> rows, in worker processes of this machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from crosshead.indexing.engines.base import FileResult, MadeFile, prepare_guarded, size_of
from crosshead.indexing.recipe import Recipe
from crosshead.indexing.steps.source_file import SourceFile
from crosshead.pipeline import sendable
from crosshead.runtime.processes import Outcome, failed, useful_jobs
from crosshead.runtime.workers import Limits, in_order


class LocalEngine:
    """Reads and chunks files on this machine; the caller embeds, and encodes many documents at once."""

    notes = ()
    index_vectors = None

    def __init__(self, recipe: Recipe, jobs: int | None = None) -> None:
        self._recipe = recipe
        self._jobs = jobs

    def make(self, files: Sequence[SourceFile]) -> Iterator[FileResult]:
        """Yield the result for every file, in order."""
        jobs = self._jobs or useful_jobs(files, size_of)
        step = sendable(partial(_make, self._recipe))
        return map(FileResult, files, in_order(step, files, jobs, give_up=_give_up, limits_of=self._limits))

    def _limits(self, file: SourceFile) -> Limits:
        return Limits.of(self._recipe.extract, size_of(file))

    def close(self) -> None:
        """Do nothing: no resources are held."""


def _make(recipe: Recipe, file: SourceFile) -> Outcome[MadeFile]:
    outcome = prepare_guarded(recipe, file)
    return outcome.holding(MadeFile(*outcome.value) if outcome.value else None)


def _give_up(file: SourceFile, error: Exception) -> Outcome[MadeFile]:
    return failed(file.source, error)
