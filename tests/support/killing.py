"""Commands that are killed in the middle of their work."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import psutil

COMMAND = [sys.executable, "-c", "from crosshead.cli import main; main()"]


def kill_when(reached: Path, *arguments: str, seconds: float = 120) -> int:
    """Run a command until a file appears, kill it and what it has started, and return its process id."""
    with subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + seconds
        while not reached.exists():
            assert process.poll() is None, "it has ended"
            assert time.monotonic() < deadline
            time.sleep(0.01)
        started = psutil.Process(process.pid).children(recursive=True)
        process.kill()
        for each in started:
            each.kill()
        psutil.wait_procs(started)
    return process.pid
