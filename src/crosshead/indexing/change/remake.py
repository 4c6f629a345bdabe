"""Stored documents -> their rows with other settings, without vectors and without reading files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from crosshead import pipeline
from crosshead.indexing.change.settings import SettingsChange
from crosshead.indexing.embedding.pieces import PieceCutter
from crosshead.indexing.language.choice import language_of
from crosshead.indexing.recipe import Recipe
from crosshead.indexing.steps.prepare import remake_rows
from crosshead.runtime.processes import useful_jobs
from crosshead.runtime.workers import in_order
from crosshead.store import read_rows
from crosshead.types import DocumentRows, Store, StoredDocument


def remake(store: Store, ids: Sequence[str], change: SettingsChange, jobs: int | None) -> list[DocumentRows]:
    """Return the rows of documents after a change; `store` has them as they were before.

    A document that cannot be cut again, which would be a fault of Crosshead, stays as it was cut.
    """
    if not change.cuts:
        return _read(store, ids, change)
    documents = store.documents(ids)
    links = {each.document_id: each for each in store.document_links(ids)}
    step = pipeline.sendable(partial(_recut, change.old_recipe, change.recipe))
    jobs = jobs or useful_jobs(documents, lambda each: len(each.text))
    rows = in_order(step, documents, jobs, give_up=lambda document, _: _read(store, [document.id], change)[0])
    return [each._replace(links=links.get(each.id)) for each in rows]


def _read(store: Store, ids: Sequence[str], change: SettingsChange) -> list[DocumentRows]:
    """Return the stored rows; only the language of their words may be another."""
    rows = read_rows(store, ids, PieceCutter(change.recipe).text_hash)
    if change.recipe.language == change.old_recipe.language:
        return rows
    return [_in_language(each, change.recipe) for each in rows]


def _in_language(rows: DocumentRows, recipe: Recipe) -> DocumentRows:
    return rows._replace(document=rows.document._replace(language=language_of(rows.document.text, recipe)))


def _recut(before: Recipe, after: Recipe, stored: StoredDocument) -> DocumentRows:
    """Cut a document again; its revision says that it is still the same file."""
    return remake_rows(after, stored, _own_metadata(stored, before), stored.revision)


def _own_metadata(stored: StoredDocument, before: Recipe) -> Mapping[str, Any]:
    """Return the metadata that was added with a document; an index stores it together with the front matter."""
    front_matter = pipeline.reopen(stored).front_matter if before.chunk.front_matter == "metadata" else {}
    own = stored.metadata.items()
    return {name: value for name, value in own if name not in front_matter or value != front_matter[name]}
