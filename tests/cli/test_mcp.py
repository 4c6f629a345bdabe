"""crosshead mcp: what can be wrong with the command itself."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from typer.testing import Result

Run = Callable[..., Result]


def test_other_machines_need_a_token(run: Run) -> None:
    result = run("mcp", "--http", "--host", "0.0.0.0")
    assert result.exit_code == 2
    assert "set a token" in result.stderr


def test_port_that_is_taken(run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        result = run("mcp", "--http", "--port", taken.getsockname()[1])
    assert result.exit_code == 2
    assert "choose another --host or --port" in result.stderr


def test_root_must_be_there(run: Run) -> None:
    result = run("mcp", "--root", "nowhere")
    assert (result.exit_code, result.stderr) == (2, "error: nowhere: no such folder\n")


def test_missing_extra_names_what_to_install(tmp_path: Path) -> None:
    program = "import sys; sys.modules['mcp'] = None; from crosshead.cli import main; main()"
    arguments = [sys.executable, "-c", program, "mcp"]
    done = subprocess.run(arguments, capture_output=True, text=True, cwd=tmp_path, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "pip install 'crosshead[mcp]'" in done.stderr
