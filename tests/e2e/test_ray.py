"""`--engine ray` as a user runs it, and clusters that lose workers and nodes on the way."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import psutil
import pytest
from tests.support.ray_clusters import MARKS, SlowEmbedder, is_same, made_cluster, rows_of, write
from tests.support.stored_documents import WordEmbedder

from crosshead.errors import IngestError
from crosshead.index import Index
from crosshead.indexing.engines import cluster, driver
from crosshead.indexing.engines import ray as on_ray
from crosshead.indexing.steps import write as write_rows
from crosshead.store.lance import indexes

pytestmark = MARKS

DOCUMENTS = 40


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [*os.environ]:
        if name.startswith(("CROSSHEAD_", "RAY_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("CROSSHEAD_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))  # for workers, which need the embedders below
    (tmp_path / "docs").mkdir()
    for number in range(DOCUMENTS):
        write(tmp_path / "docs", number)
    monkeypatch.chdir(tmp_path)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from crosshead.cli import main; main()", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def errors(result: subprocess.CompletedProcess[str]) -> list[str]:
    """Return the lines on standard error, but for progress, which a slow machine tells now and then."""
    return [line for line in result.stderr.splitlines() if not line.startswith("indexing: ")]


def test_a_killed_worker_and_a_lost_node_lose_and_duplicate_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_ray, "MOST_FILES", 2)
    embedder = SlowEmbedder(Path("calls").absolute(), seconds=0.3)
    local, far = Index("local", embedder=WordEmbedder()), Index("far", embedder=embedder)
    with made_cluster(0) as cluster, ThreadPoolExecutor(1) as threads:
        lost, kept = (cluster.add_node(num_cpus=1, node_ip_address=f"127.0.0.{last}") for last in (3, 4))
        adding = threads.submit(far.add, "docs", engine="ray", ray_address=cluster.address)
        calls = embedder.wait_for(lambda calls: adding.done() or len({node for _, node in calls}) == 2)
        assert not adding.done(), adding.result()
        os.kill(calls[-1][0], signal.SIGKILL)
        calls = embedder.wait_for(lambda calls: len({process for process, _ in calls}) == 3)
        before = len(calls)
        embedder.wait_for(lambda calls: lost.node_id in {node for _, node in calls[before:]})
        cluster.remove_node(lost, allow_graceful=False)
        result = adding.result()
    assert {node for _, node in embedder.calls()[-3:]} == {kept.node_id}
    assert is_same(result, local.add("docs"))
    assert result.added == DOCUMENTS
    assert rows_of(far) == rows_of(local)


def test_the_command_starts_a_cluster_of_its_own_and_says_no_more_than_without_it() -> None:
    Path("docs/broken.docx").write_bytes(b"PK\x03\x04 no archive")
    here = run("index", "docs", "--index", "local", "--root", ".", "--embedder", "static")
    there = run("index", "docs", "--index", "far", "--root", ".", "--embedder", "static", "--engine", "ray")
    assert (there.returncode, there.stdout) == (here.returncode, here.stdout) == (1, here.stdout)
    assert errors(there) == errors(here) != []
    assert rows_of(Index("far", create=False)) == rows_of(Index("local", create=False))


def test_workers_that_end_leave_no_lines_in_what_programs_read() -> None:
    Path("docs/picture.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    ocr = "sh -c 'kill -9 $PPID'"
    result = run("index", "docs", "--embedder", "static", "--engine", "ray", "--ocr", ocr, "--json")
    told = json.loads(result.stdout)
    assert (result.returncode, told["added"], [*told["failed"]]) == (1, DOCUMENTS, ["docs/picture.png"])
    (line,) = errors(result)
    assert line.startswith("error: docs/picture.png: the system ended the process that read it: ")


def test_a_cluster_and_object_storage_work_together(bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexes, "VECTORS_FOR_A_CLUSTER", 300)
    monkeypatch.setenv("RAY_TMPDIR", "/tmp")  # names of sockets must be short
    places = "local", f"{bucket}/far"
    local, far = (Index(place, root=".", embedder="static", max_tokens=30) for place in places)
    with made_cluster(2) as cluster:
        expected, result = local.add("docs"), far.add("docs", engine="ray", ray_address=cluster.address)
        assert is_same(result, expected)
        write(Path("docs"), 3, "\n## New\n\nsomething new\n")
        assert is_same(far.add("docs", engine="ray", ray_address=cluster.address), local.add("docs"))
    assert result.embedded > 300
    assert not result.notes
    assert [hit.chunk.id for hit in far.search("part 2 of 3")] == [hit.chunk.id for hit in local.search("part 2 of 3")]
    assert far.doctor() == []


@pytest.mark.parametrize(
    ("program", "how"), [("gcs_server", signal.SIGKILL), ("gcs_server", signal.SIGSTOP), ("raylet", signal.SIGKILL)]
)
def test_a_cluster_that_is_lost_is_an_error_and_what_was_committed_stays(
    program: str, how: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(on_ray, "MOST_FILES", 2)
    monkeypatch.setattr(write_rows, "SECONDS_AT_ONCE", 0.0)
    monkeypatch.setattr(driver, "LOST_SECONDS", 20)
    embedder = SlowEmbedder(Path("calls").absolute(), seconds=0.5)
    far, local = Index("far", embedder=embedder), Index("local", embedder=WordEmbedder())
    committed = Event()
    with ThreadPoolExecutor(1) as threads:
        adding = threads.submit(far.add, "docs", engine="ray", on_progress=lambda _: committed.set())
        assert committed.wait(300) or adding.result()
        (found,) = started(program)
        found.send_signal(how)
        with pytest.raises(IngestError) as raised:
            adding.result()
    found.wait(60)
    kept = far.status().documents
    told = f"--engine local; {kept} (document is|documents are) committed; run the same command again"
    assert re.search(rf"^Ray at local: .+: free memory.+ {told}", str(raised.value))
    assert 1 <= kept < DOCUMENTS
    assert Index("far", embedder=WordEmbedder()).add("docs").added == DOCUMENTS - kept
    local.add("docs")
    assert {row["key"] for row in rows_of(far)} == {row["key"] for row in rows_of(local)}
    assert not [*cluster.cluster_parent().glob(f"crosshead-{os.getpid()}-*")]


def test_a_cluster_that_does_not_answer_in_time_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "START_SECONDS", 5)
    with made_cluster(1) as hanging:
        (head,) = started("gcs_server")
        head.suspend()
        try:
            with pytest.raises(IngestError, match=r"no answer for 5 seconds: `ray status` shows.* 0 documents are"):
                Index("far", embedder=WordEmbedder()).add("docs", engine="ray", ray_address=hanging.address)
        finally:
            head.resume()


def test_a_cluster_that_cannot_start_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_TMPDIR", "/dev/null")
    result = run("index", "docs", "--engine", "ray")
    assert (result.returncode, result.stdout) == (2, "")
    (line,) = errors(result)
    assert line.startswith("error: Ray at local: ")
    assert "free memory, cores, and space in /dev/null and /dev/shm, or do without Ray: --engine local; 0 " in line


def test_a_killed_command_leaves_no_cluster_and_the_next_run_removes_its_files(monkeypatch: pytest.MonkeyPatch) -> None:
    with tempfile.TemporaryDirectory(prefix="ray-", dir="/tmp") as parent:
        monkeypatch.setenv("RAY_TMPDIR", parent)
        Path("docs/picture.png").write_bytes(b"\x89PNG\r\n\x1a\n")
        command = index_command("--ocr", "sh -c 'touch reached; sleep 600'")
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
            wait_until(lambda: Path("reached").exists() or process.poll() is not None)
            (head,) = started("gcs_server", below=process.pid)
            process.kill()
        head.wait(60)
        (left,) = Path(parent).iterdir()
        assert left.name.startswith(f"crosshead-{process.pid}-")
        Path("docs/picture.png").unlink()
        subprocess.run(index_command(), capture_output=True, check=True)
        assert [*Path(parent).iterdir()] == []


def index_command(*more: str) -> list[str]:
    program = [sys.executable, "-c", "from crosshead.cli import main; main()"]
    return [*program, "index", "docs", "--embedder", "static", "--engine", "ray", *more]


def started(program: str, below: int | None = None) -> list[psutil.Process]:
    """Return processes of a program that this process, or another one, has started."""
    return [each for each in psutil.Process(below).children(recursive=True) if each.name() == program]


def wait_until(is_so: Callable[[], bool], seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1", "nonsense"])
def test_no_cluster_at_an_address_is_told_in_one_line(address: str) -> None:
    result = run("index", "docs", "--engine", "ray", "--ray-address", address)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    assert f"error: Ray at {address}: " in result.stderr
    assert "`ray start --head` starts a cluster" in result.stderr


def test_an_address_without_ray_is_a_mistake() -> None:
    result = run("index", "docs", "--ray-address", "auto")
    assert result.returncode == 2
    assert result.stderr == "error: ray_address='auto' is for engine='ray'\n"
