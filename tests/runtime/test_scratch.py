"""Temporary folders of killed processes are removed by the next one; everything else stays."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from crosshead.runtime import scratch
from crosshead.runtime.scratch import LOCK, is_abandoned, scratch_folder

HOLD = """
import sys
from pathlib import Path
from crosshead.runtime.scratch import scratch_folder

with scratch_folder(Path(sys.argv[1]), hidden=True) if sys.argv[1:] else scratch_folder() as folder:
    (folder / "deep" / "er").mkdir(parents=True)
    (folder / "deep" / "er" / "file").write_text("content")
    print(folder, flush=True)
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A temporary folder for this test alone."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)  # so that it is looked for again
    return folder


@contextmanager
def held(*arguments: str) -> Iterator[Path]:
    """Another process holds a folder, until it is killed."""
    command = [sys.executable, "-c", HOLD, *arguments]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            yield Path(process.stdout.readline().strip())
        finally:
            process.kill()


def test_a_folder_is_private_named_after_its_process_and_gone_at_the_end(temporary: Path) -> None:
    with scratch_folder() as folder:
        assert folder.parent == temporary
        assert folder.name.startswith(f"crosshead-{os.getpid()}-")
        assert sys.platform == "win32" or folder.stat().st_mode & 0o777 == 0o700
        (folder / "file").touch()
        (folder / "link").symlink_to(temporary)
    assert [*temporary.iterdir()] == []


def test_a_killed_process_leaves_nothing_after_the_next_run(temporary: Path) -> None:
    with held() as folder:
        with scratch_folder():
            pass
        assert (folder / "deep/er/file").exists()
    assert folder.exists()
    with scratch_folder():
        assert folder.exists()  # the lease of a killed writer is looked for by its folder
    assert [*temporary.iterdir()] == []


def test_a_hidden_folder_elsewhere_is_swept_by_the_next_one_there(tmp_path: Path) -> None:
    with held(str(tmp_path)) as folder:
        assert folder.parent == tmp_path
        assert folder.name.startswith(".crosshead-")
    with scratch_folder():
        pass
    assert folder.exists()
    with scratch_folder(tmp_path):
        pass
    assert not folder.exists()


def test_it_is_known_whether_the_process_of_a_folder_has_ended() -> None:
    with held() as folder:
        assert not is_abandoned(folder.name)
    assert is_abandoned(folder.name)
    assert not folder.exists()
    for name in (folder.name, "", "..", "../crosshead-1-x", "/crosshead-1-x", "crosshead-1-x/.."):
        assert not is_abandoned(name)


def test_links_files_and_folders_of_other_names_stay(temporary: Path, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    for folder in (precious, temporary / "crosshead-old", temporary / "crosshead-1-x y", temporary / "other"):
        folder.mkdir()
        (folder / LOCK).touch()
    (temporary / "crosshead-1-link").symlink_to(precious)
    (temporary / "crosshead-1-file").touch()
    before = sorted(temporary.iterdir())
    with scratch_folder():
        pass
    assert sorted(temporary.iterdir()) == before
    assert (precious / LOCK).exists()


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no user ids there")
def test_folders_of_other_users_stay(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with held() as folder:
        pass
    with monkeypatch.context() as other:
        other.setattr(os, "geteuid", lambda: folder.stat().st_uid + 1)
        with scratch_folder():
            pass
        assert folder.exists()
    with scratch_folder():
        pass
    assert [*temporary.iterdir()] == []


def test_a_process_that_was_killed_before_its_lock_leaves_nothing(temporary: Path) -> None:
    (temporary / "crosshead-1-empty").mkdir()
    with scratch_folder():
        pass
    assert [*temporary.iterdir()] == []


def test_a_folder_that_is_swept_before_it_is_locked_is_made_again(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make, made = tempfile.mkdtemp, []

    def make_and_lose(**options: str) -> str:
        made.append(make(**options))
        if len(made) == 1:
            assert not scratch.remove_abandoned(Path(made[0]))
        return made[-1]

    monkeypatch.setattr(tempfile, "mkdtemp", make_and_lose)
    with scratch_folder() as folder:
        assert [str(folder)] == made[1:]
        assert not is_abandoned(folder.name)
    assert [*temporary.iterdir()] == []


def test_what_cannot_be_removed_yet_is_removed_later(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as busy:
        busy.setattr(shutil, "rmtree", lambda path, ignore_errors: None)
        with scratch_folder() as folder:
            (folder / "open").mkdir()
    assert (folder / "open").exists()
    with scratch_folder():
        pass
    assert [*temporary.iterdir()] == []
