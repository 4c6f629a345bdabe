"""Who may come in over HTTP, and what standard output is for."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.mcp.conftest import PROGRAM
from tests.server.running import running

from crosshead.mcp.projects import Projects
from crosshead.mcp.run import PATH, create_app
from crosshead.mcp.server import create_server
from crosshead.server.settings import ServerSettings

TOKEN = "open-sesame"
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
HEADERS = {"Accept": "application/json, text/event-stream", "Authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def client(root: Path) -> Iterator[httpx.Client]:
    """Asks a server that wants a token."""
    settings = ServerSettings(port=0, token=TOKEN)
    with Projects(root) as projects:
        app = create_app(create_server(projects, 8000), settings)
        with running(app, settings) as url, httpx.Client(base_url=url, timeout=30, headers=HEADERS) as client:
            yield client


def test_only_the_token_lets_in(client: httpx.Client) -> None:
    assert client.post(PATH, json=HELLO).status_code == 200
    for each in ("", "Bearer wrong", f"Basic {TOKEN}"):
        for method in ("GET", "POST", "DELETE"):
            assert client.request(method, PATH, headers={"Authorization": each}).status_code == 401


def test_foreign_hosts_and_origins_are_refused(client: httpx.Client) -> None:
    assert client.post(PATH, json=HELLO, headers={"Host": "evil.example"}).status_code == 421
    assert client.post(PATH, json=HELLO, headers={"Origin": "http://evil.example"}).status_code == 403
    assert client.post(PATH, json=HELLO, headers={"Host": "localhost"}).status_code == 200


def test_large_bodies_are_refused(client: httpx.Client) -> None:
    assert client.post(PATH, content=b" " * 5_000_000).status_code == 413
    assert client.post(PATH, json=HELLO).status_code == 200


def test_nothing_but_the_protocol_is_on_standard_output(root: Path, environment: dict[str, str]) -> None:
    asked = [
        HELLO,
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call("rag_index", path="docs")},
    ]
    lines = ["this is no JSON", *map(json.dumps, asked)]
    command = [sys.executable, "-c", PROGRAM, "mcp"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=root, env=environment
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write("".join(f"{line}\n" for line in lines))
        process.stdin.flush()
        answers = []
        while not any(each.get("id") == 2 for each in answers):
            answers.append(json.loads(process.stdout.readline()))
        process.stdin.close()
        assert process.stdout.read() == ""
        assert process.wait(30) == 0
    assert all(each["jsonrpc"] == "2.0" for each in answers)
    assert answers[-1]["result"]["structuredContent"]["added"] == 2


def test_assistant_that_goes_away_is_no_fault(root: Path, environment: dict[str, str]) -> None:
    command = [sys.executable, "-c", PROGRAM, "mcp"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=root, env=environment
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdout.close()
        process.stdin.write(f"{json.dumps(HELLO)}\n".encode())
        process.stdin.close()
        assert process.wait(30) == 0
        assert process.stderr
        assert process.stderr.read() == b""


def call(tool: str, **arguments: str) -> dict[str, object]:
    return {"name": tool, "arguments": {"project_path": ".", **arguments}}
