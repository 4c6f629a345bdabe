"""What any store must do.

A test module of a store defines the fixtures `store` (an empty one made with `SETTINGS`) and `reopen` (a function that
opens the same index once more), and a class that inherits from `StoreConformance`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.support.stored_documents import DIMENSION, SETTINGS, WordEmbedder, make_rows, rows_of, store_chunk

from crosshead import pipeline
from crosshead.errors import EmbedError, OptionsError, StoreError
from crosshead.language.words import words
from crosshead.search.query.words import languages_of
from crosshead.search.retrieve import Retriever
from crosshead.store.verify import inspect_documents
from crosshead.types import (
    Candidate,
    Chunk,
    DocumentRows,
    EmbeddingResult,
    Filter,
    Finding,
    SearchRequest,
    Store,
    StoreContents,
    StoredChunk,
    StoredSection,
    has_key,
    link_key,
)

EVERYTHING = Filter()
GUIDE = """\
# Guide

Welcome to the guide.

## Install

Install the package with pip.

### Linux

On Linux use the zypper command.

## Rotate keys

Rotate the keys every ninety days.
"""
SPANISH = """\
# Contraseñas

La renovación de la contraseña se hace cada día.

## Permisos

Los permisos no son los de la base.
"""
RUSSIAN = "# Руководство\n\n## Ключи\n\nКлючи обновляются каждый день.\n"
JAPANESE = "# 手引き\n\n## 鍵\n\n鍵を毎日回転させる必要があります。\n"
HOSTILE = 'it\'s \\ "quoted" %s {} \x00 \x1f \ud800 \U0001f600 -- ; DROP TABLE rows'

METADATA: dict[str, dict[str, object]] = {
    "a": {"team": "infra", "tags": ["mac", "win"], "year": 2024, "date": "2024-05-01"},
    "b": {"team": "web", "tags": ["mac"], "year": 2026.5, "date": "2026-01-31T10:00:00", "draft": True},
    "c": {"team": None, "tags": [], "year": "2025", "date": "soon", "draft": False},
    "d": {"it's": 'a "b"', "team x": "infra", "year": -3, "sizes": [5, 1e300, "big"]},
    "e": {},
}
METADATA_FILTERS: list[tuple[dict[str, object], str]] = [
    ({"team": "infra"}, "a"),
    ({"team": "Infra"}, ""),
    ({"team": ["infra", "web", "none"]}, "ab"),
    ({"team": {"not": "infra"}}, "bcde"),
    ({"team": {"not": ["infra", "web"]}}, "cde"),
    ({"team": {"exists": True}}, "ab"),
    ({"team": {"exists": False}}, "cde"),
    ({"tags": "mac"}, "ab"),
    ({"tags": {"all": ["mac", "win"]}}, "a"),
    ({"tags": {"all": ["mac", ["win", "x"]]}}, "a"),
    ({"tags": {"not": "win"}}, "bcde"),
    ({"tags": {"exists": True}}, "ab"),
    ({"year": 2024}, "a"),
    ({"year": "2024"}, ""),
    ({"year": {">=": 2024}}, "ab"),
    ({"year": {">": 2024}}, "b"),
    ({"year": {"<": 2024}}, "d"),
    ({"year": {"<=": 2024, ">": -3.5}}, "ad"),
    ({"year": {">": 2026.4, "<": 2026.6}}, "b"),
    ({"year": {">": 9_000}}, ""),
    ({"sizes": {">": 1e299}}, "d"),
    ({"date": {">=": "2024-05-01"}}, "ab"),
    ({"date": {">": "2024-05-01"}}, "b"),
    ({"date": {"<=": date(2026, 1, 31)}}, "ab"),
    ({"date": {"<": "2026-01-31"}}, "a"),
    ({"draft": True}, "b"),
    ({"draft": {">": 0}}, ""),
    ({"it's": 'a "b"'}, "d"),
    ({"it's": {"exists": True}}, "d"),
    ({"team": "infra", "tags": "mac", "year": {"<": 2025}}, "a"),
    ({"none": {"exists": False}}, "abcde"),
    ({"none": "x"}, ""),
]
"""Conditions, and the documents that meet them."""

EXAMPLES = sorted(path for path in (Path(__file__).parents[2] / "examples" / "docs").rglob("*") if path.is_file())

Reopen = Callable[[], Store]

FILTERS: Sequence[tuple[dict[str, Any], str]] = [
    ({"section_filter": "install"}, "ab"),
    ({"section_filter": "INSTALL*"}, "ab"),
    ({"section_filter": "Linux"}, "a"),
    ({"section_filter": "*inu?"}, "a"),
    ({"section_filter": "Guide > Install > *"}, "a"),
    ({"section_filter": "nstall"}, ""),
    ({"titles": ("INSTALL",)}, "ab"),
    ({"titles": ("guide > install > linux", "none")}, "a"),
    ({"titles": ("install*", "lin?x")}, ""),
    ({"titles": ("install",), "section_filter": "linux"}, "a"),
    ({"source": "docs/*"}, "ab"),
    ({"source": "docs/a.md"}, "a"),
    ({"source": "docs/A.md"}, ""),
    ({"source": "docs/?.md"}, "ab"),
    ({"source": "a.md"}, ""),
    ({"source": "*.txt"}, "c"),
    ({"format": "text"}, "c"),
    ({"metadata": {"team": "infra"}}, "a"),
    ({"metadata": {"team": "infra", "year": 2026}}, "a"),
    ({"metadata": {"team": "infra", "year": "2026"}}, ""),
    ({"metadata": {"year": 2026}}, "ab"),
    ({"metadata": {"tags": ["x", "y"]}}, "b"),
    ({"metadata": {"other": None}}, ""),
    ({"since": "2026-01-31"}, "ab"),
    ({"since": "2026-02-01"}, "b"),
    ({"until": "2026-01-31"}, "a"),
    ({"since": "2026-01-01", "until": "2026-12-31"}, "ab"),
    ({"source": "docs/*", "section_filter": "linux", "format": "markdown", "since": "2020-01-01"}, "a"),
]
"""Filters, and the documents of the store `filtered` that they leave: one store answers them all."""


def write(store: Store, *documents: DocumentRows) -> None:
    with store.lock():
        store.replace_documents(documents)


def of_several_files() -> DocumentRows:
    """Return the rows of a document that includes two files, and is cut into chunks of one file and of several."""
    lines = ((1, 1), (5, 1, "parts/install.adoc"), (9, 7, "parts/linux.adoc"), (13, 6))
    document = replace(pipeline.parse_document(GUIDE, source="guide.adoc", format="asciidoc"), lines=lines)
    rows = rows_of(document, max_tokens=30)
    assert len({stored.chunk.source_file for stored in rows.chunks}) > 1
    assert rows.document.lines == lines
    return rows


def lexical(store: Store, query: str, limit: int = 10, filter: Filter = EVERYTHING) -> list[str]:
    return ids(_find(store, query, limit, filter))


def _find(store: Store, query: str, limit: int, filter: Filter) -> list[Candidate]:
    """Search by the words of a query in the languages of the documents."""
    best: dict[str, float] = {}
    for language in languages_of(store.count_languages(), store.settings["language"]):
        for chunk_id, score in store.search_lexical(words(query, language), limit, filter, heading_weight=0.25):
            best[chunk_id] = max(score, best.get(chunk_id, 0.0))
    return [Candidate(*each) for each in sorted(best.items(), key=lambda each: (-each[1], each[0]))[:limit]]


def score(store: Store, query: str) -> list[float]:
    found = _find(store, query, 10, EVERYTHING)
    return [each.score for each in found]


def dense(store: Store, query: str, limit: int = 10, filter: Filter = EVERYTHING) -> list[str]:
    return ids(store.search_dense(WordEmbedder().embed_query(query), limit, filter))


def faults(store: Store) -> list[Finding]:
    found = [*store.inspect(), *inspect_documents(store, lambda chunk: store_chunk(chunk).text_hash)]
    return [each for each in found if each.is_fault]


def embed(chunks: Sequence[Chunk]) -> dict[str, EmbeddingResult]:
    stored = map(store_chunk, chunks)
    return {
        chunk.id: EmbeddingResult(text_hash, vectors, token_vectors=tokens)
        for chunk, text_hash, vectors, tokens in stored
    }


def embed_pending(store: Store, limit: int, seen: list[str] | None = None, skip: Sequence[str] = ()) -> int:
    """Embed some of the chunks that wait, and note them."""

    def note(chunks: Sequence[Chunk]) -> dict[str, EmbeddingResult]:
        if seen is not None:
            seen.extend(chunk.id for chunk in chunks)
        return embed(chunks)

    with store.lock():
        return store.embed_pending(limit, note, skip=skip)


def ids(found: Sequence[Candidate]) -> list[str]:
    return [each.chunk_id for each in found]


def chunk_ids(rows: DocumentRows) -> list[str]:
    return [stored.chunk.id for stored in rows.chunks]


def chunk_with(rows: DocumentRows, text: str) -> str:
    return next(stored.chunk.id for stored in rows.chunks if text in stored.chunk.content)


def _finds(store: Store, rows: DocumentRows, section: StoredSection) -> bool:
    """Return whether the breadcrumb of a section finds text of it, which need not be the only one."""
    filter = Filter(section_filter=" > ".join(section.path), source=rows.document.source)
    found = store.chunks(dense(store, "text", 500, filter))
    return any(chunk.start < section.end and section.start < chunk.end for chunk in found)


def small(text: str = GUIDE, source: str = "guide.md", **given: object) -> DocumentRows:
    """A document of which every section is a chunk."""
    return make_rows(text, source, max_tokens=16, min_tokens=0, target_tokens=4, **given)  # type: ignore[arg-type]


class StoreConformance:
    """The contract of a store."""

    def test_links_are_found_from_both_ends(self, store: Store, reopen: Reopen) -> None:
        texts = {"a": "# A\n\n[b](b.md#two) [gone](c.md)\n", "b": "# B\n\n## Two {#two}\n", "d": "# D\n"}
        rows = [make_rows(text, f"{name}.md") for name, text in texts.items()]
        write(store, *rows)
        for each in (store, reopen()):
            assert each.document_links([rows[1].id, "none", rows[0].id]) == [rows[1].links, rows[0].links]
            assert each.linked_documents([link_key("page:b")], 9) == [rows[0].links]
            assert each.linked_documents([has_key("page:b"), has_key("page:a")], 9) == [rows[0].links, rows[1].links]
            assert each.linked_documents([has_key("page:b"), has_key("page:a")], 1) in (
                [rows[0].links],
                [rows[1].links],
            )
            assert each.linked_documents([link_key("page:d"), has_key("page:e")], 9) == []
        write(store, make_rows("# A\n", "a.md"))
        assert store.linked_documents([link_key("page:b")], 9) == []
        with store.lock():
            store.delete_documents([rows[1].id])
        assert store.document_links([rows[1].id]) == []

    def test_odd_links(self, store: Store) -> None:
        rows = make_rows(f"# A\n\n[{HOSTILE}](x\ud800.md) [[{'y' * 400}]] [z]({'z' * 1_900}.md)\n", "a.md")
        assert rows.links is not None
        assert len(rows.links.links) > 1
        write(store, rows)
        (found,) = store.document_links([rows.id])
        assert [each.start for each in found.links] == [each.start for each in rows.links.links]

    def test_documents_are_listed_by_source_with_their_sizes(self, store: Store) -> None:
        guide, other = make_rows(GUIDE, "z/guide.md"), make_rows(RUSSIAN, "a.md", embedded=False)
        write(store, guide, other)
        listed = store.list_documents([guide.document.id, "none", other.document.id])
        assert [(each.source, each.format, each.characters) for each in listed] == [
            ("a.md", "markdown", len(RUSSIAN)),
            ("z/guide.md", "markdown", len(GUIDE)),
        ]
        assert [(each.chunks, each.pending, each.failed) for each in listed] == [
            (len(other.chunks), len(other.chunks), 0),
            (len(guide.chunks), 0, 0),
        ]
        assert store.list_documents([]) == []

    def test_sizes_are_of_all_parts(self, store: Store) -> None:
        assert store.sizes().token_vectors == 0
        write(store, *(make_rows(f"{GUIDE}\n\nPage {number}.\n", f"{number}.md") for number in range(20)))
        sizes, total = asdict(store.sizes()), store.size_bytes()
        assert all(sizes[part] for part in ("texts", "words", "vectors", "token_vectors", "lookup"))
        assert abs(sum(sizes.values()) - total) < 0.1 * total

    def test_ids_are_found_by_their_beginning(self, store: Store) -> None:
        rows = small()
        write(store, rows)
        known = {*(each.chunk.id for each in rows.chunks), *(each.id for each in rows.sections)}
        for id in known:
            assert store.ids_starting_with(id, 10) == [id]
            assert store.ids_starting_with(id[:4], 10) == sorted(each for each in known if each.startswith(id[:4]))
        assert len(store.ids_starting_with("", 2)) == 2
        assert set(store.ids_starting_with("", 100)) == known
        assert not any(store.ids_starting_with(each, 10) for each in (HOSTILE, "%", "_", "zzzz"))

    def test_titles_are_found_by_the_beginning_of_a_word(self, store: Store) -> None:
        other = "# Install\n\nOnce.\n\n## Do not INSTALL this\n\nA > b.\n\n## Reinstall\n\nNever.\n"
        write(store, small(), small(other, "other.md"), small(RUSSIAN, "russian.md"))
        assert store.complete_titles("inst", 10) == ["Install", "Do not INSTALL this"]
        assert store.complete_titles("KEYS", 10) == ["Rotate keys"]
        assert store.complete_titles("Ключ", 10) == ["Ключи"]
        assert store.complete_titles("install", 1) == ["Install"]
        assert not any(store.complete_titles(each, 10) for each in ("guide > i", HOSTILE, "(.*"))

    def test_a_changed_setting_is_stored(self, store: Store, reopen: Reopen) -> None:
        for root in ("/first", "/second"):
            with store.lock():
                store.change_setting("root", root)
            assert store.settings["root"] == reopen().settings["root"] == root
        with store.lock():
            store.change_setting("root", None)
        assert "root" not in store.settings
        assert "root" not in reopen().settings
        write(store, small())

    def test_an_empty_store_finds_nothing(self, store: Store) -> None:
        assert store.document_revisions() == {}
        assert store.chunks(["a"]) == []
        assert store.documents(["a"]) == []
        assert store.sections(["a"]) == []
        assert store.subsections(["a"]) == []
        assert store.section_chunks(["a"]) == []
        assert store.known_vectors(["a"]) == {}
        assert embed_pending(store, 10) == 0
        assert store.contents() == StoreContents(0, 0, 0, 0, 0)
        assert lexical(store, "install") == []
        assert dense(store, "install") == []

    def test_writing_nothing_is_no_work(self, store: Store) -> None:
        with store.lock():
            store.replace_documents([])
            store.delete_documents([])
            store.reset_failed()
            store.maintain()
        assert store.document_revisions() == {}

    def test_settings_are_those_of_the_creation(self, store: Store, reopen: Reopen) -> None:
        for name, value in SETTINGS.items():
            assert store.settings[name] == value
            assert reopen().settings[name] == value

    def test_what_is_written_comes_back_equal(self, store: Store, reopen: Reopen) -> None:
        rows = small(metadata={"team": "infra", "year": 2026}, date="2026-01-31")
        write(store, rows)
        for each in (store, reopen()):
            assert each.documents([rows.document.id]) == [rows.document]
            assert each.sections([section.id for section in rows.sections]) == list(rows.sections)
            assert each.chunks(chunk_ids(rows)) == [stored.chunk for stored in rows.chunks]
            assert each.document_revisions() == {"guide.md": rows.document.revision}

    def test_pages_and_lines_of_a_document_come_back(self, store: Store) -> None:
        rows = small()
        rows = rows._replace(document=rows.document._replace(pages=((1, 1), (5, 2)), lines=((1, 3),)))
        write(store, rows)
        assert store.documents([rows.document.id]) == [rows.document]

    def test_lines_of_several_files_come_back(self, store: Store, reopen: Reopen) -> None:
        rows = of_several_files()
        write(store, rows)
        for each in (store, reopen()):
            assert each.documents([rows.document.id]) == [rows.document]
            assert each.chunks(chunk_ids(rows)) == [stored.chunk for stored in rows.chunks]

    def test_ids_that_do_not_exist_are_left_out_and_the_order_is_kept(self, store: Store) -> None:
        rows = small()
        write(store, rows)
        first, second, *_ = chunk_ids(rows)
        assert [chunk.id for chunk in store.chunks([second, "none", first, second])] == [second, first, second]

    def test_a_kind_is_not_taken_for_another(self, store: Store) -> None:
        rows = small()
        write(store, rows)
        assert store.chunks([rows.document.id, rows.sections[0].id]) == []
        assert store.documents(chunk_ids(rows)) == []
        assert store.sections(chunk_ids(rows)) == []

    def test_many_ids_at_once(self, store: Store) -> None:
        rows = small()
        write(store, rows)
        asked = [f"{number:016x}" for number in range(1_200)] + chunk_ids(rows)
        assert [chunk.id for chunk in store.chunks(asked)] == chunk_ids(rows)

    def test_sections_below_and_chunks_of_a_section_are_in_order(self, store: Store) -> None:
        rows = small()
        write(store, rows)
        root, guide, install = rows.sections[:3]
        assert [section.title for section in store.subsections([guide.id])] == ["Install", "Rotate keys"]
        assert [section.title for section in store.subsections([root.id])] == ["Guide"]
        assert [section.title for section in store.subsections([install.id])] == ["Linux"]
        of_install = store.section_chunks([install.id])
        assert [chunk.section_path for chunk in of_install] == [("Guide", "Install")]
        everything = store.section_chunks([section.id for section in rows.sections])
        assert [chunk.id for chunk in everything] == chunk_ids(rows)

    def test_replacing_leaves_nothing_of_the_old_version(self, store: Store) -> None:
        old, new = small(), small("# Guide\n\n## Upgrade\n\nUpgrade the package.\n")
        write(store, old, small("# Other\n\nInstall another thing.\n", "other.md"))
        write(store, new)
        assert store.document_revisions()["guide.md"] == new.document.revision
        gone = set(chunk_ids(old)) - set(chunk_ids(new))
        assert store.chunks(sorted(gone)) == []
        assert not gone.intersection(lexical(store, "rotate keys install zypper"))
        assert not gone.intersection(dense(store, "rotate keys install zypper", 100))
        assert chunk_with(new, "Upgrade the") in lexical(store, "upgrade")
        assert store.chunks(lexical(store, "another"))[0].source == "other.md"

    def test_replacing_with_the_same_rows_changes_nothing(self, store: Store) -> None:
        rows = small()
        for _ in range(3):
            write(store, rows)
        assert sorted(dense(store, "guide", 100)) == sorted(chunk_ids(rows))
        assert lexical(store, "zypper") == [chunk_with(rows, "zypper")]

    def test_a_document_given_twice_is_stored_once(self, store: Store) -> None:
        write(store, small(), small("# Guide\n\nThe last one counts.\n"))
        assert lexical(store, "zypper") == []
        assert len(lexical(store, "counts")) == 1

    def test_deleting_removes_all_of_a_document_and_nothing_else(self, store: Store) -> None:
        guide, other = small(), small("# Other\n\nSomething else.\n", "other.md")
        write(store, guide, other)
        with store.lock():
            store.delete_documents([guide.document.id, "none"])
        assert store.document_revisions() == {"other.md": other.document.revision}
        assert store.chunks(chunk_ids(guide)) == []
        assert store.sections([section.id for section in guide.sections]) == []
        assert lexical(store, "zypper") == []
        assert dense(store, "zypper", 100) == chunk_ids(other)

    def test_rows_are_found_before_and_after_upkeep(self, store: Store) -> None:
        write(store, small())
        late = small("# Late\n\nA pangolin came late.\n", "late.md")
        write(store, late)
        assert lexical(store, "pangolin") == chunk_ids(late)
        assert dense(store, "pangolin came late", 1) == chunk_ids(late)
        with store.lock():
            store.maintain()
        assert lexical(store, "pangolin") == chunk_ids(late)
        assert dense(store, "pangolin came late", 1) == chunk_ids(late)

    def test_many_small_commits(self, store: Store) -> None:
        for number in range(25):
            write(store, small(f"# Page {number}\n\nThe word of page {number} is w{number}x.\n", f"{number}.md"))
        assert len(store.document_revisions()) == 25
        assert all(len(lexical(store, f"w{number}x")) >= 1 for number in (0, 12, 24))

    # ------------------------------------------------------------------ inspection

    def test_sound_store_has_no_faults(self, store: Store) -> None:
        write(store, small(), make_rows(f"# {HOSTILE}\n\n{HOSTILE}\n", "hostile.md"), make_rows("", "empty.md"))
        write(store, small(GUIDE.replace("ninety", "thirty")))
        assert faults(store) == []

    def test_document_that_is_not_as_it_was_made_is_found(self, store: Store) -> None:
        spoiled: Mapping[str, Callable[[StoredChunk], StoredChunk]] = {
            "is not a slice": lambda each: each._replace(chunk=replace(each.chunk, content="Other words.")),
            "not the one that was indexed": lambda each: each._replace(
                chunk=replace(each.chunk, content_hash="0" * 64)
            ),
            "does not exist": lambda each: each._replace(chunk=replace(each.chunk, prev_id="0" * 16)),
            "length 1": lambda each: each._replace(vectors=2 * each.vectors),
        }
        for number, spoil in enumerate(spoiled.values()):
            rows = small(f"{GUIDE}\nNumber {number}.\n", f"{number}.md")
            write(store, rows._replace(chunks=(*rows.chunks[:-1], spoil(rows.chunks[-1]))))
        write(store, small("# Sound\n", "sound.md"))
        found = {each.message.partition(": ")[0]: each for each in faults(store)}
        assert len(faults(store)) == len(found) == len(spoiled)
        for number, message in enumerate(spoiled):
            assert message in found[f"{number}.md"].message
            assert found[f"{number}.md"].repair == f"crosshead remove {number}.md, and index it again"

    def test_text_that_is_not_the_one_that_was_hashed_is_found(self, store: Store) -> None:
        rows = small()
        write(store, rows._replace(document=rows.document._replace(content_hash="0" * 64)))
        assert [each.message for each in faults(store)] == ["guide.md: its text is not the one that was indexed"]

    # ------------------------------------------------------------------ lexical

    def test_best_lexical_hit_comes_first(self, store: Store) -> None:
        rows = small()
        write(store, rows)
        assert lexical(store, "rotating the key")[0] == chunk_with(rows, "Rotate the")

    def test_lexical_scores_are_shares_of_the_best_there_could_be(self, store: Store) -> None:
        others = (
            small(f"# T{number}\n\nOrdinary text {number}, of the usual length.\n", f"{number}.md")
            for number in range(30)
        )
        write(store, small("# Zebra\n\nzebra zebra zebra zebra zebra zebra\n"), *others)
        [best] = score(store, "zebra")
        assert 0.7 < best <= 1.1
        half = score(store, "zebra unheardof")[0]
        assert half == pytest.approx(best / 2, rel=0.2)
        assert score(store, "zebra zebra") == [pytest.approx(best)]
        assert score(store, "ordinary")[0] == pytest.approx(score(store, "usual")[0], rel=0.3)

    def test_lexical_search_knows_headings(self, store: Store) -> None:
        rows = small("# Top\n\n## Zebra\n\nFirst text.\n\nSecond text, long enough to stand alone in a chunk.\n")
        write(store, rows)
        assert set(lexical(store, "zebra")) == {
            stored.chunk.id for stored in rows.chunks if "Zebra" in stored.chunk.section_path
        }

    def test_languages_other_than_english_are_found(self, store: Store) -> None:
        write(
            store, small(RUSSIAN, "ru.md"), small(JAPANESE, "ja.md"), small("# Other\n\nSomething else.\n", "other.md")
        )
        for source, queries in {"ru.md": ("ежедневное обновление ключа", "КЛЮЧИ"), "ja.md": ("毎日", "回転")}.items():
            for query in queries:
                assert {chunk.source for chunk in store.chunks(lexical(store, query))} == {source}, query

    def test_languages_are_counted_and_come_back_with_documents(self, store: Store, reopen: Reopen) -> None:
        write(store, small(), small(SPANISH, "guía.md", metadata={"language": "en"}), small(RUSSIAN, "ru.md"))
        assert dict(reopen().count_languages()) == dict(store.count_languages()) == {"en": 1, "es": 1, "ru": 1}
        spanish = small(SPANISH, "guía.md").document
        assert store.documents([spanish.id])[0].language == store.list_documents([spanish.id])[0].language == "es"
        store_without = small(SPANISH, "guía.md")
        with store.lock():
            store.delete_documents([store_without.document.id])
        assert dict(store.count_languages()) == {"en": 1, "ru": 1}

    def test_metadata_is_not_taken_for_a_language(self, store: Store) -> None:
        earlier = small(SPANISH, "guía.md", metadata={"es": 1})
        write(store, earlier._replace(document=earlier.document._replace(language="")))
        assert dict(store.count_languages()) == {"": 1}

    def test_a_question_finds_text_of_its_language_among_many_others(self, store: Store) -> None:
        write(store, small(SPANISH, "guía.md"))
        (alone,) = (each.score for each in _find(store, "renovar la contraseña", 1, EVERYTHING))
        write(store, *(small(f"{GUIDE}\nThe base of number {each}.\n", f"{each}.md") for each in range(20)))
        (best,) = _find(store, "renovar la contraseña", 1, EVERYTHING)
        assert store.chunks([best.chunk_id])[0].source == "guía.md"
        assert best.score == pytest.approx(alone, abs=0.15)

    def test_words_are_read_again_in_another_language(self, store: Store) -> None:
        rows = small(SPANISH, "guía.md")
        earlier = rows._replace(document=rows.document._replace(language=""))
        write(store, earlier, small())
        wanted = words("renovaciones", "es")
        assert not store.search_lexical(wanted, 5, EVERYTHING, heading_weight=0.25)
        with store.lock():
            store.set_languages({rows.document.id: "es"})
        assert store.search_lexical(wanted, 5, EVERYTHING, heading_weight=0.25)
        assert dict(store.count_languages()) == {"en": 1, "es": 1}
        assert store.documents([rows.document.id]) == [rows.document]
        assert dense(store, "contraseña")
        assert not faults(store)

    def test_a_document_that_is_written_again_in_another_language_has_other_words(self, store: Store) -> None:
        rows = small(SPANISH, "guía.md")
        write(store, rows._replace(document=rows.document._replace(language="")))
        write(store, rows)
        assert store.search_lexical(words("renovaciones", "es"), 5, EVERYTHING, heading_weight=0.25)
        assert dense(store, "contraseña")

    def test_a_word_is_the_rarer_the_fewer_chunks_hold_it(self, store: Store) -> None:
        texts = ["alpha beta\n", "alpha\n", "alpha\n"]
        write(store, *(small(f"# T{number}\n\n{text}", f"{number}.md") for number, text in enumerate(texts)))
        everywhere, once, never = store.rarities(["alpha", "beta", "gamma"])
        assert everywhere < once < never
        assert store.rarities([]) == []

    def test_limit_is_kept(self, store: Store) -> None:
        write(store, *(small(f"# T{number}\n\nsame words\n", f"{number}.md") for number in range(5)))
        assert len(lexical(store, "same words", 3)) == 3
        assert len(dense(store, "same words", 3)) == 3

    def test_equal_scores_are_ordered_by_id(self, store: Store) -> None:
        documents = [small("# T\n\nsame words\n", f"{number}.md") for number in range(5)]
        write(store, *documents)
        expected = sorted(each for rows in documents for each in chunk_ids(rows))
        assert lexical(store, "same words") == expected
        assert dense(store, "same words") == expected

    def test_odd_queries_do_no_harm(self, store: Store) -> None:
        rows = small()
        write(store, rows)
        for query in ("", "???", HOSTILE, "a" * 5_000, "word " * 2_000, "AND OR NOT *", 'terms:"x'):
            lexical(store, query)
            assert lexical(store, "zypper") == [chunk_with(rows, "zypper")]

    # ------------------------------------------------------------------ vectors

    def test_scores_of_dense_search_are_cosines(self, store: Store) -> None:
        write(store, small())
        query = WordEmbedder().embed_query("rotate the keys every ninety days")
        found = store.search_dense(query, 3, EVERYTHING)
        for each in found:
            vector = WordEmbedder().embed_query(store.chunks([each.chunk_id])[0].content)
            assert each.score == pytest.approx(float((query @ vector.T)[0, 0]), abs=1e-3)
        assert [each.score for each in found] == sorted((each.score for each in found), reverse=True)

    def test_a_query_of_another_dimension_is_an_error(self, store: Store) -> None:
        with pytest.raises(StoreError, match=str(DIMENSION)):
            store.search_dense(np.ones((1, DIMENSION + 1), np.float32), 5, EVERYTHING)

    def test_vectors_of_another_dimension_are_an_error_and_change_nothing(self, store: Store) -> None:
        rows = small()
        wrong = np.ones((1, DIMENSION + 1), np.float32)
        with pytest.raises(StoreError):
            write(store, rows._replace(chunks=tuple(each._replace(vectors=wrong) for each in rows.chunks)))
        assert store.document_revisions() == {}

    def test_every_window_of_a_long_chunk_is_found_and_the_chunk_is_named_once(self, store: Store) -> None:
        rows = make_rows("# Long\n\nalpha alpha\fbeta beta\fgamma gamma\fdelta delta\n")
        (only,) = chunk_ids(rows)
        others = [small(f"# O{number}\n\nalpha filler {number}\n", f"{number}.md") for number in range(4)]
        write(store, rows, *others)
        for word in ("alpha", "beta", "gamma", "delta"):
            found = dense(store, f"{word} {word}", 5)
            assert found[0] == only
            assert len(set(found)) == len(found) == 5
        assert [chunk.id for chunk in store.chunks([only])] == [only]
        assert lexical(store, "gamma") == [only]

    def test_windows_obey_the_filter_of_their_chunk(self, store: Store) -> None:
        write(store, make_rows("# Long\n\nalpha\fbeta beta\n", metadata={"team": "a"}, date="2026-01-01"))
        assert dense(store, "beta", filter=Filter(metadata={"team": "a"}, section_filter="Lo*", since="2026-01-01"))
        for other in (
            Filter(metadata={"team": "b"}),
            Filter(section_filter="Other"),
            Filter(until="2025-01-01"),
            Filter(source="x"),
        ):
            assert dense(store, "beta", filter=other) == []

    def test_chunks_wait_until_they_get_vectors(self, store: Store) -> None:
        rows = small(embedded=False)
        write(store, rows)
        assert dense(store, "rotate", 100) == []
        assert lexical(store, "rotate")
        seen: list[str] = []
        assert embed_pending(store, 2, seen) == len(seen) == 2
        assert store.count_pending() == store.contents().pending == len(rows.chunks) - 2
        while embed_pending(store, 100, seen):
            pass
        assert sorted(seen) == sorted(chunk_ids(rows))
        assert store.contents().pending == 0
        assert dense(store, "Rotate the keys every ninety days.", 1) == [chunk_with(rows, "Rotate the")]
        assert store.chunks(chunk_ids(rows)) == [stored.chunk for stored in rows.chunks]
        assert lexical(store, "rotate")

    def test_chunks_that_cannot_be_embedded_may_be_tried_again(self, store: Store) -> None:
        rows = small(embedded=False)
        write(store, rows)
        bad = chunk_with(rows, "zypper")

        def fail(chunks: Sequence[Chunk]) -> dict[str, EmbeddingResult]:
            return {**embed(chunks), bad: EmbeddingResult("hash", None, "too hard")}

        with store.lock():
            assert store.embed_pending(100, fail) == len(rows.chunks)
            assert store.embed_pending(100, fail, skip=[bad]) == 0
            assert sum(store.contents()[3:5]) == 1
            assert bad not in dense(store, "zypper", 100)
            store.reset_failed()
            assert store.embed_pending(100, embed) == 1
        assert store.contents()[3:5] == (0, 0)
        assert bad in dense(store, "zypper", 100)

    def test_what_is_skipped_goes_on_waiting(self, store: Store) -> None:
        rows = small(embedded=False)
        write(store, rows)
        skipped, *others = chunk_ids(rows)
        seen: list[str] = []
        assert embed_pending(store, len(others), seen, skip=[skipped]) == len(others)
        assert sorted(seen) == sorted(others)
        assert store.contents().pending == 1

    def test_nothing_is_written_where_embedding_breaks_off(self, store: Store) -> None:
        write(store, small(embedded=False))
        pending = store.contents().pending

        def break_off(chunks: Sequence[Chunk]) -> dict[str, EmbeddingResult]:
            raise EmbedError("no server")

        with store.lock(), pytest.raises(EmbedError):
            store.embed_pending(100, break_off)
        assert store.contents().pending == pending

    def test_everything_is_counted_but_windows(self, store: Store, reopen: Reopen) -> None:
        first = make_rows("# Long\n\nalpha\fbeta\n", "long.md")
        second = small(embedded=False)
        write(store, first, second)
        sections, chunks = (len(first[at]) + len(second[at]) for at in (1, 2))
        for each in (store, reopen()):
            assert each.contents() == StoreContents(2, sections, chunks, len(second.chunks), 0)

    def test_vectors_given_later_may_be_several(self, store: Store) -> None:
        rows = make_rows("# Long\n\nalpha\fbeta beta\n", embedded=False)
        write(store, rows)
        embed_pending(store, 1)
        assert store.search_dense(WordEmbedder().embed_query("beta"), 1, EVERYTHING)[0].score > 0.9
        text_hash = rows.chunks[0].text_hash
        assert store.known_vectors([text_hash])[text_hash].shape == (2, DIMENSION)
        write(store, rows)
        assert dense(store, "beta") == []

    def test_vectors_of_another_length_are_refused(self, store: Store) -> None:
        write(store, small(embedded=False))
        with store.lock(), pytest.raises(StoreError):
            store.embed_pending(1, lambda chunks: {chunks[0].id: EmbeddingResult("hash", np.ones((1, 3), np.float32))})

    def test_what_has_nothing_to_find_does_not_wait_and_is_not_found(self, store: Store) -> None:
        rows = small(embedded=False)
        hidden = [store_chunk(replace(stored.chunk, indexable=False)) for stored in rows.chunks]
        write(store, rows._replace(chunks=tuple(hidden)))
        assert embed_pending(store, 10) == 0
        assert lexical(store, "rotate install guide") == []
        assert len(store.chunks(chunk_ids(rows))) == len(rows.chunks)

    @pytest.mark.parametrize("mode", ["lexical", "dense", "hybrid"])
    def test_what_cannot_answer_is_stored_but_no_hit(self, store: Store, mode: Any) -> None:
        links = "".join(f"[zypper {number}]: https://zypper.example/{number}\n" for number in range(9))
        sizes = {"max_tokens": 80, "min_tokens": 0, "target_tokens": 8}
        rows = make_rows(f"# Guide\n\nOn Linux use zypper.\n\n{links}", **sizes)
        imports = make_rows("import Zypper from '@zypper/zypper';\n\n# Page\n\nText.\n", "p.mdx", format="mdx", **sizes)
        write(store, rows, imports)
        cannot = [each.chunk for each in rows.chunks if each.chunk.content.startswith("[zypper")]
        assert cannot
        assert store.chunks([chunk.id for chunk in cannot]) == cannot
        hits = Retriever(store, WordEmbedder()).search(SearchRequest(query="zypper 3 https", mode=mode, limit=10))
        assert hits[0].content.endswith("On Linux use zypper.")
        assert not [hit for hit in hits if "@zypper" in hit.content or "zypper.example" in hit.content]

    def test_vectors_are_known_by_the_hash_of_their_text(self, store: Store) -> None:
        rows = make_rows("# Long\n\nalpha\fbeta\fgamma\n")
        waiting = small("# Waiting\n\nNot yet.\n", "waiting.md", embedded=False)
        write(store, rows, waiting, make_rows("# Long\n\nalpha\fbeta\fgamma\n", "copy.md"))
        stored = rows.chunks[0]
        known = store.known_vectors([stored.text_hash, "none", waiting.chunks[0].text_hash, stored.text_hash])
        assert list(known) == [stored.text_hash]
        assert stored.vectors is not None
        np.testing.assert_allclose(known[stored.text_hash], stored.vectors, atol=1e-3)
        assert sorted(store.known_text_hashes()) == sorted({each.text_hash for each in rows.chunks})

    def test_tokens_are_kept_beside_vectors(self, store: Store, reopen: Reopen) -> None:
        at_once, later = make_rows("# A\n\nalpha\fbeta\n", "a.md"), make_rows("# B\n\ngamma\n", "b.md", embedded=False)
        write(store, at_once, later)
        hashes = [rows.chunks[0].text_hash for rows in (at_once, later)]
        assert store.known_token_vectors([*hashes, "none"]) == {hashes[0]: at_once.chunks[0].token_vectors}
        embed_pending(store, 1)
        known = reopen().known_token_vectors(hashes)
        assert known == {
            hashes[0]: at_once.chunks[0].token_vectors,
            hashes[1]: store_chunk(later.chunks[0].chunk).token_vectors,
        }
        assert all(known.values())
        write(store, later)
        assert store.known_token_vectors([]) == {}
        assert list(store.known_token_vectors(hashes)) == hashes[:1]

    def test_vectors_of_replaced_text_are_forgotten(self, store: Store) -> None:
        old = small()
        write(store, old)
        write(store, small("# Guide\n\nAll new.\n"))
        assert store.known_vectors([stored.text_hash for stored in old.chunks]) == {}

    # ------------------------------------------------------------------ filters

    def test_filters_limit_both_sides(self, filtered: Store) -> None:
        names = {"a": "docs/a.md", "b": "docs/b.md", "c": "c.txt"}
        for given, sources in FILTERS:
            filter, expected = Filter(**given), {names[each] for each in sources}
            for search in (lexical, dense):
                found = filtered.chunks(search(filtered, "install", 100, filter))
                assert {chunk.source for chunk in found} == expected, (given, search)

    @pytest.fixture
    def filtered(self, store: Store) -> Store:
        linux = "# Guide\n\n## Install\n\nInstall it.\n\n### Linux\n\nInstall it on Linux.\n"
        write(
            store,
            small(linux, "docs/a.md", metadata={"team": "infra", "year": 2026}, date="2026-01-31"),
            small(
                "# Guide\n\n## Install\n\nInstall it.\n",
                "docs/b.md",
                metadata={"tags": ["x", "y"], "year": 2026},
                date="2026-02-28",
            ),
            small("install notes\n", "c.txt", format="text"),
        )
        return store

    def test_metadata_is_compared_alike_in_every_store(self, store: Store) -> None:
        write(store, *(small("# Guide\n\nword\n", f"{name}.md", metadata=own) for name, own in METADATA.items()))
        for wanted, sources in METADATA_FILTERS:
            filter = Filter(metadata=wanted)
            for found in (dense(store, "word", 100, filter), lexical(store, "word", 100, filter)):
                assert {chunk.source.removesuffix(".md") for chunk in store.chunks(found)} == {*sources}, wanted
            assert store.matches_any(filter) == bool(sources), wanted
        tags = store.distinct_values("tags")
        assert tags == sorted(tags)
        assert [tag for tag in tags if tag.startswith("team=")] == ['team="infra"', 'team="web"', "team=null"]

    def test_a_part_of_a_source_ignores_case(self, store: Store) -> None:
        write(store, *(small("# Guide\n\nword\n", source) for source in ("docs/Über/a.md", "docs/b (1).md", "c.md")))
        found = {
            part: {chunk.source for chunk in store.chunks(dense(store, "word", 10, Filter(source_part=part)))}
            for part in ("DOCS/", "über", "ÜBER", "B (1)", ".md", "%", "^c", "[a-c]")
        }
        assert found == {
            "DOCS/": {"docs/Über/a.md", "docs/b (1).md"},
            "über": {"docs/Über/a.md"},
            "ÜBER": {"docs/Über/a.md"},
            "B (1)": {"docs/b (1).md"},
            ".md": {"docs/Über/a.md", "docs/b (1).md", "c.md"},
            "%": set(),
            "^c": set(),
            "[a-c]": set(),
        }

    def test_a_breadcrumb_may_begin_with_the_title_of_the_document(self, store: Store) -> None:
        text = "---\ntitle: Signing\n---\nIntro word.\n\n## Keys\n\nRotate the word.\n\n### Old\n\nThe word is old.\n"
        rows = small(text, "a.md")
        write(store, rows, small("# Keys\n\nword\n\n## Old\n\nword\n", "b.md"))
        intro, keys, old = (chunk_with(rows, part) for part in ("Intro", "Rotate", "is old"))
        expected = {"signing": {intro, keys, old}, "Signing > Keys": {keys, old}, "SIGNING > KEYS > *": {old}}
        for pattern, chunks in expected.items():
            assert set(dense(store, "word", 10, Filter(section_filter=pattern))) == chunks
        assert store.complete_titles("sign", 10) == []
        assert dense(store, "word", 10, Filter(titles=("signing",))) == []

    @pytest.mark.parametrize("max_tokens", [60, 400])
    def test_the_breadcrumb_of_every_section_finds_its_text(self, store: Store, max_tokens: int) -> None:
        documents = [rows_of(pipeline.read(path), max_tokens=max_tokens) for path in EXAMPLES]
        write(store, *documents)
        missed = [section.path for rows in documents for section in rows.sections if not _finds(store, rows, section)]
        assert missed == []

    def test_signs_of_patterns_in_a_title_are_found_as_they_are(self, store: Store) -> None:
        titles = ("a[0-9]*", "Why?", "C:\\new\\*", "100% _sure_", "[x] 'y' \"z\"", "*", "\\")
        codes = {title: f"`` {title} ``" for title in titles}  # so that nothing in it is syntax
        documents = {
            title: make_rows(f"# Top\n\n## {code}\n\nword\n\n### Below\n\nword\n\n## Other\n\nword\n", f"{number}.md")
            for number, (title, code) in enumerate(codes.items())
        }
        write(store, *documents.values(), small("# Top\n\n## Unlike\n\nword\n", "other.md"))
        for title, rows in documents.items():
            assert rows.sections[2].title == title
            for pattern in (f"Top > {title}".upper(), f"top > {title} > below"):
                found = dense(store, "word", 100, Filter(section_filter=pattern))
                assert chunk_with(rows, codes[title]) in found, title

    def test_titles_and_sources_may_be_long(self, store: Store) -> None:
        """Text that does not compress: an index of the database has little room for one entry."""
        chars = random.Random(1).choices([chr(code) for code in range(0x4E00, 0x9FA0)], k=5_000)
        title = "".join(chars)
        source = f"{'/'.join(''.join(chars[at : at + 60]) for at in range(0, 3_000, 60))}.md"
        rows = make_rows(f"# {title[:1_900]}\n\nword\n\n## {title[:900]}\n\nword\n", source)
        unlike = make_rows(f"# {title[:1_899]}x\n\nword\n", "unlike.md")
        write(store, rows, unlike)
        assert all(_finds(store, rows, section) for section in rows.sections)
        for filter in (Filter(section_filter=rows.sections[1].title), Filter(titles=rows.sections[1].path)):
            assert set(dense(store, "word", 100, filter)) == set(chunk_ids(rows))
        assert dense(store, "word", 100, Filter(section_filter=title[:700])) == []
        both = {*chunk_ids(rows), *chunk_ids(unlike)}
        assert set(dense(store, "word", 100, Filter(section_filter=f"{title[:900]}*"))) == both
        assert set(dense(store, "word", 100, Filter(source=source))) == set(chunk_ids(rows))

    def test_sections_inside_and_around_a_chunk_are_found_and_no_others(self, store: Store) -> None:
        rows = make_rows("# Top\n\n## A\n\nalpha\n\n### Deep\n\nbeta\n\n## B\n\ngamma\n")
        apart = small(f"# Top\n\n## A\n\n{'alpha ' * 12}\n\n### Deep\n\nbeta\n", "apart.md")
        write(store, rows, apart)
        (joined,) = chunk_ids(rows)
        deep = chunk_with(apart, "Deep")
        for pattern in ("deep", "top > a > deep", "*deep"):
            assert set(dense(store, "beta", 10, Filter(section_filter=pattern))) == {joined, deep}
        assert deep in dense(store, "beta", 10, Filter(section_filter="top > a"))
        assert dense(store, "gamma", 10, Filter(section_filter="top > b")) == [joined]
        for pattern in ("a > deep", "deep > b", "top > deep"):
            assert dense(store, "beta", 10, Filter(section_filter=pattern)) == []

    def test_titles_follow_where_the_text_stays(self, store: Store) -> None:
        options = {"strategy": "fixed", "max_tokens": 12}
        text = f"# Top\n\n## Old\n\n{'same words here ' * 20}\n"
        before, after = (make_rows(each, **options) for each in (text, text.replace("Old", "New")))  # type: ignore[arg-type]
        write(store, before)
        write(store, after)
        assert dense(store, "same", 100, Filter(section_filter="old")) == []
        assert sorted(dense(store, "same", 100, Filter(section_filter="new"))) == sorted(chunk_ids(after))

    def test_a_date_that_is_none_is_an_error(self, store: Store) -> None:
        for value in ("yesterday", "2026-13-01", "' OR 1=1 --", "\0"):
            for search in (lexical, dense):
                with pytest.raises(OptionsError, match="since"):
                    search(store, "x", 10, Filter(since=value))
                with pytest.raises(OptionsError, match="until"):
                    search(store, "x", 10, Filter(until=value))

    def test_hostile_text_is_stored_as_it_is(self, store: Store) -> None:
        text = f"# {HOSTILE}\n\n{HOSTILE}\n"
        rows = small(text, f"{HOSTILE}.md", metadata={HOSTILE: HOSTILE})
        other = small("# Other\n\nSomething else.\n", "other.md")
        write(store, rows, other)
        stored = store.documents([rows.document.id])[0]
        assert re.sub("[\x00\ufffd]", "?", stored.text) == re.sub("[\x00\ud800]", "?", text)
        assert len(store.chunks(chunk_ids(rows))) == len(rows.chunks)
        for filter in (Filter(source=f"{HOSTILE}.md"), Filter(metadata={HOSTILE: HOSTILE})):
            assert set(dense(store, "quoted", 100, filter)) == set(chunk_ids(rows))
        with store.lock():
            store.delete_documents([rows.document.id])
        assert list(store.document_revisions()) == ["other.md"]

    # ------------------------------------------------------------------ several at once

    def test_a_second_writer_may_write_after_the_first(self, store: Store, reopen: Reopen) -> None:
        other = reopen()
        write(store, small())
        write(other, small("# Guide\n\nAll new.\n"))
        assert len(lexical(store, "new")) == 1
        assert lexical(store, "zypper") == []

    def test_an_error_while_writing_frees_the_lock_and_stays_what_it_is(self, store: Store) -> None:
        with pytest.raises(PermissionError, match="of another file"), store.lock():
            raise PermissionError("of another file")
        write(store, small())

    def test_a_reader_sees_what_another_one_writes(self, store: Store, reopen: Reopen) -> None:
        reader = reopen()
        write(store, small())
        assert lexical(reader, "zypper")
        assert dense(reader, "zypper")
        write(store, small("# Guide\n\nAll new.\n"))
        assert lexical(reader, "zypper") == []
        assert list(reader.document_revisions()) == ["guide.md"]
