"""An index gets other settings: nothing is made again without need, and a search always finds everything."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
import pytest

from crosshead import pipeline
from crosshead.errors import Locked, OptionsMismatch, StoreError
from crosshead.index import Index, Progress
from crosshead.indexing.change import run as change_run
from crosshead.indexing.steps import write
from crosshead.store import open_store
from crosshead.store.copy import read_documents
from crosshead.types import DocumentRows, Vectors

DOCUMENTS = 12
SMALL_BATCHES = """
from crosshead.indexing.steps import write
from crosshead.indexing.change import run
run.DOCUMENTS_AT_ONCE = write.DOCUMENTS_AT_ONCE = 2
"""
PROGRAM = f"{SMALL_BATCHES}from crosshead.cli import main; main()"


class LetterEmbedder:
    """Vectors of a hash; counts the texts that it embeds."""

    revision = "1"

    def __init__(self, name: str, dimension: int) -> None:
        self.name = name
        self.dimension = dimension
        self.embedded: list[str] = []

    def embed(self, texts: Sequence[str], *, on_progress: Callable[[int], None] | None = None) -> list[Vectors]:
        self.embedded += texts
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> Vectors:
        random = np.random.default_rng(int.from_bytes(sha256(text.encode()).digest()[:8]))
        vector = random.normal(size=(1, self.dimension)).astype(np.float32)
        return vector / np.linalg.norm(vector)


@pytest.fixture
def old() -> LetterEmbedder:
    return LetterEmbedder("old", 8)


@pytest.fixture
def new() -> LetterEmbedder:
    return LetterEmbedder("new", 12)


@pytest.fixture(autouse=True)
def _documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROSSHEAD_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(change_run, "DOCUMENTS_AT_ONCE", 2)
    monkeypatch.setattr(write, "DOCUMENTS_AT_ONCE", 2)
    monkeypatch.chdir(tmp_path)
    Path("docs").mkdir()
    for number in range(DOCUMENTS):
        front_matter = f"---\nteam: infra\ndate: 2026-01-{number + 1:02}\n---\n"
        parts = [f"## Part {part}\n\nWalrus {number} of {part}. {'word ' * 40}\n" for part in range(3)]
        Path(f"docs/{number:02}.md").write_text("\n".join([front_matter, f"# Page {number}\n", *parts]))


@pytest.fixture(params=["folder", "bucket", "database"])
def location(request: pytest.FixtureRequest) -> str:
    """Where the index is."""
    if request.param == "folder":
        return ".crosshead"
    found: str = request.getfixturevalue(request.param)
    return found if request.param == "database" else f"{found}/docs"


@pytest.fixture
def index(location: str, old: LetterEmbedder) -> Index:
    """An index of all documents, made with the old embedder."""
    opened = Index(location, root=".", embedder=old, max_tokens=200, overlap_tokens=0)
    assert opened.add("docs").added == DOCUMENTS
    return opened


def rows_of(index: Index) -> dict[str, DocumentRows]:
    """Return everything an index holds, but what differs from run to run."""
    hashed = index._index.piece_cutter.text_hash
    found = read_documents(index._store, [each.id for each in all_documents(index)], hashed)
    return {rows.document.source: rows for rows in found}


def all_documents(index: Index) -> list[Any]:
    from crosshead import ids

    return index._store.documents([ids.document_id(source) for source in index.sources()])


def check_like_a_new_index(index: Index, tmp_path: Path, embedder: LetterEmbedder, **options: Any) -> None:
    """Check that an index holds what a new one with the same settings would hold."""
    with Index(tmp_path / "fresh", root=".", embedder=embedder, **options) as fresh:
        fresh.add("docs")
        expected, found = rows_of(fresh), rows_of(index)
    assert found.keys() == expected.keys()
    for source, rows in found.items():
        wanted = expected[source]
        assert rows.document._replace(revision="") == wanted.document._replace(revision="")
        assert rows.sections == wanted.sections
        assert [each.chunk for each in rows.chunks] == [each.chunk for each in wanted.chunks]
        for one, other in zip(rows.chunks, wanted.chunks, strict=True):
            assert one.vectors is not None
            assert other.vectors is not None
            assert np.allclose(one.vectors, other.vectors, atol=1e-3)


class Interrupted(Exception):
    """Ctrl-C was pressed."""


def after(documents: int) -> Callable[[Progress], None]:
    """Return what interrupts a change once some documents are written."""

    def interrupt(progress: Progress) -> None:
        if progress.documents_done >= documents:
            raise Interrupted

    return interrupt


def test_another_model_embeds_the_same_chunks(
    index: Index, new: LetterEmbedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("it was cut again")

    with monkeypatch.context() as patched:
        patched.setattr(pipeline, "chunk", refuse)
        result = index.change(embedder=new)
    assert result.settings == {"embedder": ("old", "new")}
    assert (result.documents, result.is_cut_again) == (DOCUMENTS, False)
    assert result.embedded == index.status().chunks
    assert index.status().embedder == "new"
    assert index.search("walrus", mode="dense", limit=100)
    check_like_a_new_index(index, tmp_path, new, max_tokens=200, overlap_tokens=0)


def test_other_chunks_are_cut_from_stored_texts_and_equal_texts_keep_their_vectors(
    index: Index, old: LetterEmbedder, tmp_path: Path
) -> None:
    Path("docs/extra.md").write_text("# Extra\n\nShort.\n")
    index.add("docs")
    shutil.move("docs", "elsewhere")
    del old.embedded[:]
    result = index.change(max_tokens=60, overlap_tokens=0)
    assert result.is_cut_again
    assert result.embedded == len(old.embedded)
    assert not any("Short." in text for text in old.embedded)
    shutil.move("elsewhere", "docs")
    check_like_a_new_index(index, tmp_path, old, max_tokens=60, overlap_tokens=0)


def test_an_unchanged_file_is_unchanged_afterwards(index: Index, location: str, old: LetterEmbedder) -> None:
    index.add_text("# Note\n\nA note.\n", source="note", metadata={"team": "web"})
    index.change(max_tokens=60)
    assert index.add("docs").unchanged == DOCUMENTS
    assert index.add_text("# Note\n\nA note.\n", source="note", metadata={"team": "web"}).unchanged == 1
    with Index(location, embedder=old, create=False) as opened:
        assert opened.add("docs", verify=True).unchanged == DOCUMENTS
    Path("docs/00.md").write_text("# Other\n\nOther.\n")
    assert index.add("docs").updated == 1
    assert index.change(max_tokens=200).documents == DOCUMENTS + 1
    assert index.add("docs").unchanged == DOCUMENTS


def test_other_options_of_reading_have_files_read_again(index: Index) -> None:
    from crosshead import ExtractOptions

    assert index.change(extract=ExtractOptions(comments=True)).settings.keys() == {"extract"}
    assert index.add("docs").updated == DOCUMENTS
    assert index.add("docs").unchanged == DOCUMENTS


def test_another_language_needs_no_model(index: Index, old: LetterEmbedder) -> None:
    del old.embedded[:]
    assert index.change(language="german").embedded == 0
    assert not old.embedded
    assert index.status().languages == {"de": DOCUMENTS}


def test_an_interrupted_change_goes_on_where_it_was(index: Index, new: LetterEmbedder) -> None:
    before = index.search("walrus", limit=100)
    with pytest.raises(Interrupted):
        index.change(embedder=new, max_tokens=60, overlap_tokens=0, on_progress=after(6))
    assert index.status().embedder == "old"
    assert index.search("walrus", limit=100) == before
    made: list[int] = []
    result = index.change(
        embedder=new, max_tokens=60, overlap_tokens=0, on_progress=lambda each: made.append(each.documents_done)
    )
    assert min(made) >= 4
    assert result.documents == DOCUMENTS
    assert index.status().embedder == "new"
    assert len(new.embedded) == len(set(new.embedded))


@pytest.mark.parametrize("other", [{"max_tokens": 200}, {"max_tokens": 90}])
def test_another_change_discards_an_interrupted_one(index: Index, new: LetterEmbedder, other: dict[str, int]) -> None:
    with pytest.raises(Interrupted):
        index.change(embedder=new, on_progress=after(4))
    assert index._store.unfinished_change()
    index.change(**other)
    assert index._store.unfinished_change() is None
    assert index.status().embedder == "old"
    assert index.status().settings["chunk"]["max_tokens"] == other["max_tokens"]


def test_documents_that_change_in_between_are_made_again(index: Index, new: LetterEmbedder, tmp_path: Path) -> None:
    with pytest.raises(Interrupted):
        index.change(embedder=new, on_progress=after(8))
    Path("docs/00.md").write_text("# Other\n\nOther.\n")
    Path("docs/01.md").unlink()
    assert (result := index.add("docs")).updated + result.removed == 2
    index.change(embedder=new)
    check_like_a_new_index(index, tmp_path, new, max_tokens=200, overlap_tokens=0)


def test_a_change_back_gives_the_same_rows(index: Index, old: LetterEmbedder, new: LetterEmbedder) -> None:
    before = rows_of(index)
    index.change(embedder=new, max_tokens=60, overlap_tokens=0)
    index.change(embedder=old, max_tokens=200, overlap_tokens=0)
    after_it = rows_of(index)
    assert {source: rows.document for source, rows in after_it.items()} == {
        source: rows.document for source, rows in before.items()
    }
    assert [each.chunk for rows in after_it.values() for each in rows.chunks] == [
        each.chunk for rows in before.values() for each in rows.chunks
    ]
    assert "first_recipe" not in index._store.settings


def test_who_has_the_index_open_follows(index: Index, location: str, old: LetterEmbedder) -> None:
    with Index(location, embedder=old, create=False) as other:
        assert other.search("walrus", mode="dense")
        index.change(max_tokens=60, overlap_tokens=0)
        found = other.search("walrus", limit=200)
        assert {hit.chunk.id for hit in found} == {hit.chunk.id for hit in index.search("walrus", limit=200)}
        assert other.chunk(found[0].chunk.id) == found[0].chunk
        assert other.add("docs").unchanged == DOCUMENTS
        Path("docs/more.md").write_text("# More\n\nMore.\n")
        index.change(max_tokens=90, overlap_tokens=0)
        assert other.add("docs").added == 1
        assert other.status().settings == index.status().settings


def test_searches_find_everything_all_the_time(index: Index, location: str) -> None:
    wanted = {f"docs/{number:02}.md" for number in range(DOCUMENTS)}
    done, searches = threading.Event(), 0
    problems: list[object] = []

    def search() -> None:
        nonlocal searches
        with Index(location, embedder=LetterEmbedder("old", 8), create=False) as reader:
            while not done.is_set():
                searches += 1
                try:
                    found = {hit.chunk.source for hit in reader.search("walrus", limit=500)}
                    lexical = {hit.chunk.source for hit in reader.search("walrus", limit=500, mode="lexical")}
                    if not found == lexical == wanted:
                        problems.append((found, lexical))
                    if reader.status().documents != DOCUMENTS:
                        problems.append("documents")
                except Exception as error:
                    problems.append(error)

    reader = threading.Thread(target=search)
    reader.start()
    for size in (60, 120, 90):
        index.change(max_tokens=size, overlap_tokens=0)
    done.set()
    reader.join()
    assert not problems
    assert searches > 3


def test_of_two_changes_at_once_one_is_locked_out(index: Index, location: str, old: LetterEmbedder) -> None:
    with Index(location, embedder=old, create=False) as other:

        def change_too(_: Progress) -> None:
            with pytest.raises(Locked):
                other.change(max_tokens=90)
            raise Interrupted

        with pytest.raises(Interrupted):
            index.change(max_tokens=60, on_progress=change_too)


def test_a_dry_run_changes_nothing(index: Index, new: LetterEmbedder) -> None:
    planned = index.change(embedder=new, dry_run=True)
    assert (planned.documents, planned.embedded) == (DOCUMENTS, index.status().chunks)
    assert 0 < planned.seconds < 5
    recut = index.change(max_tokens=60, overlap_tokens=0, dry_run=True)
    assert index._store.unfinished_change() is None
    assert index.status().settings["chunk"]["max_tokens"] == 200
    assert index.change(max_tokens=60, overlap_tokens=0).embedded == recut.embedded


def test_opening_with_other_settings_says_how_to_change_them(index: Index, location: str) -> None:
    with pytest.raises(OptionsMismatch, match=r"not 60: leave max_tokens out, or change the index: .*--max-tokens 60"):
        Index(location, max_tokens=60)


def test_a_refused_change_leaves_everything(index: Index) -> None:
    broken = LetterEmbedder("broken", 8)
    broken.embed = lambda *_, **__: 1 / 0  # type: ignore[assignment,method-assign]
    before = rows_of(index)
    with pytest.raises(Exception, match="broken"):
        index.change(embedder=broken)
    assert index.status().embedder == "old"
    assert rows_of(index).keys() == before.keys()
    assert index.search("walrus")


def test_killed_at_random_points_the_same_command_finishes(location: str, tmp_path: Path) -> None:
    rng = random.Random(7)
    start = [sys.executable, "-c", PROGRAM, "index", "--index", location]
    with Index(location, root=".", embedder="static", max_tokens=200, overlap_tokens=0) as index:
        index.add("docs")
        wanted = {f"docs/{number:02}.md" for number in range(DOCUMENTS)}
        killed = 0
        for size in (60, 90, 70):
            command = [*start, "--max-tokens", str(size), "--overlap-tokens", "0"]
            with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
                while index._store.unfinished_change() is None and process.poll() is None:
                    pass
                threading.Event().wait(rng.uniform(0, 0.4))
                process.kill()
            killed += process.returncode == -signal.SIGKILL
            assert {hit.chunk.source for hit in index.search("walrus", limit=500)} == wanted
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
            assert {hit.chunk.source for hit in index.search("walrus", limit=500)} == wanted
            assert index.status().settings["chunk"]["max_tokens"] == size
            assert index.add("docs").unchanged == DOCUMENTS
            assert not index.doctor()
        assert killed


class TestFolder:
    @pytest.fixture
    def location(self) -> str:
        return ".crosshead"

    def test_nothing_is_left_behind(self, index: Index) -> None:
        index.change(max_tokens=60)
        tables = [path.name for path in Path(".crosshead").glob("rows*")]
        assert len(tables) == 1
        assert not Path(".crosshead/next.json").exists()
        assert not index.doctor()

    def test_a_damaged_unfinished_change_is_made_again(self, index: Index, new: LetterEmbedder) -> None:
        with pytest.raises(Interrupted):
            index.change(embedder=new, on_progress=after(4))
        shutil.rmtree(next(path for path in Path(".crosshead").glob("rows-*")))
        assert index.change(embedder=new).documents == DOCUMENTS

    def test_an_index_of_an_older_version_can_be_changed(self, index: Index, old: LetterEmbedder) -> None:
        store = open_store(".crosshead")
        with store.lock():
            store.change_setting("piece_tokens", None)
        with Index(".crosshead", embedder=old) as older:
            assert older.change(max_tokens=60).documents == DOCUMENTS
            assert not older.doctor()


class TestDatabase:
    @pytest.fixture
    def location(self, database: str) -> str:
        return database

    def test_nothing_is_left_behind_and_grants_stay(self, index: Index, location: str) -> None:
        with psycopg.connect(location, autocommit=True) as connection:
            connection.execute("GRANT SELECT ON chunks TO PUBLIC")
            before = connection.execute(CATALOG).fetchall()
            index.change(max_tokens=60)
            assert connection.execute(CATALOG).fetchall() == before
            assert connection.execute("SELECT has_table_privilege('public', 'chunks', 'SELECT')").fetchone() == (True,)
            query = "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'crosshead%'"
            assert connection.execute(query).fetchone() == (0,)

    def test_documents_that_others_write_meanwhile_are_there(
        self, index: Index, location: str, old: LetterEmbedder
    ) -> None:
        written = []

        def write(_: Progress) -> None:
            if not written:
                written.append(other.add_text("# Late\n\nA late walrus.\n", source="late"))

        with Index(location, embedder=old, create=False) as other:
            index.change(max_tokens=60, on_progress=write)
        assert index.status().documents == DOCUMENTS + 1
        assert "late" in {hit.chunk.source for hit in index.search("late walrus")}

    def test_a_view_of_another_program_is_named(self, index: Index, location: str) -> None:
        with psycopg.connect(location, autocommit=True) as connection:
            connection.execute("CREATE VIEW titles AS SELECT title FROM works")
        with pytest.raises(StoreError, match="view titles depends on table works"):
            index.change(max_tokens=60)
        assert index.search("walrus")

    def test_rows_of_another_program_are_not_lost(self, index: Index, location: str) -> None:
        with psycopg.connect(location, autocommit=True) as connection:
            connection.execute("INSERT INTO works (title) VALUES ('mine')")
        with pytest.raises(StoreError, match=r"hold rows of another program, .* copy the index"):
            index.change(max_tokens=60)


CATALOG = """
    SELECT relname, relkind, relacl::text, (
        SELECT string_agg(concat_ws(' ', attname, format_type(atttypid, atttypmod), attnotnull, attidentity,
            attgenerated, attstattarget, attstorage), ',' ORDER BY attnum)
        FROM pg_attribute WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
    ), pg_get_indexdef(oid), (SELECT string_agg(pg_get_constraintdef(oid), ',' ORDER BY conname)
        FROM pg_constraint WHERE conrelid = pg_class.oid)
    FROM pg_class WHERE relnamespace = current_schema()::regnamespace ORDER BY relname
"""
"""Everything that the catalog says about tables, indexes and sequences."""
