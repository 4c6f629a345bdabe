"""Sections above and below others, and the chunks of a section."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.stored_documents import SETTINGS, make_hit, make_rows

from crosshead.search.passages.lookup import all_below, chunks_of, quote_section, sections_around, with_enclosing
from crosshead.store.lance.location.folder import Folder
from crosshead.store.lance.store import LanceStore
from crosshead.types import DocumentRows

TEXT = "# Top\n\nAbout it.\n\n## A\n\nalpha\n\n### Deep\n\nbeta\n\n#### Deeper\n\ngamma\n\n## B\n\ndelta\n"


@pytest.fixture
def store(tmp_path: Path) -> LanceStore:
    return LanceStore(Folder(tmp_path / "index"), create=SETTINGS)


def put(store: LanceStore, rows: DocumentRows) -> dict[str, str]:
    """Write a document; return the ids of its sections by title."""
    with store.lock():
        store.replace_documents([rows])
    return {section.title: section.id for section in rows.sections}


def test_sections_above_and_below_are_each_there_once(store: LanceStore) -> None:
    ids = put(store, make_rows(TEXT))
    assert [each.title for each in all_below(store, [ids["A"], ids["Deep"], ids["A"]])] == ["Deep", "Deeper"]
    assert [each.title for each in with_enclosing(store, [ids["Deep"], ids["B"]]).values()] == [
        "Deep", "B", "A", "Top", "",
    ]  # fmt: skip
    assert all_below(store, []) == []


def test_sections_around_hits_are_those_inside_a_joined_chunk_too(store: LanceStore) -> None:
    rows = make_rows(TEXT)
    ids = put(store, rows)
    around = sections_around(store, [make_hit(stored.chunk) for stored in rows.chunks])
    assert set(around) == set(ids.values())


@pytest.mark.parametrize("max_tokens", [12, 400])
def test_chunks_of_a_section_hold_all_of_its_text(store: LanceStore, max_tokens: int) -> None:
    rows = make_rows(TEXT, max_tokens=max_tokens, min_tokens=0)
    put(store, rows)
    for section in rows.sections:
        text = "".join(chunk.content for chunk in chunks_of(store, section))
        assert all(word in text for word in TEXT[section.start : section.end].split())
        assert [each.id for each in chunks_of(store, section)] == [
            stored.chunk.id
            for stored in rows.chunks
            if stored.chunk.start < section.end and section.start < stored.chunk.end
        ]


def test_section_is_quoted_whole(store: LanceStore) -> None:
    ids = put(store, make_rows(TEXT))
    passage = quote_section(store, ids["Deep"], len)
    assert passage is not None
    assert passage.content == "### Deep\n\nbeta\n\n#### Deeper\n\ngamma"
    assert passage.heading_chain == ("Top", "A", "Deep")
    assert quote_section(store, "0", len) is None


def test_section_of_a_document_that_is_removed_meanwhile_is_none(
    store: LanceStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = put(store, make_rows(TEXT))
    monkeypatch.setattr(store, "documents", lambda ids: [])
    assert quote_section(store, ids["Deep"], len) is None
