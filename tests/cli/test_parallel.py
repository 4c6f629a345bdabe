"""Several processes give what one gives."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

Start = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.mark.parametrize("args", [("chunk", "--json"), ("chunk",), ("check",), ("outline", "--json")])
def test_processes_and_one_process_give_the_same_bytes(start: Start, docs: str, args: tuple[str, ...]) -> None:
    alone = start(*args, docs, "--jobs", 1)
    together = start(*args, docs, "--jobs", 3)
    assert alone.returncode == together.returncode == 0
    assert alone.stdout
    assert alone.stdout == together.stdout


def test_failures_and_warnings_come_back_from_processes(start: Start, docs: str, tmp_path: Path) -> None:
    (tmp_path / docs / "even" / "bad.md").write_bytes(bytes(range(256)) * 9)
    (tmp_path / docs / "odd" / "odd.md").write_text("---\ntitle: [x\n---\n\nText.\n")
    alone = start("chunk", docs, "--json", "--jobs", 1)
    together = start("chunk", docs, "--json", "--jobs", 3)
    assert together.returncode == alone.returncode == 1
    assert together.stdout == alone.stdout
    assert together.stderr == alone.stderr
    assert together.stderr.count(b"\n") == 2


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_workers_do_not_outlive_a_killed_parent(command: list[str], docs: str) -> None:
    waiting = "import time; from crosshead import cli, pipeline; pipeline.chunk = lambda *_: time.sleep(60); cli.main()"
    parent = subprocess.Popen([*command[:2], waiting, "chunk", docs, "--jobs", "2"])
    children = Path(f"/proc/{parent.pid}/task/{parent.pid}/children")
    assert eventually(lambda: len(children.read_text().split()) == 2)
    workers = children.read_text().split()
    parent.kill()
    parent.wait(timeout=30)
    assert eventually(lambda: not any(is_running(worker) for worker in workers))


def eventually(condition: Callable[[], bool], seconds: float = 30) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def is_running(process: str) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_options_that_cannot_work_end_the_run_once(start: Start, docs: str) -> None:
    done = start("chunk", docs, "--jobs", 3, "--max-tokens", 0)
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1
