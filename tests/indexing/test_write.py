"""Rows are written together, and what is wrong with one document is that one's failure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.stored_documents import SETTINGS, WordEmbedder, make_rows

from crosshead.errors import Locked, StoreError, Unstorable
from crosshead.indexing.recipe import Recipe
from crosshead.indexing.steps.vectors import VectorSource
from crosshead.indexing.steps.write import DocumentWriter
from crosshead.options import ExtractOptions, chunk_options
from crosshead.store.lance.location.folder import Folder
from crosshead.store.lance.store import LanceStore
from crosshead.store.opening import open_store
from crosshead.types import DocumentRows, Filter, Store

RECIPE = Recipe(chunk_options(), ExtractOptions(), "content", 0, "auto", WordEmbedder.revision)
GOOD = "# Good\n\ntext\n"
EVERYTHING = Filter()


@pytest.fixture(params=["folder", "database"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    place = tmp_path / "index" if request.param == "folder" else request.getfixturevalue("database")
    opened = open_store(place, create=SETTINGS)
    yield opened
    opened.close()


def write(store: Store, documents: Sequence[DocumentRows]) -> DocumentWriter:
    writer = DocumentWriter(store, VectorSource(store, WordEmbedder(), RECIPE))
    with store.lock():
        for each in documents:
            writer.put(each)
        writer.flush()
    return writer


def unstorable(source: str) -> DocumentRows:
    """Numbers that no column has room for, one for each store."""
    rows = make_rows("# Bad\n\ntext\n", source)
    (stored,) = rows.chunks
    return rows._replace(
        sections=(rows.sections[0], rows.sections[1]._replace(level=10**20)),
        chunks=(stored._replace(chunk=replace(stored.chunk, index=2**40)),),
    )


def test_a_document_that_cannot_be_stored_stops_no_other(store: Store) -> None:
    write(store, [make_rows("# Old\n\ntext\n", "changed.md")])
    writer = write(store, [make_rows(GOOD, "a.md"), unstorable("changed.md"), make_rows(GOOD, "b.md"), unstorable("x")])
    assert sorted(writer.failed) == ["changed.md", "x"]
    assert isinstance(writer.failed["x"], Unstorable)
    assert sorted(store.document_revisions()) == ["a.md", "b.md", "changed.md"]
    (found,) = store.search_lexical(["old"], 10, EVERYTHING, heading_weight=1.0)
    assert store.chunks([found.chunk_id])[0].source == "changed.md"


@pytest.mark.parametrize("error", [StoreError("no space left"), Locked("taken"), OSError("gone")])
def test_what_concerns_all_documents_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    store = LanceStore(Folder(tmp_path / "index"), create=SETTINGS)

    def fail(documents: Sequence[DocumentRows]) -> None:
        raise error

    monkeypatch.setattr(store, "replace_documents", fail)
    with pytest.raises(type(error)):
        write(store, [make_rows(GOOD, "a.md"), make_rows(GOOD, "b.md")])
