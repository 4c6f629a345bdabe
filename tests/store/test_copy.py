"""A copy holds what the original holds, whatever the stores are."""

from __future__ import annotations

import random
from pathlib import Path

import lance
import pytest
from tests.store.conformance import GUIDE, HOSTILE, JAPANESE, RUSSIAN, of_several_files, small, write
from tests.support.stored_documents import SETTINGS, make_rows

from crosshead.ids import content_hash
from crosshead.store import copy
from crosshead.store.lance.location.folder import Folder
from crosshead.store.lance.store import LanceStore
from crosshead.types import Chunk, DocumentRows

EXAMPLES = Path(__file__).parents[2] / "examples" / "docs"
DOCUMENTS = [
    small(),
    small(RUSSIAN, "ru.md", date="2026-01-31"),
    small(JAPANESE, "ja.md", metadata={"team": "infra"}),
    small(f"{HOSTILE}\n".replace("\ud800", ""), f"{HOSTILE}.md".replace("\ud800", "")),
    small(GUIDE.replace(" the ", " another "), "waiting.md", embedded=False),
    make_rows("# Long\n\nalpha\fbeta\fgamma\n", "windows.md"),
    make_rows("", "empty.md"),
    of_several_files(),
    make_rows("## Deep\n\nx\n\n###### Deeper\n\ny\n\n# Top\n\nz\n\n# Top\n\nz\n", "odd.md"),
    *(make_rows(path.read_text(), path.name) for path in sorted(EXAMPLES.glob("*.md"))),
]


def text_hash(chunk: Chunk) -> str:
    return content_hash(chunk.content)


@pytest.fixture
def original(tmp_path: Path) -> LanceStore:
    store = LanceStore(Folder(tmp_path / "original"), create=SETTINGS)
    write(store, *random.Random(1).sample(DOCUMENTS, len(DOCUMENTS)))
    return store


def all_rows(store: LanceStore) -> list[dict[str, object]]:
    rows = lance.dataset(store.table.location.table).to_table().to_pylist()
    return sorted(rows, key=lambda row: row["key"])


@pytest.mark.parametrize("at_once", [1, 3, 100])
def test_every_row_is_the_same(
    original: LanceStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(copy, "DOCUMENTS_AT_ONCE", at_once)
    target = LanceStore(Folder(tmp_path / "target"), create=SETTINGS)
    with original.lock(), target.lock():
        assert copy.copy_documents(original, target, original.location, text_hash) == len(DOCUMENTS)
    assert all_rows(target) == all_rows(original)


@pytest.mark.parametrize("rows", DOCUMENTS, ids=lambda rows: rows.document.source[:12])
def test_documents_are_read_as_they_were_written(original: LanceStore, rows: DocumentRows) -> None:
    (found,) = copy.read_documents(original, [rows.document.id], text_hash)
    assert (found.document, found.sections) == (rows.document, rows.sections)
    assert [each.chunk for each in found.chunks] == [each.chunk for each in rows.chunks]


def test_an_empty_store_is_copied(tmp_path: Path) -> None:
    source, target = (LanceStore(Folder(tmp_path / name), create=SETTINGS) for name in "ab")
    assert copy.copy_documents(source, target, source.location, text_hash) == 0
