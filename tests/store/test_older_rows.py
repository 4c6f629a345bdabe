"""Rows of the older layout become documents like any others."""

from __future__ import annotations

import json
from pathlib import Path

import psycopg
import pytest
from hypothesis import given, settings
from tests.store.legacy import Row, expect_moved, legacy_rows, write_legacy
from tests.support.stored_documents import WordEmbedder

from crosshead.index import Index
from crosshead.store.postgres.legacy import migrate
from crosshead.store.postgres.legacy.rows import AdoptedDocument, OlderRow, adopt
from crosshead.store.records import from_record
from crosshead.types import Chunk

GUIDE = [
    Row(1, None, 1, "H1", "Guide", None, 1, 1, "no_vec"),
    Row(2, 1, 1, "H1-chunk", "Guide\nWelcome to the guide.", None, 3, 3, "to_vec"),
    Row(3, 1, 1, "H2", "Install", None, 5, 5, "no_vec"),
    Row(4, 3, 1, "H2-chunk", "Guide > Install\nInstall it\nwith pip.", None, 7, 8, "to_vec"),
    Row(5, 3, 1, "H2-chunk", "Written elsewhere.\nLeft alone.", None, 10, 11, "to_vec"),
    Row(6, 1, 1, "H2", "Use", None, 13, 13, "no_vec"),
    Row(7, None, 1, "H1-chunk", "", None, 15, 15, "no_vec"),
]


def adopted(rows: list[Row]) -> AdoptedDocument:
    moved = expect_moved(rows)
    older = [OlderRow(row.id, row.parent_id, row.level, row.content, row.start_line, row.end_line) for row in moved]
    return adopt("guide", "Guide", older)


def test_a_document_is_put_together() -> None:
    made = adopted(GUIDE)
    assert made.document.text == (
        "# Guide\n\nWelcome to the guide.\n\n## Install\n\nInstall it\nwith pip.\n\n"
        "Written elsewhere.\nLeft alone.\n\n## Use\n\n"
    )
    assert [section.path for section in made.sections.values()] == [("Guide",), ("Guide", "Install"), ("Guide", "Use")]
    assert {row: chunk.section_path for row, chunk in made.chunks.items()} == {
        2: ("Guide",), 4: ("Guide", "Install"), 5: ("Guide", "Install"), 7: (),
    }  # fmt: skip
    welcome, install, elsewhere, empty = made.chunks.values()
    assert (install.part, install.parts, install.parent_chunk_id) == (0, 2, welcome.id)
    assert (welcome.next_id, elsewhere.prev_id) == (install.id, install.id)
    assert install.citation == "guide:7-8"
    assert not empty.indexable


def test_rows_follow_the_tree_then_lines_then_ids() -> None:
    rows = [
        OlderRow(1, None, "H1", "B", 10, 10),
        OlderRow(2, None, "H1", "A", 1, 1),
        OlderRow(3, 1, "H1-chunk", "late", 12, 12),
        OlderRow(4, 1, "H1-chunk", "early", 11, 11),
        OlderRow(5, 99, "H1-chunk", "parent in another work", None, None),
    ]
    texts = adopt("s", "t", rows).document.text.split("\n\n")
    assert texts == ["# A", "# B", "early", "late", "parent in another work"]


def test_circles_are_left_out() -> None:
    rows = [OlderRow(1, 2, "H1", "A", 1, 1), OlderRow(2, 1, "H2", "B", 2, 2), OlderRow(3, None, "H1-chunk", "x", 3, 3)]
    made = adopt("s", "t", rows)
    assert (list(made.sections), list(made.chunks)) == ([], [3])


@settings(max_examples=60)
@given(legacy_rows())
def test_guarantees_hold_for_any_rows(rows: list[Row]) -> None:
    made = adopted(rows)
    text, contents = made.document.text, {row.id: row.content for row in expect_moved(rows)}
    assert made.sections.keys() | made.chunks.keys() == contents.keys()
    ids = [each.id for each in (made.root, *made.sections.values(), *made.chunks.values())]
    assert len(set(ids)) == len(ids)
    sections = {section.id: section for section in (made.root, *made.sections.values())}
    last_end = 0
    for row, chunk in made.chunks.items():
        assert text[chunk.start : chunk.end] == chunk.content == (contents[row] or "")
        assert chunk.start >= last_end
        last_end = chunk.end
        section = sections[chunk.section_id]
        assert section.start <= chunk.start <= chunk.end <= section.end
        assert chunk.section_path == section.path
        assert Chunk.from_json(json.loads(json.dumps(chunk.to_json()))) == chunk
    for section in made.sections.values():
        above = sections[section.parent_id or ""]
        assert above.start <= section.start <= section.end <= above.end
        assert text[section.start :].startswith("#" * section.level)


def test_rows_are_found_and_read_as_chunks(database: str) -> None:
    write_legacy(database, GUIDE)
    migrate.upgrade(database)
    made = adopted(GUIDE)
    with psycopg.connect(database) as connection:
        found = connection.execute(
            "SELECT id, record, content FROM chunks WHERE content_tsvector @@ %s::tsquery ORDER BY id",
            ["'instal' & 'guid'"],
        ).fetchall()
        assert [row for row, _, _ in found] == [4, 5]  # their headings say so
        for row, record, content in found:
            chunk = from_record(record, content)
            assert (chunk.content, chunk.section_path) == (made.chunks[row].content, ("Guide", "Install"))
        works = connection.execute(
            "SELECT source, text, document_id, root_section_id FROM works ORDER BY id"
        ).fetchall()
        assert works[0][:2] == ("Guide", made.document.text)
        assert len({id for row in works for id in row[2:]}) == 4
        assert connection.execute("SELECT count(*) FROM index_settings").fetchone() == (0,)


def test_works_of_one_title_are_told_apart(database: str) -> None:
    write_legacy(database, [])
    with psycopg.connect(database) as connection:
        connection.execute("UPDATE works SET title = 'Guide'")
        connection.execute("INSERT INTO works VALUES (3, NULL), (4, 'Guide (2)')")
    migrate.upgrade(database)
    with psycopg.connect(database) as connection:
        sources = connection.execute("SELECT source FROM works ORDER BY id").fetchall()
    assert [source for (source,) in sources] == ["Guide", "Guide (2)", "work 3", "Guide (2) (4)"]


def test_indexing_the_folder_around_leaves_them_there(database: str, tmp_path: Path) -> None:
    write_legacy(database, GUIDE)
    migrate.upgrade(database)
    (tmp_path / "new.md").write_text("# New\n\ntext\n")
    with Index(database, root=tmp_path, embedder=WordEmbedder()) as index:
        assert index.add(tmp_path).removed == 0
        assert index.sources() == ["Guide", "new.md", "Другая книга"]


def test_a_work_is_removed_although_rows_of_another_hang_below_it(database: str) -> None:
    write_legacy(database, [*GUIDE, Row(8, 3, 2, "H2-chunk", "Elsewhere.", None, 1, 1, "to_vec")])
    migrate.upgrade(database)
    with Index(database, embedder=WordEmbedder()) as index:
        assert index.remove("Guide") == 1
        assert [hit.chunk.content for hit in index.search("elsewhere", mode="lexical")] == ["Elsewhere."]


@pytest.mark.parametrize(("language", "finds"), [("auto", True), ("english", True), ("simple", False)])
def test_their_words_are_those_of_the_language_that_is_chosen(database: str, language: str, finds: bool) -> None:
    write_legacy(database, GUIDE)
    migrate.upgrade(database)
    with Index(database, embedder=WordEmbedder(), language=language) as index:
        assert index.search("install", mode="lexical")
        assert bool(index.search("installing", mode="lexical")) == finds
