"""Assistants: the client of the official SDK, and `crosshead mcp` as a process of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.server.conftest import root

from mcp import Client, StdioServerParameters

__all__ = ["root"]

PROGRAM = """\
import time, crosshead
from crosshead.cli import main

def read_slowly(data, options):
    time.sleep(0.05)
    return crosshead.Extracted(data.decode())

crosshead.register_format(crosshead.Format("slow", read_slowly, (".slow",)))
main()
"""
"""The command line, which also knows a format that takes its time."""

Connect = Callable[[], Client]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """No model is installed, so that the static table is taken."""
    return {"CROSSHEAD_CACHE": str(tmp_path / "cache"), "PYTHONPATH": os.environ.get("PYTHONPATH", "")}


@pytest.fixture(params=["stdio", "http"])
def connect(request: pytest.FixtureRequest, root: Path, environment: dict[str, str]) -> Iterator[Connect]:
    """Return what makes a client; over HTTP all share one server, else each has its own."""
    with connected(request.param, root, environment) as made:
        yield made


@contextmanager
def connected(
    door: str, root: Path, environment: dict[str, str], *flags: str, mode: str = "auto", here: Path | None = None
) -> Iterator[Connect]:
    """Return what makes a client of `crosshead mcp`; over standard input it runs `here`, by default in the root."""
    arguments = ["-c", PROGRAM, "mcp", "--root", str(root), *flags]
    if door == "stdio":
        started = StdioServerParameters(command=sys.executable, args=arguments, env=environment, cwd=here or root)
        yield partial(Client, started, mode=mode)
    else:
        with listening([sys.executable, *arguments, "--http", "--port", "0"], environment) as url:
            yield partial(Client, url, mode=mode)


@contextmanager
def listening(command: list[str], environment: dict[str, str]) -> Iterator[str]:
    """Start a server and return its address."""
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stderr
        told = re.fullmatch(r"Crosshead is at (\S+)  \(Ctrl-C to stop\)\n", process.stderr.readline())
        assert told
        yield told[1]
        process.terminate()
        process.communicate()


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool that succeeds."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    assert isinstance(result.structured_content, dict)
    return {"text": result.content[0].text, **result.structured_content}  # type: ignore[union-attr]


async def failure(client: Client, tool: str, **arguments: Any) -> str:
    """Call a tool that fails, and return the one line that says why."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    (told,) = result.content
    assert told.type == "text"
    assert "\n" not in told.text
    return told.text
