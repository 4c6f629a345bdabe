"""What the files of an embedded index hold, and that upkeep never makes them larger."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import lance
import numpy as np
import pyarrow as pa
import pytest
from tests.store.conformance import EVERYTHING, dense, faults, lexical, write
from tests.support.stored_documents import DIMENSION, SETTINGS, WordEmbedder, make_rows

from crosshead.store.lance import compaction, indexes, rows
from crosshead.store.lance.encoding import RowEncoder, to_table
from crosshead.store.lance.location.folder import Folder
from crosshead.store.lance.store import LanceStore
from crosshead.types import DocumentRows


@pytest.fixture
def store(tmp_path: Path) -> LanceStore:
    return LanceStore(Folder(tmp_path / "index"), create=SETTINGS)


def handbook(number: int, word: str = "rotate") -> DocumentRows:
    text = "".join(f"## Part {part}\n\n{word} key{number} every day, chapter {part}.\n\n" for part in range(20))
    return make_rows(f"# Book {number}\n\n{text}", f"{number}.md")


def handbooks(numbers: Iterable[int], word: str = "rotate") -> list[DocumentRows]:
    return [handbook(number, word) for number in numbers]


def optimize(store: LanceStore) -> None:
    with store.lock():
        store.maintain(thoroughly=True)


def kinds_of_files(store: LanceStore) -> list[set[str]]:
    table = lance.dataset(store.table.location.table)
    return [set(each.to_table(columns=["kind"])["kind"].to_pylist()) for each in table.get_fragments()]


def are_apart(store: LanceStore) -> bool:
    return all(kinds <= {rows.DOCUMENT, rows.SECTION} or not kinds & {rows.DOCUMENT, rows.SECTION}
               for kinds in kinds_of_files(store))  # fmt: skip


def write_older(store: LanceStore, documents: list[DocumentRows]) -> None:
    """Write a table as it was: uncompressed, numbers of 32 bits, one file, and an index of few vectors."""
    vector = pa.field("vector", pa.list_(pa.float32(), DIMENSION))
    plain = pa.schema([field.remove_metadata() for field in rows.schema(SETTINGS)])
    schema = plain.set(plain.get_field_index("vector"), vector)
    written = to_table(documents, RowEncoder(schema, "en", store.location))
    table = lance.write_dataset(written, store.table.location.table, schema=schema, mode="overwrite")
    table.create_index("vector", "IVF_FLAT", metric="dot", num_partitions=1)
    indexes.maintain(table)
    store.table.location.record()


class TestFiles:
    def test_documents_and_sections_are_not_in_the_files_of_chunks(self, store: LanceStore) -> None:
        write(store, *handbooks(range(20)))
        assert are_apart(store)
        assert len(kinds_of_files(store)) == 2

    def test_a_few_rows_are_in_one_file(self, store: LanceStore) -> None:
        write(store, handbook(1))
        assert len(kinds_of_files(store)) == 1

    def test_documents_without_vectors_are_in_one_file(self, store: LanceStore) -> None:
        write(store, *(make_rows(f"# Book\n\nkey{number}\n", f"{number}.md", embedded=False) for number in range(300)))
        assert len(kinds_of_files(store)) == 1

    def test_what_replacements_mixed_is_separated(self, store: LanceStore) -> None:
        write(store, *handbooks(range(20)))
        write(store, *handbooks(range(20), "renew"))
        assert not are_apart(store)
        optimize(store)
        assert are_apart(store)
        assert len(kinds_of_files(store)) == 2
        assert len(lexical(store, "renew", 500)) == len(dense(store, "renew", 500))
        assert lexical(store, "rotate") == []
        assert faults(store) == []

    def test_files_of_many_commits_are_merged_with_their_like(self, store: LanceStore) -> None:
        with store.lock():
            for first in range(0, 60, 10):
                store.replace_documents(handbooks(range(first, first + 10)))
        assert len(kinds_of_files(store)) > 2
        optimize(store)
        assert are_apart(store)
        assert len(kinds_of_files(store)) == 2
        assert store.contents().documents == 60


class TestVectorIndex:
    def test_few_vectors_are_searched_without_an_index(self, store: LanceStore) -> None:
        write(store, *handbooks(range(3)))
        assert not indexes.has_index(store.table.latest().table, "vector")
        assert dense(store, "rotate key2")

    def test_many_vectors_have_a_smaller_index_that_finds_them(
        self, store: LanceStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(indexes, "MOST_NUMBERS", 100 * DIMENSION)
        monkeypatch.setattr(indexes, "ROWS_BEFORE_PARTITIONS", 300)
        monkeypatch.setattr(indexes, "ROWS_PER_PARTITION", 100)
        write(store, *(make_rows(f"alpha{number} beta{number}\n", f"{number}.md") for number in range(400)))
        optimize(store)
        (index,) = (each for each in store.table.latest().table.describe_indices() if each.name == "vector_idx")
        assert index.index_type == "IVF_RQ"
        query = WordEmbedder().embed_query("alpha7 beta7")
        assert store.search_dense(query, 5, EVERYTHING)[0].score > 0.98

    def test_an_index_of_few_vectors_is_dropped(self, store: LanceStore, monkeypatch: pytest.MonkeyPatch) -> None:
        with monkeypatch.context() as earlier:
            earlier.setattr(indexes, "MOST_NUMBERS", 0)
            write(store, *handbooks(range(3)))
            optimize(store)
        assert indexes.has_index(store.table.latest().table, "vector")
        found = dense(store, "rotate key2")
        size = store.size_bytes()
        optimize(store)
        assert not indexes.has_index(store.table.latest().table, "vector")
        assert store.size_bytes() < size
        assert dense(store, "rotate key2") == found

    @pytest.mark.parametrize("dimension", [12, 20])
    def test_any_dimension_is_indexed(self, tmp_path: Path, dimension: int, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(indexes, "ROWS_BEFORE_PARTITIONS", 300)
        monkeypatch.setattr(indexes, "MOST_NUMBERS", 5_000 * dimension)
        numbers = np.random.default_rng(0).random((6_000, dimension), np.float32)
        vectors = pa.FixedSizeListArray.from_arrays(pa.array(numbers.ravel()), dimension)
        table = lance.write_dataset(pa.table({"vector": vectors}), tmp_path / "rows.lance")
        indexes._index_vectors(table, None)
        assert indexes.has_index(table, "vector")


def run(store: LanceStore, step: str) -> None:
    """Do what a letter says."""
    match step:
        case "a":
            write(store, *handbooks(range(store.contents().documents, store.contents().documents + 15)))
        case "b":
            number = store.contents().documents
            write(store, handbook(number), make_rows("# New\n\nOne.\n", f"n{number}.md", embedded=False))
        case "c":
            write(store, *handbooks(range(5), "renew"))
        case "r":
            with store.lock():
                store.delete_documents([each.document.id for each in handbooks(range(3))])
        case "m":
            with store.lock():
                store.maintain()


class TestOptimize:
    @pytest.mark.parametrize("steps", ["a", "ab", "ac", "acr", "aaa", "abcrm", "acmcm", "bbbb", "bcb", "acarab", "r"])
    def test_it_never_makes_an_index_larger(self, store: LanceStore, steps: str) -> None:
        for step in steps:
            run(store, step)
            before, found = store.size_bytes(), set(lexical(store, "renew chapter", 2_000))
            optimize(store)
            assert store.size_bytes() <= before
            assert set(lexical(store, "renew chapter", 2_000)) == found

    @pytest.mark.parametrize("steps", ["ab", "acr", "aaac", "bbbb", "acarab"])
    def test_it_never_makes_an_index_larger_after_several_steps(self, store: LanceStore, steps: str) -> None:
        for step in steps:
            run(store, step)
        before = store.size_bytes()
        optimize(store)
        once = store.size_bytes()
        assert once <= before
        optimize(store)
        assert store.size_bytes() <= once


class TestOlderTable:
    def test_it_is_searched_added_to_and_optimized(self, store: LanceStore) -> None:
        write_older(store, handbooks(range(20)))
        older = LanceStore(store.table.location)
        assert lexical(older, "key7")
        assert dense(older, "rotate key7")
        write(older, *handbooks(range(20, 40)), handbook(3, "renew"))
        found = set(lexical(older, "key7", 500)), dense(older, "renew key3", 1)
        assert all(found)
        before = older.size_bytes()
        optimize(older)
        assert older.size_bytes() < before
        assert are_apart(older)
        assert (set(lexical(older, "key7", 500)), dense(older, "renew key3", 1)) == found
        assert faults(older) == []


def test_a_file_of_many_rows_is_left_as_it_is(store: LanceStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compaction, "ROWS_PER_FILE", 200)
    write(store, *handbooks(range(20)))
    full = max(store.table.latest().table.get_fragments(), key=lambda each: each.count_rows())
    assert full.count_rows() > 200
    write(store, *handbooks(range(20, 25)))
    optimize(store)
    assert full.fragment_id in {each.fragment_id for each in store.table.latest().table.get_fragments()}
