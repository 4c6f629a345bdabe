"""Paths and their names in an index."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from crosshead.errors import IngestError
from crosshead.indexing.files.sources import Sources, find_sources, source_of


@pytest.fixture
def docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "docs" / "sub").mkdir(parents=True)
    for name in ("docs/a.md", "docs/sub/b.md", "c.md"):
        (tmp_path / name).write_text("# Text\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names(sources: Sources) -> list[str]:
    return [file.source for file in sources.files]


@pytest.mark.parametrize("path", ["docs", "docs/", "./docs", "docs/../docs", "docs/sub/.."])
def test_source_does_not_depend_on_how_a_path_is_written(docs: Path, path: str) -> None:
    assert names(find_sources([path], docs)) == ["docs/a.md", "docs/sub/b.md"]


def test_each_file_is_there_once(docs: Path) -> None:
    assert names(find_sources(["docs/a.md", "docs", docs / "docs"], docs)) == ["docs/a.md", "docs/sub/b.md"]


def test_file_outside_of_the_root_keeps_its_path(docs: Path) -> None:
    assert names(find_sources(["c.md"], docs / "docs")) == [(docs / "c.md").as_posix()]


def test_link_to_the_root_makes_no_difference(docs: Path) -> None:
    (docs / "link").symlink_to(docs / "docs")
    assert names(find_sources([docs / "link"], docs)) == ["docs/a.md", "docs/sub/b.md"]
    assert source_of(docs / "link" / "a.md", docs / "link") == "a.md"


def test_root_itself_and_the_folder_of_all_folders_have_a_source(docs: Path) -> None:
    assert source_of(docs, docs) == "."
    assert source_of("/", docs) == "/"


def test_missing_path_is_an_error_unless_something_is_known_of_it(docs: Path) -> None:
    with pytest.raises(IngestError, match="gone: no such file or folder"):
        find_sources(["gone"], docs)
    sources = find_sources(["gone"], docs, known=["gone/a.md"])
    assert sources.missing(["gone/a.md", "goner/a.md"]) == ["gone/a.md"]


def test_what_is_gone_lies_below_a_given_folder(docs: Path) -> None:
    sources = find_sources(["docs/sub", "c.md"], docs)
    known = ["docs/a.md", "docs/sub/b.md", "docs/sub/old.md", "docs/subway.md", "c.md", "/other/d.md"]
    assert sources.missing(known) == ["docs/sub/old.md"]


def test_root_holds_all_relative_sources(docs: Path) -> None:
    assert find_sources(["."], docs).missing(["x/old.md", "c.md", "/other/d.md"]) == ["x/old.md"]


def test_nothing_is_gone_below_a_folder_that_cannot_be_read() -> None:
    sources = Sources((), {"docs/secret": "Permission denied"}, ("docs",))
    assert sources.missing(["docs/secret/a.md", "docs/b.md"]) == ["docs/b.md"]


def test_name_that_is_no_text_has_the_source_that_is_stored(docs: Path) -> None:
    path = os.fsencode(docs / "docs") + b"/bad\xff.md"
    try:
        Path(os.fsdecode(path)).write_text("x")
    except OSError:
        pytest.skip("this file system takes only names that are text")
    assert "docs/bad\ufffd.md" in names(find_sources(["docs"], docs))


@pytest.mark.parametrize("repository", [True, False])
def test_ignore_files_give_the_same_files_whichever_path_is_named(docs: Path, repository: bool) -> None:
    """What is named is a part of what lies below the root."""
    for name in ("docs/sub/deep/d.md", "docs/sub/deep/secret.md", "build/out.md", "build/sub/out.md"):
        (docs / name).parent.mkdir(parents=True, exist_ok=True)
        (docs / name).write_text("# Text\n")
    (docs / ".gitignore").write_text("build/\nsecret.md\n")
    (docs / "docs/.crossheadignore").write_text("sub/b.md\n")
    if repository:
        (docs / ".git").mkdir()
    whole = names(find_sources(["."], docs))
    assert whole == ["c.md", "docs/a.md", "docs/sub/deep/d.md"]
    for path in ("docs", "docs/sub", "docs/sub/deep", "docs/sub/b.md", "docs/sub/deep/secret.md", "build", "build/sub"):
        below = [name for name in whole if name == path or name.startswith(f"{path}/")]
        assert names(find_sources([path], docs)) == below, path
    assert find_sources(["build/sub", "c.md"], docs).ignored == ("build/sub",)
    assert names(find_sources(["build"], docs / "build")) == ["out.md", "sub/out.md"]  # nobody indexes more than that
    (docs / ".crossheadignore").write_text("!build/\n")
    assert names(find_sources(["build"], docs)) == ["build/out.md", "build/sub/out.md"]


def test_hidden_files_are_indexed_when_named_or_asked_for(docs: Path) -> None:
    for name in (".claude/CLAUDE.md", ".git/x.md", "node_modules/y.md", ".crosshead/z.md", "docs/.notes.md"):
        (docs / name).parent.mkdir(exist_ok=True)
        (docs / name).write_text("# Words\n")
    plain = names(find_sources([docs], docs))
    assert not any(name.startswith(".") or "/." in name for name in plain)
    assert names(find_sources([docs / ".claude/CLAUDE.md"], docs)) == [".claude/CLAUDE.md"]
    assert sorted(names(find_sources([docs], docs, hidden=True))) == sorted(
        [*plain, ".claude/CLAUDE.md", "docs/.notes.md"]
    )


def test_hidden_file_that_was_named_stays_until_it_is_deleted(docs: Path) -> None:
    (docs / ".claude").mkdir()
    (docs / ".claude/CLAUDE.md").write_text("# Words\n")
    known = [*names(find_sources([docs], docs)), ".claude/CLAUDE.md"]
    assert sorted(names(find_sources([docs], docs, known))) == sorted(known)
    (docs / ".claude/CLAUDE.md").unlink()
    found = find_sources([docs], docs, known)
    assert found.missing(known) == [".claude/CLAUDE.md"]
    assert names(find_sources([docs / "docs"], docs, known)) == ["docs/a.md", "docs/sub/b.md"]
