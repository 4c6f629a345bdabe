"""A small table answers from memory, with the candidates and scores that Lance finds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.store.conformance import Reopen, StoreConformance, small, write
from tests.support.stored_documents import SETTINGS, WordEmbedder, make_rows

from crosshead.store.lance import table_version
from crosshead.store.lance.candidates.small import VectorMatrix, WordMatrix
from crosshead.store.lance.candidates.statistics import ScoredField
from crosshead.store.lance.location.folder import Folder
from crosshead.store.lance.store import LanceStore
from crosshead.types import Candidate, DocumentRows, Filter

AT_ONCE, NEVER = 10**9, 0


@pytest.fixture
def store(tmp_path: Path) -> LanceStore:
    return LanceStore(Folder(tmp_path / "index"), create=SETTINGS)


@pytest.fixture
def reopen(tmp_path: Path) -> Reopen:
    return lambda: LanceStore(Folder(tmp_path / "index"))


class TestConformance(StoreConformance):
    """The contract is kept if every version is read into memory at its first search."""

    @pytest.fixture(autouse=True)
    def always_in_memory(self, monkeypatch: pytest.MonkeyPatch) -> None:
        hold_after(monkeypatch, AT_ONCE)


def hold_after(monkeypatch: pytest.MonkeyPatch, per_search: int) -> None:
    """Say how much is worth reading into memory for one search."""
    monkeypatch.setattr(table_version, "CHUNKS_PER_SEARCH", per_search)
    monkeypatch.setattr(table_version, "NUMBERS_PER_SEARCH", per_search)


def documents() -> list[DocumentRows]:
    """Return documents whose chunks differ in length, and hold some words several times."""
    filler = "The engine turns a wheel and the wheel turns an axle of steel."
    texts = [
        f"# Part {number}\n\n" + f"{filler} Rotor {number % 7} spins. " * (1 + number % 5) + "Copper wire.\n"
        for number in range(40)
    ]
    return [make_rows(text, f"{number}.md") for number, text in enumerate(texts)]


def searched(
    store: LanceStore, monkeypatch: pytest.MonkeyPatch, per_search: int
) -> tuple[list[Sequence[Candidate]], bool]:
    """Return what a reader finds, and whether it found it in memory."""
    hold_after(monkeypatch, per_search)
    reader = LanceStore(store.table.location)
    vectors = [each.vectors[:1] for rows in documents()[:5] for each in rows.chunks if each.vectors is not None]
    filters = Filter(), Filter(source="1*"), Filter(section_filter="part 3*"), Filter(source="none*")
    found = [
        reader.search_lexical(words, 100, filter, heading_weight=weight)
        for filter in filters
        for words in (["wheel"], ["copper", "part"], ["rotor", "3", "axl"], ["nowhere"], ["spin", "nowhere"])
        for weight in (0.0, 0.25)
    ]
    found += [reader.search_dense(vector, 50, filter) for filter in filters for vector in vectors]
    version = reader.table.latest()
    assert bool(version._matrix) == (per_search == AT_ONCE)
    return found, bool(version.words.are_held)


def assert_alike(found: list[Sequence[Candidate]], expected: list[Sequence[Candidate]]) -> None:
    for own, others in zip(found, expected, strict=True):
        assert dict(own) == pytest.approx(dict(others), abs=1e-6)
        assert [each.score for each in own] == pytest.approx([each.score for each in others], abs=1e-6)


class TestScores:
    def test_memory_finds_what_lance_finds(self, store: LanceStore, monkeypatch: pytest.MonkeyPatch) -> None:
        write(store, *documents())
        found, in_memory = searched(store, monkeypatch, AT_ONCE)
        assert in_memory
        expected, in_memory = searched(store, monkeypatch, NEVER)
        assert not in_memory
        assert any(found)
        assert_alike(found, expected)

    def test_words_of_deleted_rows_count_as_long_as_lance_counts_them(
        self, store: LanceStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write(store, *documents())
        with store.lock():
            store.delete_documents([rows.document.id for rows in documents()[:3]])
        found, in_memory = searched(store, monkeypatch, AT_ONCE)
        assert not in_memory
        assert_alike(found, searched(store, monkeypatch, NEVER)[0])

    def test_what_another_process_commits_is_found(self, store: LanceStore, monkeypatch: pytest.MonkeyPatch) -> None:
        hold_after(monkeypatch, AT_ONCE)
        write(store, small())
        reader = LanceStore(store.table.location)
        assert reader.search_lexical(["zypper"], 10, Filter(), heading_weight=0.25)
        assert not reader.matches_any(Filter(titles=("Rotors",)))
        write(store, make_rows("# Rotors\n\nThey turn.\n", "new.md"))
        assert reader.search_lexical(["turn"], 10, Filter(), heading_weight=0.25)
        assert reader.matches_any(Filter(titles=("rotors",)))


class TestWhatIsHeld:
    def test_a_table_is_read_into_memory_when_that_pays_off(
        self, store: LanceStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(table_version, "CHUNKS_PER_SEARCH", 20)
        write(store, *documents())
        version = LanceStore(store.table.location).table.latest()
        held = []
        for _ in range(3):
            held.append(bool(version.words.are_held))
            version.match(["wheel"], "terms", None, 10)
        assert held == [False, True, True]

    def test_vectors_are_read_into_memory_when_that_pays_off(
        self, store: LanceStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write(store, *documents())
        monkeypatch.setattr(table_version, "NUMBERS_PER_SEARCH", 20 * SETTINGS["dimension"])
        version = LanceStore(store.table.location).table.latest()
        query = WordEmbedder().embed_query("copper wire")
        held = []
        for _ in range(3):
            held.append(bool(version._matrix))
            version.nearest(query, None, 10)
        assert held == [False, True, True]

    def test_the_rows_that_meet_a_filter_are_read_once(
        self, store: LanceStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        hold_after(monkeypatch, AT_ONCE)
        write(store, *documents())
        reader = LanceStore(store.table.location)
        query, tens = WordEmbedder().embed_query("copper wire"), Filter(source="1*")

        def found() -> list[int]:
            by_words = reader.search_lexical(["wheel"], 50, tens, heading_weight=0.25)
            return [len(by_words), len(reader.search_dense(query, 50, tens))]

        assert found() == [11, 11]
        monkeypatch.setattr(table_version.TableVersion, "scan", None)
        assert found() == [11, 11]

    def test_a_large_table_stays_on_disk(self, store: LanceStore, monkeypatch: pytest.MonkeyPatch) -> None:
        hold_after(monkeypatch, AT_ONCE)
        monkeypatch.setattr(table_version, "MOST_CHUNKS", 39)
        monkeypatch.setattr(table_version, "MOST_NUMBERS", 39)
        write(store, *documents())
        version = LanceStore(store.table.location).table.latest()
        assert version.words.matrix is None
        assert version._matrix is None

    def test_no_rows_and_no_words(self) -> None:
        import numpy as np
        import pyarrow as pa

        none = np.empty(0, np.uint64)
        field = ScoredField("terms", 1.0, {"a": 1.0}, 1.0)
        assert WordMatrix(none, {"terms": pa.array([], pa.string())}).match([field], 10) == {}
        assert WordMatrix(np.array([7], np.uint64), {"terms": pa.array([""])}).match([field], 10) == {}
        assert VectorMatrix(none, np.empty((0, 4), np.float16)).nearest(np.ones((1, 4), np.float32), 10) == {}
