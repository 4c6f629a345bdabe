"""Every command that takes an index takes one on object storage, and shows nothing that lets one in."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import httpx
import pytest
from tests.cli.elsewhere import Run, go_the_way_of_a_document, make_docs
from tests.server.running import serving
from tests.support.s3_server import KEYS
from typer.testing import Result

from crosshead.index import Index


@pytest.fixture(autouse=True)
def _no_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROSSHEAD_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def url(bucket: str) -> str:
    return f"{bucket}/team/docs"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    return make_docs(tmp_path)


def test_the_way_of_a_document(run: Run, url: str, docs: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    told = go_the_way_of_a_document(run, url, docs) + caplog.text
    assert url in told
    assert KEYS["AWS_SECRET_ACCESS_KEY"] not in told
    assert KEYS["AWS_ACCESS_KEY_ID"] not in told


@pytest.mark.parametrize("command", [("status",), ("search", "x"), ("remove", "x"), ("optimize",)])
def test_no_index(run: Run, url: str, command: tuple[str, ...]) -> None:
    check_error(run(*command, "--index", url), "crosshead index PATH")


def test_a_mistyped_path_leaves_no_index_behind(run: Run, url: str) -> None:
    check_error(run("index", "nowhere", "--index", url), "no such file or folder")
    check_error(run("status", "--index", url), "crosshead index PATH")


def test_other_options(run: Run, url: str, docs: Path) -> None:
    assert run("index", "docs", "--index", url).exit_code == 0
    changed = run("index", "docs", "--index", url, "--max-tokens", "77")
    assert changed.exit_code == 0
    assert changed.stdout.startswith("changed max_tokens 400 -> 77: ")
    assert json.loads(run("status", "--index", url, "--json").stdout)["settings"]["chunk"]["max_tokens"] == 77


def check_error(result: Result, advice: str) -> None:
    assert result.exit_code == 2, result.output
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert advice in result.stderr


def test_an_index_is_copied_to_storage_and_back(run: Run, url: str, docs: Path, tmp_path: Path) -> None:
    first, last = str(tmp_path / "first"), str(tmp_path / "last")
    assert run("index", str(docs), "--index", first, "--root", str(tmp_path)).exit_code == 0
    for source, target in ((first, url), (url, f"{url}-copy"), (f"{url}-copy", last)):
        result = run("copy", source, target)
        assert result.exit_code == 0, result.output
        assert "2 documents copied" in result.output
    assert "2 unchanged; 0 texts embedded" in run("index", str(docs), "--index", last).output
    with Index(first) as one, Index(url) as remote, Index(last) as other:
        assert one.search("rotate keys") == remote.search("rotate keys") == other.search("rotate keys")
        assert one.status().settings == other.status().settings
    check_error(run("copy", first, url), "there are documents already")


def test_a_server_reads_and_writes_there(url: str, docs: Path) -> None:
    with (
        Index(url, embedder="static") as index,
        serving(index) as address,
        httpx.Client(base_url=address, timeout=60) as client,
    ):
        started = client.post("/v1/documents", params={"path": "docs"})
        while client.get(started.headers["location"]).json()["state"] != "done":
            pass
        found = client.get("/v1/search", params={"q": "rotate keys"})
        assert "ninety days" in found.text
        assert client.get("/v1/status").json()["documents"] == 2
