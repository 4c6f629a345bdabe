"""On a real terminal: colors and progress."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Mapping

import pytest

if sys.platform == "win32":
    pytest.skip("no pseudo terminals", allow_module_level=True)

import pty


def run_in_terminal(command: list[str], *, stdout: int | None = None, env: Mapping[str, str] | None = None) -> str:
    """Run a command whose standard error, and standard output unless it is given, is a terminal."""
    parent, child = pty.openpty()
    process = subprocess.Popen(
        command,
        stdin=child,
        stdout=child if stdout is None else stdout,
        stderr=child,
        env={**os.environ, "TERM": "xterm-256color", **(env or {})},
    )
    os.close(child)
    output = b""
    with contextlib.suppress(OSError):  # how a terminal says that its other side is closed
        while data := os.read(parent, 65536):
            output += data
    os.close(parent)
    assert process.wait(timeout=60) == 0, output
    return output.decode().replace("\r\n", "\n")


def test_colors_on_a_terminal_unless_refused(command: list[str], guide: str) -> None:
    assert "\x1b[32m✓" in run_in_terminal([*command, "check", guide])
    assert "\x1b[32m" not in run_in_terminal([*command, "check", guide], env={"NO_COLOR": "1"})


def test_progress_is_shown_beside_a_file_and_not_within_json(command: list[str], docs: str) -> None:
    beside = run_in_terminal([*command, "chunk", docs, "--json"], stdout=subprocess.DEVNULL)
    assert "reading" in beside
    within = run_in_terminal([*command, "chunk", docs, "--json"])
    assert "reading" not in within


def test_few_files_show_no_progress(command: list[str], guide: str) -> None:
    assert run_in_terminal([*command, "chunk", guide], stdout=subprocess.DEVNULL) == ""


def test_a_note_is_not_red(command: list[str], guide: str) -> None:
    subprocess.run([*command, "index", guide, "--embedder", "static"], check=True)
    shown = run_in_terminal([*command, "search", "Install", "--budget", "9"], stdout=subprocess.DEVNULL)
    assert shown.startswith("\x1b[1;36mnote: ")
    assert "\x1b[1;31m" not in shown
