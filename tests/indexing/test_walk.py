"""Which files of a folder are indexed, and in what order."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from crosshead.errors import ExtractError, UnsupportedFormat
from crosshead.indexing.files.walk import files_in, files_to_index


def write(folder: Path, *names: str, text: str = "# Text\n") -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def indexed(folder: Path) -> list[str]:
    return [os.path.relpath(file.path, folder) for file in files_to_index(str(folder)) if file.is_wanted]


def test_order_is_stable_and_only_documents_count(tmp_path: Path) -> None:
    write(tmp_path, "b.md", "a.txt", "sub/z.html", "sub/c.csv", "picture.png", "program", ".hidden.md", ".git/x.md")
    write(tmp_path, "node_modules/x/readme.md")
    assert indexed(tmp_path) == ["a.txt", "b.md", "sub/c.csv", "sub/z.html"]


@pytest.mark.parametrize(
    ("patterns", "left"),
    [
        ("*.txt", ["a.md", "build/a.md", "docs/build/a.md"]),
        ("build/", ["a.md", "a.txt"]),
        ("/build/", ["a.md", "a.txt", "docs/build/a.md"]),
        ("*\n!a.md\n!*/", ["a.md", "build/a.md", "docs/build/a.md"]),
        ("# comment\n\n   \n", ["a.md", "a.txt", "build/a.md", "docs/build/a.md"]),
        ("!\n///\na.txt", ["a.md", "build/a.md", "docs/build/a.md"]),
        ("docs/**/a.md", ["a.md", "a.txt", "build/a.md"]),
    ],
)
@pytest.mark.parametrize("name", [".gitignore", ".crossheadignore"])
def test_ignore_files_mean_what_they_mean_to_git(tmp_path: Path, name: str, patterns: str, left: list[str]) -> None:
    write(tmp_path, "a.md", "a.txt", "build/a.md", "docs/build/a.md")
    write(tmp_path, name, text=patterns)
    assert indexed(tmp_path) == left


def test_nearest_ignore_file_decides(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "sub/a.md", "sub/deep/a.md", "other/a.md")
    write(tmp_path, ".gitignore", text="a.md\n")
    write(tmp_path, "sub/.gitignore", text="!a.md\n")
    assert indexed(tmp_path) == ["sub/a.md", "sub/deep/a.md"]


def test_crossheadignore_overrules_gitignore_beside_it(tmp_path: Path) -> None:
    write(tmp_path, "generated.md", "drafts.md")
    write(tmp_path, ".gitignore", text="generated.md\n")
    write(tmp_path, ".crossheadignore", text="!generated.md\ndrafts.md\n")
    assert indexed(tmp_path) == ["generated.md"]


def test_ignore_files_of_the_repository_above_count(tmp_path: Path) -> None:
    write(tmp_path, "repository/docs/a.md", "repository/docs/b.md")
    write(tmp_path, "repository/.gitignore", text="/docs/b.md\n")
    write(tmp_path, ".gitignore", text="*.md\n")
    (tmp_path / "repository" / ".git").mkdir()
    assert indexed(tmp_path / "repository" / "docs") == ["a.md"]


def test_ignore_files_above_do_not_count_outside_of_a_repository(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.md")
    write(tmp_path, ".gitignore", text="*.md\n")
    assert indexed(tmp_path / "docs") == ["a.md"]


def test_links_out_of_the_folder_are_not_followed(tmp_path: Path) -> None:
    write(tmp_path, "secret/a.md", "docs/b.md")
    (tmp_path / "docs" / "file.md").symlink_to(tmp_path / "secret" / "a.md")
    (tmp_path / "docs" / "folder").symlink_to(tmp_path / "secret")
    (tmp_path / "docs" / "inside.md").symlink_to(tmp_path / "docs" / "b.md")
    (tmp_path / "docs" / "loop").symlink_to(tmp_path / "docs")
    assert indexed(tmp_path / "docs") == ["b.md", "inside.md"]


def test_other_commands_do_not_look_at_ignore_files(tmp_path: Path) -> None:
    write(tmp_path, "a.md")
    write(tmp_path, ".gitignore", text="*.md\n")
    assert [file.path for file in files_in(str(tmp_path))] == [str(tmp_path / "a.md")]


def test_pipe_would_block_and_is_left_out(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    assert indexed(tmp_path) == []


def test_ignore_file_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").mkdir()
    with pytest.raises(ExtractError, match=r"\.gitignore"):
        indexed(tmp_path)


def test_code_and_data_are_taken_where_they_are_asked_for(tmp_path: Path) -> None:
    for name in ("a.md", "b.py", "c.json", "c.lock.json", "d.min.js", "package-lock.json", "e.odd"):
        (tmp_path / name).write_text("x")

    def taken(*include: str) -> list[str]:
        return [Path(file.path).name for file in files_in(str(tmp_path), include)]

    assert taken() == ["a.md"]
    assert taken("code") == ["a.md", "b.py"]
    assert taken("code", "data") == ["a.md", "b.py", "c.json"]
    assert taken(".json") == ["a.md", "c.json"]
    with pytest.raises(UnsupportedFormat, match="known are"):
        taken("nonsense")
