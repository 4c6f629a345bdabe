"""`--engine ray` as a user runs it, and clusters that lose workers and nodes on the way."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.clusters import MARKS, SlowEmbedder, is_same, made_cluster, rows_of, write
from tests.stored import WordEmbedder

from crosshead.index import Index
from crosshead.ingest import ray as on_ray
from crosshead.store import indexes

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
    assert line.startswith("error: docs/picture.png: the system ended the process that read it, twice")


def test_a_cluster_and_object_storage_work_together(
    bucket: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(indexes, "VECTORS_FOR_A_CLUSTER", 300)
    monkeypatch.setenv("RAY_TMPDIR", "/tmp")  # names of sockets must be short
    places = "local", f"{bucket}/far"
    local, far = (Index(place, root=".", embedder="static", max_tokens=30) for place in places)
    expected, result = local.add("docs"), far.add("docs", engine="ray")
    assert is_same(result, expected)
    assert result.embedded > 300
    assert "on this machine" not in caplog.text
    assert [hit.chunk.id for hit in far.search("part 2 of 3")] == [hit.chunk.id for hit in local.search("part 2 of 3")]
    write(Path("docs"), 3, "\n## New\n\nsomething new\n")
    assert is_same(far.add("docs", engine="ray"), local.add("docs"))
    assert far.doctor() == []


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
