"""Run the command line inside this process, in an empty folder and without settings from outside."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from crosshead.cli import app

Run = Callable[..., Result]

GUIDE = """\
---
title: The guide
---
# Guide

Words before the first section.

## Install

Run this:

```sh
pip install crosshead
```

## Use

- first
- second
"""


@pytest.fixture(autouse=True)
def _no_outside_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [*os.environ]:
        if name.startswith("CROSSHEAD_") or name in ("COLUMNS", "FORCE_COLOR", "GITHUB_ACTIONS", "NO_COLOR"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def run() -> Run:
    """Call the command line with arguments; paths may be given as they are."""

    def call(*args: object, **options: object) -> Result:
        return CliRunner().invoke(app, [str(arg) for arg in args], prog_name="crosshead", **options)

    return call


@pytest.fixture
def guide(tmp_path: Path) -> str:
    """One small document; its name is relative to the current folder."""
    (tmp_path / "guide.md").write_text(GUIDE)
    return "guide.md"


@pytest.fixture
def docs(tmp_path: Path) -> str:
    """A folder with forty documents in two folders."""
    for number in range(40):
        folder = tmp_path / "docs" / ("even" if number % 2 == 0 else "odd")
        folder.mkdir(parents=True, exist_ok=True)
        text = f"# Page {number}\n\n" + "".join(f"## Part {part}\n\n{'words ' * 150}\n\n" for part in range(number % 7))
        (folder / f"{number:02}.md").write_text(text)
    return "docs"


@pytest.fixture
def command() -> list[str]:
    """What starts the command line as a process of its own."""
    return [sys.executable, "-c", "from crosshead.cli import main; main()"]


@pytest.fixture
def start(command: list[str]) -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Run the command line as a process of its own."""

    def call(*args: object, **options: object) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(  # type: ignore[call-overload, no-any-return]
            [*command, *map(str, args)], capture_output=True, timeout=60, check=False, **options
        )

    return call


@pytest.fixture
def start_on_terminal(command: list[str]) -> Callable[..., tuple[int, str]]:
    """Run the command line as a process of its own on a terminal; return its exit code and what it shows."""

    def call(*args: object, answer: str = "") -> tuple[int, str]:
        ours, its = os.openpty()
        os.write(ours, f"{answer}\n".encode())
        with subprocess.Popen([*command, *map(str, args)], stdin=its, stdout=its, stderr=its) as process:
            os.close(its)
            shown = b""
            with suppress(OSError):  # the terminal is gone with the last process that has it
                while read := os.read(ours, 4096):
                    shown += read
            code = process.wait(60)
        os.close(ours)
        return code, shown.decode()

    return call
