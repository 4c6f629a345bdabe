"""Files whose metadata alone have changed -> the rows of their documents, cut again from the stored texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final, NamedTuple

from crosshead import ids, pipeline
from crosshead.indexing.recipe import Recipe
from crosshead.indexing.steps.prepare import file_date, remake_rows
from crosshead.indexing.steps.source_file import SourceFile, with_metadata
from crosshead.runtime.processes import useful_jobs
from crosshead.runtime.workers import in_order
from crosshead.types import DocumentRows, Store, StoredDocument

DOCUMENTS_AT_ONCE: Final = 100


class _Relabeled(NamedTuple):
    """A document to label with the metadata of its file."""

    file: SourceFile
    stored: StoredDocument


def relabel_documents(
    store: Store, recipe: Recipe, files: Sequence[SourceFile]
) -> Iterator[tuple[SourceFile, DocumentRows]]:
    """Yield files with their rows, except those that cannot be cut again: they have to be read."""
    step = pipeline.sendable(partial(_relabel, recipe))
    for at in range(0, len(files), DOCUMENTS_AT_ONCE):
        batch = {ids.document_id(file.source): file for file in files[at : at + DOCUMENTS_AT_ONCE]}
        items = [_Relabeled(batch[each.id], each) for each in store.documents([*batch])]
        jobs = useful_jobs(items, lambda each: len(each.stored.text))
        for item, rows in zip(items, in_order(step, items, jobs, give_up=lambda *_: None), strict=True):
            if rows:
                yield item.file, rows


def _relabel(recipe: Recipe, item: _Relabeled) -> DocumentRows | None:
    file, stored = item
    stored = stored._replace(date=file_date(file.path))
    return remake_rows(recipe, stored, file.own_metadata, with_metadata(stored.revision, file.metadata))
