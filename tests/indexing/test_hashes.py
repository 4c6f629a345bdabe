"""An unchanged file is not read again, and a changed one never passes for unchanged."""

from __future__ import annotations

import json
import os
import shutil
import time
import zipfile
from pathlib import Path

import pytest
from tests.support.stored_documents import WordEmbedder

from crosshead import pipeline
from crosshead.index import AddResult, Index
from crosshead.indexing.files import hashes
from crosshead.indexing.files.hashes import FileHashes, FileStat, hashes_path
from crosshead.store import FILE_HASHES

pytestmark = pytest.mark.usefixtures("_in_process")


@pytest.fixture
def docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CROSSHEAD_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "docs"
    folder.mkdir()
    for name in ("a", "b", "c"):
        (folder / f"{name}.md").write_text(f"# Page {name}\n\nWords of {name}.\n")
    return folder


@pytest.fixture
def _old_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take files that were just written for old ones."""
    monkeypatch.setattr(hashes, "TICK_NS", -3_600_000_000_000)


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sources of the files that were read."""
    read: list[str] = []
    read_bytes = pipeline.read_bytes

    def record(path: str, options: object, format: str | None = None, *, source: str) -> bytes:
        read.append(source)
        return read_bytes(path, options, format, source=source)  # type: ignore[arg-type]

    monkeypatch.setattr(pipeline, "read_bytes", record)
    return read


@pytest.fixture(params=["folder", "s3", "postgresql"])
def location(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "folder":
        return str(tmp_path / "index")
    return str(request.getfixturevalue("bucket" if request.param == "s3" else "database"))


def add(location: str | Path, *paths: str | Path, verify: bool = False) -> AddResult:
    with Index(location, embedder=WordEmbedder()) as index:
        return index.add(*(paths or ["docs"]), verify=verify)


def counts(result: AddResult) -> tuple[int, int, int]:
    return result.added, result.updated, result.unchanged


@pytest.mark.usefixtures("_old_files")
def test_unchanged_run_reads_no_file(docs: Path, location: str, reads: list[str]) -> None:
    assert counts(add(location)) == (3, 0, 0)
    assert sorted(reads) == ["docs/a.md", "docs/b.md", "docs/c.md"]
    reads.clear()
    assert counts(add(location)) == (0, 0, 3)
    assert reads == []
    (docs / "b.md").write_text("# Page b\n\nOther words.\n")
    assert counts(add(location)) == (0, 1, 2)
    assert reads == ["docs/b.md"]


@pytest.mark.usefixtures("_old_files")
def test_verify_reads_every_file(docs: Path, reads: list[str]) -> None:
    add("index")
    reads.clear()
    assert counts(add("index", verify=True)) == (0, 0, 3)
    assert len(reads) == 3
    reads.clear()
    add("index")
    assert reads == []


def test_file_that_had_just_changed_is_read_again(docs: Path, reads: list[str]) -> None:
    """Another change within the same tick of the clock leaves no trace in the stat."""
    stat = os.stat(docs / "a.md")
    add("index")
    entries = json.loads(Path("index", FILE_HASHES).read_text())
    (docs / "a.md").write_text("# Page a\n\nWords of z.\n")
    os.utime(docs / "a.md", ns=(stat.st_atime_ns, stat.st_mtime_ns))
    changed = FileStat.of(os.stat(docs / "a.md"))
    entries["docs/a.md"][0] = changed  # as if the clock had not moved
    Path("index", FILE_HASHES).write_text(json.dumps(entries))
    reads.clear()
    assert counts(add("index")) == (0, 1, 2)
    assert "docs/a.md" in reads


@pytest.mark.usefixtures("_old_files")
@pytest.mark.parametrize("way", ["copy", "rename", "write"])
def test_file_of_the_same_size_and_time_is_noticed(docs: Path, way: str) -> None:
    add("index")
    old, new = docs / "a.md", docs.parent / "new.md"
    new.write_text("# Page a\n\nWords of z.\n")
    shutil.copystat(old, new)
    if way == "copy":
        shutil.copy2(new, old)  # as `cp -p`: the inode stays
    elif way == "rename":
        os.replace(new, old)
    else:
        stat = os.stat(old)
        old.write_bytes(new.read_bytes())
        os.utime(old, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert counts(add("index")) == (0, 1, 2)


@pytest.mark.usefixtures("_old_files")
def test_touched_file_is_read_once_and_unchanged(docs: Path, reads: list[str]) -> None:
    add("index")
    os.utime(docs / "a.md", (1, 1))
    reads.clear()
    assert counts(add("index")) == (0, 0, 3)
    assert reads == ["docs/a.md"]
    reads.clear()
    add("index")
    assert reads == []


@pytest.mark.usefixtures("_old_files")
@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"[]",
        b"{",
        b'{"docs/a.md": 1}',
        b'{"docs/a.md": [[1, 2], 3, "x"]}',
        b'{"docs/a.md": [["x", 1, 1, 1], 3, "x"]}',
        b'{"docs/a.md": [[Infinity, 1, 1, 1], 3, "x"]}',
        b"[" * 100_000,
        b"\xff\xfe",
    ],
)
def test_lost_or_damaged_hashes_only_cost_reading(docs: Path, reads: list[str], damage: bytes) -> None:
    add("index")
    reads.clear()
    if damage:
        Path("index", FILE_HASHES).write_bytes(damage)
    else:
        Path("index", FILE_HASHES).unlink()
    assert counts(add("index")) == (0, 0, 3)
    assert len(reads) == 3
    reads.clear()
    assert counts(add("index")) == (0, 0, 3)
    assert reads == []


@pytest.mark.usefixtures("_old_files")
def test_hashes_of_another_index_never_hide_a_document(docs: Path, reads: list[str]) -> None:
    """The revision in the index decides, so that other hashes cannot make a document look indexed."""
    add("index")
    (docs / "a.md").write_text("# Page a\n\nOther words.\n")
    add("other")
    shutil.copy(Path("other", FILE_HASHES), Path("index", FILE_HASHES))
    assert counts(add("index")) == (0, 1, 2)


@pytest.mark.usefixtures("_old_files")
def test_options_and_formats_count_without_reading(docs: Path, reads: list[str]) -> None:
    with Index("index", embedder=WordEmbedder()) as index:
        index.add("docs")
        assert counts(index.add("docs/a.md", format="text")) == (0, 1, 0)
        reads.clear()
        assert counts(index.add("docs")) == (0, 0, 3)  # as the format that it was given
        assert reads == []


@pytest.mark.usefixtures("_old_files")
def test_document_is_read_again_as_long_as_it_includes_others(docs: Path, reads: list[str]) -> None:
    (docs / "book.adoc").write_text("= Book\n\nWords.\n\ninclude::part.txt[]\n")
    (docs / "part.txt").write_text("Words of the part.\n")
    add("index", "docs/book.adoc")
    assert counts(add("index", "docs/book.adoc")) == (0, 0, 1)
    (docs / "part.txt").write_text("Words of one part.\n")
    assert counts(add("index", "docs/book.adoc")) == (0, 1, 0)
    (docs / "part.txt").unlink()
    assert counts(add("index", "docs/book.adoc")) == (0, 1, 0)
    (docs / "part.txt").write_text("Words of one part.\n")
    assert counts(add("index", "docs/book.adoc")) == (0, 1, 0)
    (docs / "book.adoc").write_text("= Book\n\nWords.\n")
    add("index", "docs/book.adoc")
    reads.clear()
    assert counts(add("index", "docs/book.adoc")) == (0, 0, 1)
    assert reads == []


@pytest.mark.usefixtures("_old_files")
def test_documents_in_an_archive_share_its_stat(docs: Path, reads: list[str]) -> None:
    def pack(**pages: str) -> None:
        with zipfile.ZipFile(docs / "more.zip", "w") as archive:
            for name, text in pages.items():
                archive.writestr(f"{name}.md", text)

    pack(one="# One\n\nWords.\n", two="# Two\n\nWords.\n")
    assert counts(add("index")) == (5, 0, 0)
    reads.clear()
    assert counts(add("index")) == (0, 0, 5)
    assert reads == []
    pack(one="# One\n\nWords.\n", two="# Two\n\nMany other words, and some more.\n")
    assert counts(add("index")) == (0, 1, 4)
    reads.clear()
    assert counts(add("index", "docs/more.zip/two.md")) == (0, 0, 1)
    assert reads == []


@pytest.mark.usefixtures("_old_files")
def test_link_to_another_file_is_noticed(docs: Path) -> None:
    for name in ("x", "y"):
        (docs / f"{name}.txt").write_text(f"Words of {name}.\n")
    (docs / "link.md").symlink_to("x.txt")
    add("index")
    (docs / "link.md").unlink()
    (docs / "link.md").symlink_to("y.txt")
    assert counts(add("index")) == (0, 1, 5)


@pytest.mark.usefixtures("_old_files")
def test_hashes_of_removed_documents_are_dropped(docs: Path) -> None:
    add("index")
    (docs / "a.md").unlink()
    (docs / "b.md").write_text("# Page b\n\nOther words.\n")
    add("index")
    (docs / "b.md").write_text("# Page b\n\nWords.\n")
    add("index")
    assert sorted(json.loads(Path("index", FILE_HASHES).read_text())) == ["docs/b.md", "docs/c.md"]


@pytest.mark.usefixtures("_old_files")
def test_run_that_is_interrupted_keeps_the_hashes_of_what_it_read(docs: Path, reads: list[str]) -> None:
    def stop(_: object) -> None:
        raise KeyboardInterrupt

    with Index("index", embedder=WordEmbedder()) as index:
        with pytest.raises(KeyboardInterrupt):
            index.add("docs", on_progress=stop)
        assert index.add("docs").failed == {}
        reads.clear()
        assert counts(index.add("docs")) == (0, 0, 3)
        assert reads == []


def test_cache_that_cannot_be_written_is_no_error(docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cache").write_text("a file, not a folder")
    path = hashes_path("postgresql://localhost/docs")
    cache = FileHashes(path)
    cache.remember("a.md", FileStat(1, 2, 3, 4), "hash")
    cache.save({"a.md"})
    assert FileHashes(path).digest_of("a.md", FileStat(1, 2, 3, 4)) == ""


@pytest.fixture
def cache(tmp_path: Path) -> FileHashes:
    return FileHashes(tmp_path / FILE_HASHES)


def test_only_the_same_stat_gives_a_hash(cache: FileHashes) -> None:
    stat = FileStat(1, 2, 3, 4)
    cache.remember("a.md", stat, "hash")
    assert cache.digest_of("a.md", stat) == "hash"
    assert cache.digest_of("b.md", stat) == cache.digest_of("a.md", None) == ""
    for field in FileStat._fields:
        assert cache.digest_of("a.md", stat._replace(**{field: 9})) == ""
        assert cache.has_other_size("a.md", stat._replace(**{field: 9})) is (field == "size")
    now = time.time_ns()
    for field in ("mtime_ns", "ctime_ns"):
        young = stat._replace(**{field: now})
        cache.remember("a.md", young, "hash")
        assert cache.digest_of("a.md", young) == ""
    cache.remember("a.md", stat, "")
    assert cache.digest_of("a.md", stat) == ""
