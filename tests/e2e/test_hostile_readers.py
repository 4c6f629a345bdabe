"""A document that crashes its reader, runs for ever or eats memory fails alone, at every door."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.cli.conftest import Run, run  # noqa: F401
from tests.server.running import finished, serving
from tests.support.hostile_reader import FLAGS, KINDS, LIMITS, REASONS, _hostile, check_failures, write_documents  # noqa: F401
from typer.testing import Result

from crosshead.errors import ExtractError
from crosshead.index import Index

pytestmark = [
    pytest.mark.usefixtures("_hostile"),
    pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux"),
]


@pytest.fixture
def docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_documents(tmp_path / "docs")
    return tmp_path / "docs"


def test_command_index(run: Run, docs: Path) -> None:  # noqa: F811
    done: Result = run("index", "docs", "--embedder", "static", *FLAGS)
    assert done.exit_code == 1
    assert done.stdout.startswith("2 added, 3 failed")
    for kind in KINDS:
        assert f"docs/{kind}.hostile: " in done.stderr
        assert REASONS[kind] in done.stderr
    assert "docs/a.md" in run("search", "rotate keys").stdout


@pytest.mark.parametrize("command", ["chunk", "check", "outline"])
def test_commands_over_a_folder(run: Run, docs: Path, command: str) -> None:  # noqa: F811
    done: Result = run(command, "docs", *FLAGS, "--json")
    assert done.exit_code == 1
    assert "Traceback" not in done.output
    lines = " ".join(done.stderr.split()).split("error: ")[1:]
    check_failures(dict(line.split(": ", 1) for line in lines))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("command", ["extract", "parse"])
def test_commands_on_one_file(run: Run, docs: Path, command: str, kind: str) -> None:  # noqa: F811
    done: Result = run(command, f"docs/{kind}.hostile", *FLAGS)
    assert done.exit_code == 2
    assert REASONS[kind] in done.stderr


def test_add_and_watch(docs: Path) -> None:
    with Index(".crosshead", embedder="static", extract=LIMITS) as index:
        result = index.add("docs")
        assert result.added == 2
        check_failures(result.failed)
        again = next(index.watch("docs"))
        check_failures(again.failed)
        assert index.search("rotate keys")[0].chunk.source == "docs/a.md"


@pytest.mark.parametrize("kind", KINDS)
def test_add_text(docs: Path, kind: str) -> None:
    with Index(".crosshead", embedder="static", extract=LIMITS) as index:
        with pytest.raises(ExtractError) as raised:
            index.add_text(kind, source="x", format="hostile")
        assert REASONS[kind] in str(raised.value)
        index.add_text("peace", source="y", format="hostile")
        assert index.sources() == ["y"]


def test_server(docs: Path) -> None:
    with (
        Index(".crosshead", embedder="static", extract=LIMITS) as index,
        serving(index, request_seconds=5) as url,
        httpx.Client(base_url=url, timeout=60) as client,
    ):
        failures = {}
        for kind in KINDS:
            upload = {"source": f"{kind}.hostile"}
            job = finished(client, client.post("/v1/documents", params=upload, content=kind))
            failures[kind] = job["error"]["detail"]
            answer = client.post("/v1/extract", params=upload, content=kind)
            assert answer.status_code in (413, 422, 504)
            assert kind != "crash" or REASONS[kind] in answer.json()["detail"]
        check_failures(failures)
        assert client.get("/healthz").status_code == 200


def test_adapters(docs: Path, caplog: pytest.LogCaptureFixture) -> None:
    loading = pytest.importorskip("crosshead.adapters.langchain")
    loader: Any = loading.CrossheadLoader("docs", extract=LIMITS)
    assert {Path(each.metadata["source"]).name for each in loader.lazy_load()} == {"a.md", "z.hostile"}
    failures = dict(record.getMessage().split(": ", 1) for record in caplog.records)
    check_failures(failures)


@pytest.mark.anyio
async def test_mcp(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from crosshead.mcp import projects
    from crosshead.mcp.server import create_server
    from mcp import Client

    monkeypatch.setattr(projects, "Index", partial(Index, embedder="static", extract=LIMITS))
    with projects.Projects(docs.parent) as opened:
        async with Client(create_server(opened, 4000)) as client:
            result = await client.call_tool("rag_index", {"path": "docs", "project_path": "."})
    assert result.structured_content is not None
    assert (result.structured_content["added"], result.structured_content["failed"]) == (2, 3)
    check_failures({each["source"]: each["reason"] for each in result.structured_content["failures"]})
