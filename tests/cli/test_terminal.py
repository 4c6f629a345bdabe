"""On a real terminal: colors and progress."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

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


def plain(output: str) -> list[str]:
    """Return the lines without styles."""
    return [line.rstrip() for line in re.sub(r"\x1b\[[\d;]*m", "", output).splitlines()]


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


def test_lines_of_results_begin_below_each_other(command: list[str], tmp_path: Path) -> None:
    words = "The keys are rotated every year by the person on call, who writes down when. " * 3
    (tmp_path / "keys.md").write_text(f"# Keys\n\n{words}\n")
    subprocess.run([*command, "index", "keys.md", "--embedder", "static"], check=True)
    narrow = {"COLUMNS": "60", "NO_COLOR": "1"}
    shown = plain(run_in_terminal([*command, "search", "keys", "--scores"], env=narrow))
    assert len(shown) > 5
    assert all(line.startswith("    ") and len(line) <= 60 for line in shown[1:])
    status = plain(run_in_terminal([*command, "status"], env=narrow))
    assert all(len(line) <= 60 and line[14:16].isspace() for line in status if str(tmp_path) not in line)


def test_models_fit_a_narrow_terminal(command: list[str]) -> None:
    assert max(map(len, plain(run_in_terminal([*command, "model", "list"], env={"COLUMNS": "60"})))) <= 60
