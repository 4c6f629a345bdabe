"""`crosshead index` is killed, stopped, runs beside itself, and finds no room on the disk: the index stays whole.

Six kills by default, and two on object storage, ten and four in `make test-long`; CROSSHEAD_KILLS=100 for more.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from tests.support.effort import tries

from crosshead.errors import IndexNotFound
from crosshead.index import Index
from crosshead.indexing.steps.prepare import prepare_text
from crosshead.store.lance.location.s3 import Objects
from crosshead.store.lance.store import LanceStore

KILLS = int(os.environ.get("CROSSHEAD_KILLS", tries(6, 10)))
DOCUMENTS = 24
SMALL_BATCHES = "from crosshead.indexing.steps import write; write.DOCUMENTS_AT_ONCE = 3"
"""More commits, so that there are more points to be killed at."""
PROGRAM = f"{SMALL_BATCHES}; from crosshead.cli import main; main()"
TMPFS = ("mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs")

Texts = dict[str, str]


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [*os.environ]:
        if name.startswith("CROSSHEAD_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("CROSSHEAD_CACHE", str(tmp_path / "cache"))
    (tmp_path / "docs").mkdir()
    monkeypatch.chdir(tmp_path)


@pytest.fixture(params=["folder", "bucket"])
def location(request: pytest.FixtureRequest) -> str:
    """Where the index is to be."""
    return ".crosshead" if request.param == "folder" else f"{request.getfixturevalue('bucket')}/docs"


def command(*more: str, program: str = PROGRAM) -> list[str]:
    return [sys.executable, "-c", program, "index", "docs", "--root", ".", "--max-tokens", "60", *more]


def run(*more: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*more), capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload, no-any-return]


def write_documents(version: int, numbers: range | list[int]) -> None:
    for number in numbers:
        parts = [f"## Part {part}\n\nversion {version} of part {part}, {'word ' * 40}\n" for part in range(4)]
        Path(f"docs/{number:02}.md").write_text("\n".join([f"# Page {number}\n", *parts]))


def texts_on_disk() -> Texts:
    return {path.as_posix(): path.read_text() for path in Path("docs").iterdir()}


def table_of(index: Index) -> Any:
    assert isinstance(index._store, LanceStore)
    return index._store.table.location.open_table()


def check_whole(location: str) -> Texts:
    """Every document has exactly the rows of its text, all with vectors; return the texts by their sources."""
    index = Index(location, create=False)
    rows = table_of(index).to_table(columns=["key", "kind", "source", "content", "vector"]).to_pylist()
    assert len({row["key"] for row in rows}) == len(rows), "an id is there twice"
    assert all(row["vector"] for row in rows if row["kind"] == "chunk")
    texts = {row["source"]: row["content"] for row in rows if row["kind"] == "document"}
    expected: set[str] = set()
    for source, text in texts.items():
        made, _ = prepare_text(index._index.recipe, text, source, "markdown", {})
        expected |= {made.document.id, *(each.id for each in made.sections), *(each.chunk.id for each in made.chunks)}
    assert {row["key"] for row in rows if row["kind"] != "links"} == expected
    assert {row["source"] for row in rows if row["kind"] == "links"} == texts.keys()
    if texts:
        assert index.search("version of part", mode="dense")
    return texts


def texts_if_any(location: str) -> Texts:
    try:
        return check_whole(location)
    except IndexNotFound:
        return {}


def check_finished(location: str) -> None:
    assert check_whole(location) == texts_on_disk()
    index = Index(location, create=False)
    found = index.search("page version part", mode="lexical", limit=DOCUMENTS * 8)
    assert {hit.chunk.source for hit in found} == texts_on_disk().keys()


def commits(location: str) -> int:
    """Return the number of the last version; 0 if there is no index."""
    try:
        return int(table_of(Index(location, create=False)).version)
    except IndexNotFound:
        return 0


@contextmanager
def reading(location: str) -> Iterator[None]:
    """Read all the time in a thread of its own; a reader must not notice that another process writes."""
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            with suppress(IndexNotFound):
                index = Index(location, create=False)
                assert index.status().documents <= DOCUMENTS
                index.search("version of part")
            done.wait(0.1)

    with ThreadPoolExecutor(1) as executor:
        reader = executor.submit(read)
        try:
            yield
        finally:
            done.set()
        reader.result()


def wait_for_commits(process: subprocess.Popen[Any], location: str, count: int) -> None:
    """Wait until a process has committed so many times, or is done."""
    wanted = commits(location) + count
    while process.poll() is None and commits(location) < wanted:
        time.sleep(0.01)


def remove_index(location: str) -> None:
    if location.startswith("s3://"):
        objects = Objects(location)
        objects.delete(*(name for name, _ in objects.sizes()))
    else:
        shutil.rmtree(location)


def test_killed_at_random_points_the_index_is_whole_and_the_same_command_finishes(location: str) -> None:
    kills = KILLS if location == ".crosshead" else (KILLS + 2) // 3
    rng = random.Random(kills)
    write_documents(0, range(DOCUMENTS))
    assert run("--index", location).returncode == 0
    killed = halfway = 0
    for kill in range(1, kills + 1):
        if kill % 5 == 0:
            remove_index(location)
        write_documents(kill, rng.sample(range(DOCUMENTS), DOCUMENTS // 2))
        Path(f"docs/{rng.randrange(DOCUMENTS):02}.md").unlink(missing_ok=True)
        before, wanted = texts_if_any(location), texts_on_disk()
        jobs, after_commits, then_seconds = rng.choice("12"), rng.randrange(10), rng.uniform(0, 0.1)
        with (
            reading(location),
            subprocess.Popen(
                command("--index", location, "--jobs", jobs), stdout=subprocess.PIPE, stderr=subprocess.PIPE
            ) as process,
        ):
            wait_for_commits(process, location, after_commits)
            time.sleep(then_seconds)
            process.kill()
            process.communicate()
        after = texts_if_any(location)
        for source in before.keys() | wanted.keys() | after.keys():
            assert after.get(source) in (before.get(source), wanted.get(source))
        killed += process.returncode == -signal.SIGKILL
        halfway += after not in (before, wanted)
        if kill % 3 == 0 or kill == kills:
            assert run("--index", location).returncode == 0
            check_finished(location)
    print(f"{kills} runs, {killed} killed before their end, {halfway} of them with some documents new and some old")


def test_a_killed_copy_is_unfinished_and_the_same_command_finishes_it(location: str) -> None:
    write_documents(0, range(DOCUMENTS))
    Index("original", root=".", embedder="static", max_tokens=60).add("docs")
    program = "from crosshead.store import copy; copy.DOCUMENTS_AT_ONCE = 3; from crosshead.cli import main; main()"
    copying = [sys.executable, "-c", program, "copy", "original", location]
    with subprocess.Popen(copying, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        wait_for_commits(process, location, 3)
        process.kill()
    assert process.returncode == -signal.SIGKILL
    half = Index(location, create=False)
    assert 0 < half.status().documents < DOCUMENTS
    assert half.unfinished_copy_of
    assert subprocess.run(copying, check=False, capture_output=True).returncode == 0
    whole = Index(location, create=False)
    assert not whole.unfinished_copy_of
    check_finished(location)


def test_of_two_at_once_one_works_and_the_other_says_that_it_is_locked_out(location: str) -> None:
    write_documents(0, range(DOCUMENTS))
    both = command("--index", location)
    with (
        subprocess.Popen(both, stderr=subprocess.PIPE, text=True) as first,
        subprocess.Popen(both, stderr=subprocess.PIPE, text=True) as second,
    ):
        while first.poll() is None or second.poll() is None:
            texts_if_any(location)
        errors = {process.returncode: process.communicate()[1] for process in (first, second)}
    assert 0 in errors
    if 2 in errors:  # else one began when the other was done
        assert "another process is writing to this index; try again when it is done" in errors[2]
        assert errors[2].count("\n") == 1
    check_finished(location)


def test_a_writer_that_is_stopped_for_too_long_is_replaced_and_says_so(bucket: str) -> None:
    location = f"{bucket}/docs"
    quickly = f"from crosshead.store.lance.location import lease; lease.LEASE_SECONDS = 2; {PROGRAM}"
    write_documents(0, range(DOCUMENTS))
    assert run("--index", location).returncode == 0
    write_documents(1, range(DOCUMENTS))
    started = command("--index", location, "--wait", "60", program=quickly)
    with subprocess.Popen(started, stderr=subprocess.PIPE, text=True) as stopped, ExitStack() as at_end:
        at_end.callback(stopped.kill)  # a stopped process would be waited for
        wait_for_commits(stopped, location, 1)
        stopped.send_signal(signal.SIGSTOP)
        halfway = texts_if_any(location)
        assert halfway != texts_on_disk(), "it was done before it could be stopped"
        second = subprocess.run(started, capture_output=True, text=True, check=False)
        assert second.returncode == 0, second.stderr
        write_documents(2, range(2))
        assert run("--index", location).returncode == 0
        stopped.send_signal(signal.SIGCONT)
        _, told = stopped.communicate()
    assert stopped.returncode == 2
    (error,) = (line for line in told.splitlines() if line.startswith("error: "))  # between lines of progress
    assert "another one writes to this index now: run the same command again" in error
    check_finished(location)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of six megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if subprocess.run([*TMPFS, str(folder)], capture_output=True, check=False).returncode:
        pytest.skip("mounting a file system is not allowed here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_on_a_full_disk_the_error_is_one_line_and_the_index_stays_as_it_was(small_disk: Path) -> None:
    location = str(small_disk / "index")
    write_documents(0, range(DOCUMENTS))
    assert run("--index", location).returncode == 0
    before = check_whole(location)
    filler = small_disk / "filler"
    with filler.open("wb") as file:
        file.write(bytes(shutil.disk_usage(small_disk).free - 40_000))
    write_documents(1, range(DOCUMENTS))
    result = run("--index", location)
    assert (result.returncode, result.stdout) == (2, "")
    assert "no space left" in result.stderr.lower()
    assert result.stderr.count("\n") == 1
    after = check_whole(location)
    assert all(after[source] in (text, Path(source).read_text()) for source, text in before.items())
    filler.unlink()
    assert run("--index", location).returncode == 0
    check_finished(location)


def test_no_index_is_made_on_a_full_disk(small_disk: Path) -> None:
    (small_disk / "filler").write_bytes(bytes(shutil.disk_usage(small_disk).free))
    write_documents(0, range(2))
    result = run("--index", str(small_disk / "index"))
    assert result.returncode == 2
    assert "no space left" in result.stderr.lower()
    assert result.stderr.count("\n") == 1
    (small_disk / "filler").unlink()
    assert run("--index", str(small_disk / "index")).returncode == 0


def test_a_read_only_file_system_is_told_in_one_line_and_can_be_searched(small_disk: Path) -> None:
    location = str(small_disk / "index")
    write_documents(0, range(DOCUMENTS))
    assert run("--index", location).returncode == 0
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    write_documents(1, range(4))
    result = run("--index", location)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == f"error: {location}: cannot be written to: Read-only file system\n"
    assert Index(location, create=False).search("version of part")
    assert len(check_whole(location)) == DOCUMENTS
