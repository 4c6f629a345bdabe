from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import lance
import pytest
from tests.store.conformance import (
    EVERYTHING,
    Reopen,
    StoreConformance,
    chunk_with,
    dense,
    faults,
    lexical,
    small,
    write,
)
from tests.store.several import SeveralProcesses
from tests.support.stored_documents import DIMENSION, SETTINGS, WordEmbedder, make_rows

from crosshead.errors import CorruptIndex, IndexNotFound, IndexReplaced, Locked, MigrationRequired, StoreError
from crosshead.store.lance import indexes, rows
from crosshead.store.lance.location.base import LOCK_FILE, SCHEMA_VERSION, SETTINGS_FILE, TABLE
from crosshead.store.lance.location.folder import Folder
from crosshead.store.lance.store import LanceStore
from crosshead.store.lance.table import LiveTable
from crosshead.store.lance.table_version import TableVersion

NOBODY = 65534


@pytest.fixture
def store(tmp_path: Path) -> LanceStore:
    return LanceStore(Folder(tmp_path / "index"), create=SETTINGS)


@pytest.fixture
def reopen(tmp_path: Path) -> Reopen:
    return lambda: LanceStore(Folder(tmp_path / "index"))


class TestConformance(StoreConformance):
    """The embedded store keeps the contract."""


class TestOpening:
    def test_creating_twice_keeps_what_is_there(self, store: LanceStore) -> None:
        write(store, small())
        again = LanceStore(store.table.location, create={**SETTINGS, "language": "german"})
        assert again.settings["language"] == "auto"
        assert again.document_revisions()

    def test_a_version_that_a_writer_drops_is_found_again(
        self, store: LanceStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write(store, small())
        with store.lock():
            store.maintain()  # drops the first version
        openings: list[object] = []
        opened = lance.dataset

        def open_late(path: str, **options: Any) -> object:
            openings.append(path)
            return opened(path, **options, version=1 if len(openings) == 1 else None)

        monkeypatch.setattr(lance, "dataset", open_late)
        assert lexical(LanceStore(store.table.location.again()), "zypper")
        assert len(openings) > 1

    def test_a_dropped_version_does_not_keep_the_weights_of_words(self, store: LanceStore) -> None:
        write(store, small())
        with store.lock():
            store.maintain()
        reader, other = (LanceStore(store.table.location.again()) for _ in range(2))
        write(other, small("# New\n\nzypper\n", "new.md"))
        with other.lock():
            other.maintain(thoroughly=True)
        assert reader.rarities(["zypper"]) == other.rarities(["zypper"])

    def test_an_index_without_settings_is_made_anew(self, store: LanceStore) -> None:
        (Path(store.location) / SETTINGS_FILE).unlink()
        assert LanceStore(store.table.location, create=SETTINGS).document_revisions() == {}

    def test_creating_while_another_one_writes_is_locked(self, store: LanceStore) -> None:
        with store.lock():
            (Path(store.location) / SETTINGS_FILE).unlink()
            with pytest.raises(Locked):
                LanceStore(store.table.location, create=SETTINGS)

    def test_index_that_another_process_made_and_writes_to_is_opened(self, store: LanceStore) -> None:
        with store.lock():
            store.table.location.again().create({**SETTINGS, "language": "german"}, rows.schema(SETTINGS))
        assert LanceStore(store.table.location).settings["language"] == "auto"

    def test_no_index(self, tmp_path: Path) -> None:
        with pytest.raises(IndexNotFound, match="crosshead index"):
            LanceStore(Folder(tmp_path / "none"))

    @pytest.mark.parametrize("name", ["with space", "hash#1", "percent%20", "ключи 鍵", "question?", "plus+&=", "a'b"])
    def test_odd_folder_names(self, tmp_path: Path, name: str) -> None:
        store = LanceStore(Folder(tmp_path / name / "index"), create=SETTINGS)
        write(store, small())
        assert lexical(LanceStore(Folder(tmp_path / name / "index")), "zypper")
        assert (tmp_path / name / "index" / TABLE).is_dir()

    @pytest.mark.parametrize(
        "content",
        [
            "", "{", "[]", "null", "{}", '"x"', '{"schema_version": 1}', b"\xff\xfe\x00",
            '{"schema_version": "1", "language": "auto", "dimension": 64}',
            '{"schema_version": 1, "language": "auto", "dimension": null}',
            '{"schema_version": 1, "language": 5, "dimension": 64}',
            '{"schema_version": 1, "language": "auto", "dimension": true}',
            '{"schema_version": 1, "language": "auto", "dimension": 64}',
        ],
    )  # fmt: skip
    def test_damaged_settings(self, store: LanceStore, content: str | bytes) -> None:
        data = content if isinstance(content, bytes) else content.encode()
        (Path(store.location) / SETTINGS_FILE).write_bytes(data)
        with pytest.raises(CorruptIndex, match="index again"):
            LanceStore(store.table.location)
        assert (Path(store.location) / SETTINGS_FILE).read_bytes() == data

    def test_a_newer_version(self, store: LanceStore) -> None:
        settings = {**SETTINGS, "schema_version": SCHEMA_VERSION + 1}
        (Path(store.location) / SETTINGS_FILE).write_text(json.dumps(settings))
        with pytest.raises(MigrationRequired, match="pip install"):
            LanceStore(store.table.location, create=SETTINGS)

    def test_a_missing_table(self, store: LanceStore) -> None:
        shutil.rmtree(Path(store.location) / TABLE)
        with pytest.raises(CorruptIndex, match="index again"):
            LanceStore(store.table.location)

    def test_damaged_data(self, store: LanceStore) -> None:
        write(store, small())
        for file in (Path(store.location) / TABLE / "data").iterdir():
            file.write_bytes(b"not a table")
        with pytest.raises(CorruptIndex, match="index again"):
            LanceStore(store.table.location).document_revisions()

    def test_a_table_removed_while_it_is_open(self, store: LanceStore) -> None:
        write(store, small())
        shutil.rmtree(Path(store.location))
        with pytest.raises(StoreError):
            dense(store, "x")

    @pytest.mark.parametrize("settings", [SETTINGS, {**SETTINGS, "language": "german"}])
    def test_an_index_that_took_the_place_of_an_open_one(self, store: LanceStore, settings: dict[str, Any]) -> None:
        write(store, small())
        shutil.rmtree(Path(store.location))
        new = LanceStore(store.table.location, create=settings)
        for use in (store.document_revisions, lambda: write(store, small())):
            with pytest.raises(IndexReplaced, match="another index replaced it since it was opened; open it again"):
                use()
        assert new.document_revisions() == {}

    def test_an_open_index_that_is_removed_is_not_made_again(self, store: LanceStore) -> None:
        shutil.rmtree(Path(store.location))
        with pytest.raises(IndexNotFound):
            write(store, small())
        assert not Path(store.location).exists()

    def test_settings_that_are_a_folder(self, store: LanceStore) -> None:
        (Path(store.location) / SETTINGS_FILE).unlink()
        (Path(store.location) / SETTINGS_FILE).mkdir()
        with pytest.raises(StoreError):
            LanceStore(store.table.location)

    def test_a_file_in_place_of_the_folder(self, tmp_path: Path) -> None:
        (tmp_path / "index").write_text("x")
        with pytest.raises(StoreError, match="no index can be made"):
            LanceStore(Folder(tmp_path / "index"), create=SETTINGS)
        with pytest.raises(IndexNotFound, match="no index here"):
            LanceStore(Folder(tmp_path / "index"))

    def test_closing_twice_leaves_the_index_whole(self, store: LanceStore, reopen: Reopen) -> None:
        write(store, small())
        store.close()
        store.close()
        assert reopen().document_revisions()


@contextmanager
def ordinary_user() -> Iterator[None]:
    """Permissions mean nothing to root."""
    is_root = os.geteuid() == 0
    try:
        if is_root:
            os.seteuid(NOBODY)
        yield
    finally:
        if is_root:
            os.seteuid(0)


@pytest.fixture
def read_only() -> Iterator[Path]:
    """A folder that others may enter, unlike the temporary ones of the tests."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755)
    shutil.rmtree(folder)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="permissions are another matter there")
class TestPermissions:
    def test_a_read_only_index_can_be_searched_but_not_written(self, read_only: Path) -> None:
        write(LanceStore(Folder(read_only / "index"), create=SETTINGS), small())
        (read_only / "index" / LOCK_FILE).unlink(missing_ok=True)
        for path in (read_only, *read_only.rglob("*")):
            path.chmod(0o555 if path.is_dir() else 0o444)
        with ordinary_user():
            store = LanceStore(Folder(read_only / "index"))
            assert lexical(store, "zypper")
            assert dense(store, "zypper")
            with pytest.raises(StoreError, match="cannot be written"), store.lock():
                pass
            with pytest.raises(StoreError):
                store.replace_documents([small("# New\n\ntext\n")])
            assert lexical(LanceStore(Folder(read_only / "index")), "zypper")

    def test_no_index_is_made_in_a_read_only_folder(self, read_only: Path) -> None:
        read_only.chmod(0o555)
        with ordinary_user(), pytest.raises(StoreError, match="no index can be made"):
            LanceStore(Folder(read_only / "index"), create=SETTINGS)


class TestUpkeep:
    def test_many_commits_leave_few_files_without_upkeep_after_each(
        self, store: LanceStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        upkeep: list[object] = []
        maintain = indexes.maintain
        monkeypatch.setattr(indexes, "maintain", lambda table, **how: (upkeep.append(table), maintain(table, **how)))
        monkeypatch.setattr(indexes, "MOST_FILES", 10)
        monkeypatch.setattr(indexes, "FEW_FILES", 5)
        for number in range(42):
            write(store, small(f"# Page\n\nword{number}\n", f"{number}.md"))
        table = lance.dataset(store.table.location.table)
        assert len(table.get_fragments()) <= 10
        assert len(upkeep) <= 10
        assert len(lexical(store, "page", 100)) == 42

    def test_every_row_is_in_few_parts_of_the_indexes_when_a_writer_is_done(self, store: LanceStore) -> None:
        for number in range(20):
            write(store, small(f"# Page\n\nword{number}\n", f"{number}.md"))
            table = store.table.latest().table
            assert indexes.rows_outside(table) == 0
            assert table.stats.index_stats("terms_idx")["num_indices"] <= 5
        assert len(lexical(store, "page", 100)) == 20

    def test_parts_of_an_index_weigh_words_as_a_whole_one(self, store: LanceStore) -> None:
        for number in range(9):
            write(store, small(f"# Page\n\nword{number} common\n", f"{number}.md"))
        words = ["word3", "common", "page"]
        in_parts = store.search_lexical(words, 9, EVERYTHING, heading_weight=0.5)
        with store.lock():
            store.maintain(thoroughly=True)
        assert store.table.latest().table.stats.index_stats("terms_idx")["num_indices"] == 1
        assert store.search_lexical(words, 9, EVERYTHING, heading_weight=0.5) == in_parts

    def test_only_documents_that_are_stored_are_replaced(self, store: LanceStore) -> None:
        write(store, small("# Old\n\nOne.\n", "a.md"), small("# Old\n\nTwo.\n", "b.md"))
        write(store, small("# New\n\nThree.\n", "a.md"), small("# New\n\nFour.\n", "c.md"))
        assert store.contents().documents == 3
        assert len(lexical(store, "old", 9)) == 1
        assert len(lexical(store, "new", 9)) == 2

    def test_many_vectors_get_an_index_that_finds_them(
        self, store: LanceStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(indexes, "MOST_NUMBERS", 100 * DIMENSION)
        monkeypatch.setattr(indexes, "ROWS_BEFORE_PARTITIONS", 300)
        monkeypatch.setattr(indexes, "ROWS_PER_PARTITION", 100)
        write(store, *(make_rows(f"alpha{number} beta{number}\n", f"{number}.md") for number in range(300)))
        with store.lock():
            store.maintain()
        assert indexes.has_index(store.table.latest().table, "vector")
        query = WordEmbedder().embed_query("alpha7 beta7")
        assert store.search_dense(query, 5, EVERYTHING)[0].score > 0.99
        write(store, *(make_rows(f"gamma{number} delta{number}\n", f"b{number}.md") for number in range(700)))
        late = WordEmbedder().embed_query("gamma7 delta7")
        assert store.search_dense(late, 5, EVERYTHING)[0].score > 0.99
        with store.lock():
            store.maintain()
        assert store.search_dense(late, 5, EVERYTHING)[0].score > 0.99

    @pytest.mark.parametrize("made", [(), ("key",), ("key", "terms")])
    def test_indexes_that_a_killed_writer_left_out_are_made_by_the_next_one(
        self, store: LanceStore, monkeypatch: pytest.MonkeyPatch, made: Sequence[str]
    ) -> None:
        rows = small()
        with monkeypatch.context() as killed:
            killed.setattr(indexes, "maintain", lambda table, **_: None)
            write(store, rows)
        for column in made:
            store.table.writable().create_scalar_index(column, index_type="INVERTED" if "terms" in column else "BTREE")
        reader = LanceStore(store.table.location)
        assert lexical(reader, "zypper") == []
        assert dense(reader, "zypper")
        with store.lock():
            pass
        assert lexical(reader, "zypper") == [chunk_with(rows, "zypper")]

    def test_old_versions_are_dropped(self, store: LanceStore, monkeypatch: pytest.MonkeyPatch) -> None:
        reader = LanceStore(store.table.location)
        write(store, small())
        assert lexical(reader, "zypper")
        monkeypatch.setattr(indexes, "KEEP_VERSIONS", indexes.KEEP_VERSIONS * 0)
        write(store, small("# Guide\n\nAll new.\n"))
        with store.lock():
            store.maintain()
        assert lexical(reader, "new")

    def test_who_reads_a_version_that_is_dropped_reads_the_newest(
        self, store: LanceStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write(store, small())
        reader = LanceStore(store.table.location)
        old = [reader.table.latest()]
        monkeypatch.setattr(indexes, "KEEP_VERSIONS", indexes.KEEP_VERSIONS * 0)
        write(store, small("# Guide\n\nAll new.\n"))
        with store.lock():
            store.maintain()
        monkeypatch.setattr(
            LiveTable, "latest", lambda self: old.pop() if old else TableVersion(self.location.open_table())
        )
        assert lexical(reader, "new")
        assert not old

    def test_after_a_run_there_is_one_version(self, store: LanceStore) -> None:
        for text in ("# Guide\n\nOne.\n", "# Guide\n\nTwo.\n"):
            write(store, small(text))
        with store.lock():
            store.maintain()
        assert len(store.table.latest().table.versions()) == 1

    def test_what_is_missing_in_the_newest_is_damage(self, store: LanceStore) -> None:
        write(store, small())
        for file in (Path(store.location) / TABLE / "data").iterdir():
            file.unlink()
        with pytest.raises(CorruptIndex):
            LanceStore(store.table.location).document_revisions()

    @pytest.mark.parametrize("record", ["", "[]", "{}", '{"sourcf": "guide.md"}', '{"source": "guide.md"'])
    def test_a_record_without_the_fields_that_were_written_is_damage(self, store: LanceStore, record: str) -> None:
        write(store, small())
        rows = small()
        store.table.writable().update({"record": f"'{record}'"})
        damaged = LanceStore(store.table.location)
        with pytest.raises(CorruptIndex):
            damaged.documents([rows.document.id])
        with pytest.raises(CorruptIndex):
            damaged.sections([each.id for each in rows.sections])
        with pytest.raises(CorruptIndex):
            damaged.chunks([each.chunk.id for each in rows.chunks])


class TestInspection:
    def test_rows_that_belong_to_nothing_are_found(self, store: LanceStore) -> None:
        rows = make_rows("One.\fTwo.\n", "windows.md")
        write(store, small(), rows)
        store.table.writable().delete(f"kind = 'document' AND source = 'guide.md' OR key = '{rows.chunks[0].chunk.id}'")
        told = [each.message for each in faults(store)]
        assert any("rows belong to no document" in each for each in told)
        assert any("1 vectors belong to no chunk" in each for each in told)

    def test_rows_outside_of_the_indexes_are_noted(self, store: LanceStore) -> None:
        write(store, small(), *(small(f"# Page {number}\n", f"{number}.md") for number in range(9)))
        store.replace_documents([small("# Late\n", "late.md")])  # by a writer that is killed before its lock ends
        found = [each for each in store.inspect() if "checksum" not in each.message][-1]
        assert "outside the indexes" in found.message
        assert not found.is_fault
        assert found.repair.startswith("crosshead optimize")

    @pytest.mark.parametrize("where", ["rows.lance/data/*", "rows.lance/_indices/*/*", "settings.json"])
    def test_a_changed_byte_is_found_in_any_file(self, store: LanceStore, where: str) -> None:
        write(store, small())
        path = min(Path(store.location).glob(where))
        data = path.read_bytes()
        path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
        found = next(store.inspect())
        assert found.message == f"{path.relative_to(Path(store.location))}: damaged since it was written"

    def test_files_that_a_killed_writer_left_are_no_fault(self, store: LanceStore) -> None:
        write(store, small())
        store.replace_documents([small("# Late\n", "late.md")])
        assert faults(store) == []
        with store.lock():
            store.maintain()
        assert not any("checksum" in each.message for each in store.inspect())

    def test_damaged_checksums_are_a_fault(self, store: LanceStore) -> None:
        (Path(store.location) / "checksums.json").write_text("{")
        assert "checksums.json: damaged" in faults(store)[0].message


class TestSeveralProcesses(SeveralProcesses):
    """What several processes do at once, in a folder."""


def test_an_index_whose_root_was_moved_is_whole(tmp_path: Path) -> None:
    store = LanceStore(Folder(tmp_path / "index"), create=SETTINGS)
    with store.lock():
        store.replace_documents([make_rows("# A\n\nText.\n", "a.md")])
        store.change_setting("root", str(tmp_path))
    assert list(store.inspect()) == []
