"""`crosshead index --watch` with real files: whatever changes is in the index soon after."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from crosshead.errors import IndexNotFound
from crosshead.index import Index

PATIENCE_SECONDS = 120
# Whoever runs the tests may ignore Ctrl-C, and a new process would do so, too.
HEED_CTRL_C = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
COMMAND = [sys.executable, "-c", f"{HEED_CTRL_C}; from crosshead.cli import main; main()", "index", "docs", "--watch"]


@pytest.fixture
def docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in [*os.environ]:
        if name.startswith("CROSSHEAD_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("CROSSHEAD_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/keys.md").write_text("# Keys\n\nRotate them.\n")
    return tmp_path / "docs"


class Watcher:
    """The process, and the lines that it has printed so far."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.lines: list[str] = []
        self.errors: list[str] = []
        for stream, lines in ((process.stdout, self.lines), (process.stderr, self.errors)):
            threading.Thread(target=lambda stream=stream, lines=lines: lines.extend(stream), daemon=True).start()


@contextmanager
def watching(*more: str) -> Iterator[Watcher]:
    with subprocess.Popen([*COMMAND, *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            watcher = Watcher(process)
            wait_until(lambda: any("watching docs; Ctrl-C ends" in line for line in watcher.errors))
            yield watcher
        finally:
            process.kill()


def wait_until(holds: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < deadline, "it does not come true"
        time.sleep(0.05)


def sources() -> list[str]:
    try:
        return Index(create=False).sources()
    except IndexNotFound:
        return []


def finds(words: str) -> bool:
    return bool(Index(create=False).search(words, mode="lexical"))


def test_new_changed_ignored_and_removed_files_are_followed_until_ctrl_c(docs: Path) -> None:
    with watching("--yes") as watcher:
        (docs / "new.md").write_text("# New\n\nA pangolin.\n")
        wait_until(lambda: finds("pangolin"))
        (docs / "keys.md").write_text("# Keys\n\nA walrus.\n")
        wait_until(lambda: finds("walrus") and not finds("rotate"))
        (docs / "keys.md").unlink()
        wait_until(lambda: sources() == ["docs/new.md"])
        (docs / ".gitignore").write_text("new.md\n")
        wait_until(lambda: sources() == [])
        (docs / ".gitignore").unlink()
        wait_until(lambda: sources() == ["docs/new.md"])
        wait_until(lambda: len(watcher.lines) == 6)
        watcher.process.send_signal(signal.SIGINT)
        assert watcher.process.wait(PATIENCE_SECONDS) == 0
    happened = [re.findall("1 (added|updated|removed)", line) for line in watcher.lines[1:]]
    assert happened == [["added"], ["updated"], ["removed"], ["removed"], ["added"]]
    assert not any("Traceback" in line for line in watcher.errors)
    assert Index().add("docs").unchanged == 1


def test_a_burst_is_one_run_or_few_on_a_busy_machine(docs: Path) -> None:
    with watching("--json") as watcher:
        for number in range(30):
            (docs / f"{number:02}.md").write_text(f"# Page {number}\n\nText.\n")
        wait_until(lambda: sum(json.loads(line)["added"] for line in watcher.lines) == 31)
    assert len(watcher.lines) <= 4
    assert len(sources()) == 31


def test_changes_wait_for_another_writer(docs: Path) -> None:
    index = Index(embedder="static")
    index.add("docs")
    results = index.watch("docs")
    with Index()._store.lock():  # type: ignore[attr-defined]
        (docs / "new.md").write_text("# New\n\nText.\n")
        assert "another process is writing" in next(results).notes[0]
    assert next(results).added == 1
    assert index.sources() == ["docs/keys.md", "docs/new.md"]


def test_a_file_that_fails_is_told_once_and_the_others_go_on(docs: Path) -> None:
    index = Index(embedder="static")
    (docs / "bad.docx").write_bytes(b"PK\x03\x04")
    results = index.watch("docs")
    assert set(next(results).failed) == {"docs/bad.docx"}
    (docs / "new.md").write_text("# New\n\nText.\n")
    result = next(results)
    assert (result.added, result.failed) == (1, {})


def test_a_folder_that_is_moved_in_is_indexed_whole(docs: Path, tmp_path: Path) -> None:
    index = Index(embedder="static")
    index.add("docs")
    (tmp_path / "elsewhere").mkdir()
    for number in range(3):
        (tmp_path / f"elsewhere/{number}.md").write_text("# Page\n\nText.\n")
    results = index.watch("docs")
    threading.Timer(2, lambda: (tmp_path / "elsewhere").rename(docs / "sub")).start()
    assert next(results).added == 3


def test_a_folder_that_is_made_anew_is_followed_again(docs: Path) -> None:
    with watching("--yes"):
        wait_until(lambda: sources() == ["docs/keys.md"])
        shutil.rmtree(docs)
        wait_until(lambda: sources() == [])
        docs.mkdir()
        (docs / "back.md").write_text("# Back\n\nA quokka.\n")
        wait_until(lambda: sources() == ["docs/back.md"])
        (docs / "later.md").write_text("# Later\n\nA numbat.\n")
        wait_until(lambda: finds("numbat"))


def test_a_folder_that_has_become_empty_keeps_its_documents(docs: Path) -> None:
    with watching() as watcher:
        docs.rename("elsewhere")
        wait_until(lambda: any("none were removed" in line for line in watcher.errors))
        assert sources() == ["docs/keys.md"]
