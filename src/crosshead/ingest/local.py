"""Files -> rows, in processes of this machine where several pay off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from crosshead.ingest.engine import Made, prepare_guarded, size_of
from crosshead.ingest.prepare import SourceFile
from crosshead.ingest.recipe import Recipe
from crosshead.model import DocumentRows
from crosshead.pipeline import has_own_formats
from crosshead.processes import Outcome, given_up, in_order, useful_jobs


class LocalEngine:
    """Reads and cuts files here; vectors are made by whoever takes the rows."""

    index_vectors = None

    def __init__(self, recipe: Recipe, jobs: int | None = None) -> None:
        self._recipe = recipe
        self._jobs = jobs

    def make(self, files: Sequence[SourceFile]) -> Iterator[Made]:
        """Return what became of every file, in order."""
        jobs = self._jobs or useful_jobs(files, size_of)
        if has_own_formats() or callable(self._recipe.extract.ocr):  # another process would not know them
            jobs = 1
        step = partial(prepare_guarded, self._recipe)
        return map(Made, files, in_order(step, files, jobs, give_up=_given_up, start="spawn"))

    def close(self) -> None:
        """Nothing is held open."""


def _given_up(file: SourceFile, error: Exception) -> Outcome[DocumentRows]:
    return given_up(file.source, error)
