"""crosshead serve: a process of its own, asked over HTTP."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from typer.testing import Result

from crosshead.index import Index

Run = Callable[..., Result]


@pytest.fixture
def server(command: list[str], docs: str, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    environment = {**os.environ, "CROSSHEAD_TOKEN": "secret"}
    arguments = [*command, "serve", "--port", "0"]
    with subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True, cwd=tmp_path, env=environment) as process:
        yield process
        process.kill()


def address(server: subprocess.Popen[str]) -> str:
    assert server.stderr
    lines = iter(server.stderr.readline, "")
    told = next(line for line in lines if "static table" not in line)  # as where no model is installed
    found = re.fullmatch(r"Crosshead is at (http://127\.0\.0\.1:\d+/)  \(Ctrl-C to stop\)\n", told)
    assert found, told
    return found[1]


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_serves_a_new_index_until_it_is_told_to_end(server: subprocess.Popen[str], how: signal.Signals) -> None:
    url = address(server)
    with httpx.Client(base_url=url, headers={"Authorization": "Bearer secret"}, timeout=30) as client:
        assert client.get("/v1/status").json()["documents"] == 0
        started = client.post("/v1/documents", params={"path": "docs"})
        while client.get(started.headers["location"]).json()["state"] != "done":
            pass
        assert client.get("/v1/status").json()["documents"] == 40
    assert httpx.get(f"{url}v1/status").status_code == 401
    server.send_signal(how)
    assert server.wait(30) == (0 if how is signal.SIGINT else -how)


@pytest.mark.skipif(sys.platform == "win32", reason="the browser is a shell script")
@pytest.mark.parametrize("code", [0, 1])
def test_open_shows_the_page_in_the_browser(command: list[str], tmp_path: Path, code: int) -> None:
    browser, opened = tmp_path / "browser", tmp_path / "opened"
    browser.write_text(f"#!/bin/sh\necho $1 > {opened}.part; mv {opened}.part {opened}; exit {code}\n")
    browser.chmod(0o755)
    environment = {**os.environ, "BROWSER": f"{browser} %s", "DISPLAY": "", "PATH": "/bin:/usr/bin"}
    arguments = [*command, "serve", "--port", "0", "--open"]
    with subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True, cwd=tmp_path, env=environment) as process:
        url = address(process)
        while not opened.exists():
            time.sleep(0.05)
        assert opened.read_text().strip() == url
        assert process.stderr
        if code:
            assert process.stderr.readline() == f"note: no browser to open here: open {url} yourself\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_uploads_that_were_accepted_survive_the_server(command: list[str], tmp_path: Path, how: signal.Signals) -> None:
    arguments = [*command, "serve", "--port", "0"]
    with subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True, cwd=tmp_path) as first:
        url = address(first)
        with (
            httpx.Client(base_url=url, timeout=60) as client,
            Index(tmp_path / ".crosshead", create=False)._store.lock(),  # no job can be done meanwhile
        ):
            accepted = [
                client.post("/v1/documents", params={"source": f"{number}.md"}, content=f"# Page {number}\n\nText.\n")
                for number in range(21)
            ]
            first.send_signal(how)
            first.wait(60)
    assert [each.status_code for each in accepted] == [202] * 21
    left = [json.loads(path.read_text()) for path in tmp_path.glob("uploads/.incoming/*/*.json")]
    assert [job["finished"] for job in left] == [None] * 21
    with subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True, cwd=tmp_path) as second:
        with httpx.Client(base_url=address(second), timeout=60) as client:
            for each in accepted:
                while client.get(each.headers["location"]).json()["state"] not in ("done", "failed"):
                    time.sleep(0.05)
                assert client.get(each.headers["location"]).json()["state"] == "done"
            assert client.get("/v1/status").json()["documents"] == 21
        second.kill()


def test_log_is_json_without_the_token(server: subprocess.Popen[str]) -> None:
    httpx.get(f"{address(server)}healthz", headers={"Authorization": "Bearer secret"})
    server.send_signal(signal.SIGINT)
    _, log = server.communicate(timeout=30)
    assert '"path": "/healthz", "status": 200' in log
    assert "secret" not in log


def test_other_machines_need_a_token(run: Run) -> None:
    result = run("serve", "--host", "0.0.0.0")
    assert result.exit_code == 2
    assert "set a token" in result.stderr


def test_port_that_is_taken(run: Run, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        result = run("serve", "--port", taken.getsockname()[1])
    assert result.exit_code == 2
    assert "choose another --host or --port" in result.stderr
    assert not (tmp_path / ".crosshead").exists()


def test_missing_extra_names_what_to_install(tmp_path: Path) -> None:
    program = "import sys; sys.modules['uvicorn'] = None; from crosshead.cli import main; main()"
    arguments = [sys.executable, "-c", program, "serve"]
    done = subprocess.run(arguments, capture_output=True, text=True, cwd=tmp_path, timeout=60, check=False)
    assert done.returncode == 2
    assert "pip install 'crosshead[server]'" in done.stderr
