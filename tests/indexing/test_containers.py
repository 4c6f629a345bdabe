"""Documents inside of archives and messages are indexed as files are."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.formats.archives import make_zip
from tests.formats.mail.messages import mail

from crosshead import Index
from crosshead.indexing.files.sources import find_sources
from crosshead.indexing.files.walk import files_at, files_in


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    write_archive(tmp_path / "docs" / "a.zip")
    (tmp_path / "docs" / "mail.eml").write_bytes(mail(report_md=b"# Report\n\nSales grew.\n", logo_png=b"x"))
    return tmp_path / "docs"


def write_archive(path: Path, **changes: str | None) -> None:
    parts = {
        "guide.md": "# Guide\n\nTurn it on.\n",
        "keys.md": "# Keys\n\nRotate them.\n",
        "x.bin": "x",
        ".git/a.md": "x",
    }
    path.write_bytes(make_zip({name: text for name, text in {**parts, **changes}.items() if text is not None}))


def test_folder_with_archives_and_messages(folder: Path) -> None:
    found = find_sources([folder], folder)
    assert [file.source for file in found.files] == [
        "a.zip/guide.md",
        "a.zip/keys.md",
        "mail.eml",
        "mail.eml/report.md",
    ]
    assert found.skipped == ("a.zip/x.bin",)
    assert [file.whole_path for file in files_in(str(folder))] == [str(folder / file.source) for file in found.files]


def test_archive_that_is_named(folder: Path) -> None:
    assert [file.inner for file in files_at(str(folder / "a.zip")) if file.is_wanted] == ["guide.md", "keys.md"]
    found = find_sources([folder / "a.zip"], folder)
    assert [file.source for file in found.files] == ["a.zip/guide.md", "a.zip/keys.md"]
    assert found.missing(["a.zip/old.md", "mail.eml"]) == ["a.zip/old.md"]


def test_document_in_an_archive_that_is_named(folder: Path) -> None:
    found = find_sources([folder / "a.zip" / "keys.md"], folder)
    assert [file.source for file in found.files] == ["a.zip/keys.md"]


def test_archive_that_is_a_link_keeps_its_own_name(folder: Path) -> None:
    (folder / "link.zip").symlink_to(folder / "a.zip")
    assert "link.zip/guide.md" in [file.source for file in find_sources([folder], folder).files]
    assert find_sources([folder / "link.zip"], folder).files[0].source == "link.zip/guide.md"


def test_damaged_archive_is_a_failure_and_removes_nothing(folder: Path) -> None:
    (folder / "a.zip").write_bytes(b"broken")
    found = find_sources([folder], folder)
    assert found.problems == {"a.zip": "not a ZIP archive, or incomplete: save or download it again"}
    assert found.missing(["a.zip/guide.md", "old.md"]) == ["old.md"]


def test_changed_and_removed_documents_of_an_archive(folder: Path, tmp_path: Path) -> None:
    with Index(tmp_path / "index", root=folder, embedder="static") as index:
        assert index.add(folder).added == 4
        assert index.add(folder).unchanged == 4
        write_archive(folder / "a.zip", **{"guide.md": "# Guide\n\nSwitch it off.\n", "keys.md": None, "bad.docx": "x"})
        result = index.add(folder / "a.zip")
        assert (result.added, result.updated, result.removed, list(result.failed)) == (0, 1, 1, ["a.zip/bad.docx"])
        [hit, *_] = index.search("switch off")
        assert hit.chunk.citation == "a.zip/guide.md:1-3"
        assert index.sources() == ["a.zip/guide.md", "mail.eml", "mail.eml/report.md"]
        assert index.remove("mail.eml") == 2
