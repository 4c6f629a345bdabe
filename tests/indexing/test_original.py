"""The file of an indexed document is only returned if it still is what was indexed."""

import os
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from crosshead import Index
from crosshead.errors import CrossheadError, OriginalChanged, OriginalMissing, OutsideRoot
from crosshead.ids import document_id

GUIDE = b"# Keys\n\nRotate them once a year.\n"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "guide.md").write_bytes(GUIDE)
    return folder


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    with Index(tmp_path / "docs" / ".crosshead", embedder="static") as index:
        yield index


def bytes_of(index: Index, source: str, *, below_root: bool = True) -> bytes:
    found = index.original(document_id(source), below_root=below_root)
    assert found is not None
    return found.read()


def reason(index: Index, source: str, *, below_root: bool = True) -> str:
    with pytest.raises(CrossheadError) as raised:
        bytes_of(index, source, below_root=below_root)
    return f"{type(raised.value).__name__}: {raised.value}"


def test_the_bytes_are_those_of_the_file(docs: Path, index: Index) -> None:
    index.add(docs)
    assert bytes_of(index, "guide.md") == GUIDE
    assert bytes_of(index, "guide.md") == GUIDE, "the second time, the file is known"
    assert index.original("0" * 16) is None


def test_a_file_that_the_user_gave_a_format(docs: Path, index: Index) -> None:
    (docs / "notes.log").write_bytes(b"# Not a heading\n")
    index.add(docs / "notes.log", format="text")
    assert bytes_of(index, "notes.log") == b"# Not a heading\n"


def test_a_changed_file_is_refused(docs: Path, index: Index) -> None:
    index.add(docs)
    assert bytes_of(index, "guide.md") == GUIDE
    stat = os.stat(docs / "guide.md")
    (docs / "guide.md").write_bytes(GUIDE.replace(b"once", b"each"))
    os.utime(docs / "guide.md", ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert reason(index, "guide.md") == (
        "OriginalChanged: guide.md: its file has changed since it was indexed: index it again"
    )
    index.add(docs, verify=True)
    assert bytes_of(index, "guide.md") == GUIDE.replace(b"once", b"each")


def test_a_file_that_changes_after_it_was_found_is_refused(docs: Path, index: Index) -> None:
    index.add(docs)
    found = index.original(document_id("guide.md"))
    assert found
    (docs / "guide.md").write_bytes(b"# Other\n")
    with pytest.raises(OriginalChanged):
        found.read()


def test_a_file_that_is_gone(docs: Path, index: Index) -> None:
    index.add(docs)
    (docs / "guide.md").unlink()
    assert reason(index, "guide.md") == "OriginalMissing: guide.md: its file is gone: index the folder again"
    (docs / "guide.md").mkdir()
    assert "not a file any more" in reason(index, "guide.md")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_in_the_place_of_a_file_is_not_opened(docs: Path, index: Index) -> None:
    index.add(docs)
    (docs / "guide.md").unlink()
    os.mkfifo(docs / "guide.md")
    assert "not a file any more" in reason(index, "guide.md")


def test_a_text_has_no_file(docs: Path, index: Index) -> None:
    index.add_text("# Keys\n\nText.\n", source="guide.md")
    assert reason(index, "guide.md") == "OriginalMissing: guide.md: it was added as text, and has no file"


def test_files_outside_the_root_are_refused_where_that_is_wanted(tmp_path: Path, docs: Path, index: Index) -> None:
    outside = tmp_path / "elsewhere.md"
    outside.write_bytes(GUIDE)
    (docs / "link.md").symlink_to(outside)
    index.add(outside, docs / "link.md")
    for source in (str(outside), "link.md"):
        assert bytes_of(index, source, below_root=False) == GUIDE
        with pytest.raises(OutsideRoot):
            bytes_of(index, source)


def test_a_document_inside_an_archive(docs: Path, index: Index) -> None:
    with zipfile.ZipFile(docs / "all.zip", "w") as archive:
        archive.writestr("inner/guide.md", GUIDE)
    index.add(docs)
    assert bytes_of(index, "all.zip/inner/guide.md") == GUIDE
    with zipfile.ZipFile(docs / "all.zip", "w") as archive:
        archive.writestr("inner/guide.md", b"# Other\n")
    with pytest.raises(OriginalChanged):
        bytes_of(index, "all.zip/inner/guide.md")


def test_a_document_that_includes_another(docs: Path, index: Index) -> None:
    (docs / "book.adoc").write_bytes(b"= Book\n\ninclude::part.adoc[]\n")
    (docs / "part.adoc").write_bytes(b"A part of the book.\n")
    index.add(docs)
    assert bytes_of(index, "book.adoc").startswith(b"= Book")
    (docs / "part.adoc").write_bytes(b"Another part.\n")
    with pytest.raises(OriginalChanged):
        bytes_of(index, "book.adoc")


def test_an_index_whose_settings_were_changed_still_knows_its_files(docs: Path, index: Index) -> None:
    index.add(docs)
    index.change(max_tokens=100)
    assert bytes_of(index, "guide.md") == GUIDE
    (docs / "guide.md").unlink()
    with pytest.raises(OriginalMissing):
        bytes_of(index, "guide.md")
