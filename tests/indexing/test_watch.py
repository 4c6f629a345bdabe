"""Changes of files are told as they happen, and only those that count."""

from __future__ import annotations

import shutil
from itertools import islice
from pathlib import Path

import pytest

from crosshead.indexing import watch
from crosshead.indexing.watch import Touched, Watched, changes


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    (tmp_path / "docs" / "sub").mkdir(parents=True)
    return tmp_path / "docs"


@pytest.mark.parametrize(
    ("path", "counts"),
    [
        ("docs/a.md", True),
        ("docs/sub/a.md", True),
        ("docs/sub", True),
        ("docs", True),
        ("docs/.gitignore", True),
        ("docs/sub/.crossheadignore", True),
        ("docs/.a.md.swp", False),
        ("docs/.git/a.md", False),
        ("docs/.git/.gitignore", False),
        ("docs/node_modules/a.md", False),
        ("docs/index/rows.lance/data/x", False),
        ("docs/index", False),
        ("other/a.md", False),
    ],
)
def test_only_what_may_be_indexed_counts(docs: Path, path: str, counts: bool) -> None:
    watched = Watched([docs], docs / "index")
    assert watched.counts(str(docs.parent / path)) is counts


def test_a_file_is_watched_through_its_folder(docs: Path) -> None:
    (docs / "a.md").touch()
    watched = Watched([docs / "a.md"], docs / "index")
    assert (watched.folders, watched.recursive) == ({str(docs)}, False)
    assert watched.counts(str(docs / "a.md"))
    assert not watched.counts(str(docs / "b.md"))
    assert Watched([docs / "a.md", docs / "sub"], docs / "index").recursive


def test_hidden_files_are_watched_when_asked_for(tmp_path: Path) -> None:
    hidden = Watched([tmp_path], tmp_path / ".crosshead", hidden=True)
    plain = Watched([tmp_path], tmp_path / ".crosshead")
    for name, counts in ((".notes/a.md", True), (".a.md", True), (".git/a.md", False), ("node_modules/a.md", False)):
        assert hidden.counts(str(tmp_path / name)) is counts
        assert not plain.counts(str(tmp_path / name))
    assert plain.counts(str(tmp_path / ".gitignore"))


def test_a_hidden_folder_that_was_named_is_watched(tmp_path: Path) -> None:
    (tmp_path / ".notes").mkdir()
    watched = Watched([tmp_path / ".notes"], tmp_path / "index")
    assert watched.counts(str(tmp_path / ".notes/a.md"))
    assert not watched.counts(str(tmp_path / ".notes/.hidden/a.md"))


def test_touched_folders_stand_for_what_lies_in_them(docs: Path) -> None:
    touched = Touched().and_also([str(docs / "sub")])
    assert str(docs / "sub/a.md") in touched
    assert str(docs / "sub") in touched
    assert str(docs / "a.md") not in touched
    (docs / "link.md").symlink_to(docs / "sub/a.md")
    assert str(docs / "link.md") in touched


def test_an_ignore_file_touches_everything(docs: Path) -> None:
    touched = Touched().and_also([str(docs / ".gitignore")])
    assert touched.everything
    assert str(docs / "a.md") in touched
    assert touched.and_also([]).everything
    assert not Touched()
    assert Touched(everything=True)


def test_a_folder_made_anew_is_followed_even_under_the_number_of_the_former_one(
    docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "_identity", lambda _: (1, 1))
    told = changes([docs], docs.parent / "index")
    next(told)
    shutil.rmtree(docs)
    docs.mkdir()
    assert {str(docs)} in islice(told, 20)  # watched again
    (docs / "later.md").write_text("text")
    assert {str(docs / "later.md")} in islice(told, 20)


def test_a_burst_is_told_at_once(docs: Path) -> None:
    told = changes([docs], docs / "index")
    next(told)
    for number in range(20):
        (docs / f"{number}.md").write_text("text")
        (docs / f".hidden{number}").write_text("text")
    assert next(found for found in told if found) == {str(docs / f"{number}.md") for number in range(20)}


def test_a_folder_that_is_gone_when_it_is_to_be_watched_is_waited_for(docs: Path) -> None:
    following = changes([docs], docs.parent / "index")
    shutil.rmtree(docs)
    assert next(following) == {str(docs)}
    assert next(following) == frozenset()
    docs.mkdir()
    (docs / "a.md").touch()
    assert str(docs) in set().union(*(next(following) for _ in range(3)))
    (docs / "b.md").touch()
    assert any(str(docs / "b.md") in next(following) for _ in range(40))
