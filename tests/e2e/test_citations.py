"""At every door, the text next to a citation is what the citation covers, and its section id leads to its section."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import pytest
from haystack import Document
from tests.e2e.cited import QUERIES, Quote, check_quote, metadata_of, write_documents
from tests.mcp.conftest import connected
from tests.server.running import serving
from typer.testing import CliRunner

from crosshead.adapters import haystack, langchain, llamaindex
from crosshead.cli import app
from crosshead.index import Index
from crosshead.types import Passage

FEW = QUERIES[::4]
"""For doors where every query takes its time."""
BUDGETS = (60, 200, 1500)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("cited")
    write_documents(root)
    return root


@pytest.fixture(scope="module")
def index(root: Path) -> Iterator[Index]:
    with Index(root / ".crosshead", embedder="static") as index:
        index.add(root)
        yield index


@cache
def section_of(index: Index, section_id: str) -> Passage:
    """Return the section that an id leads to."""
    section = index.section(section_id)
    assert section
    return section


def check(index: Index, root: Path, quote: Quote, *, is_passage: bool = False) -> None:
    """Open the citation, and follow the id."""
    check_quote(root, quote, is_passage=is_passage)
    section = section_of(index, quote.section_id)
    assert section.heading_chain == quote.path
    assert section.source == quote.source
    if is_passage:  # its heading, or the head of its table, may be repeated in front
        assert quote.content.rstrip().rpartition("\n")[2] in section.content
    else:
        assert quote.content in section.content or section.content in quote.content


def of_json(found: Mapping[str, Any]) -> Quote:
    """Return a hit, a passage or a section as JSON has it."""
    path = found["section_path"] if "section_path" in found else (found["heading_chain"] or "").split(" > ")
    pages = tuple(found["pages"]) if found["pages"] else None
    names = ("citation", "content", "section_id", "source", "start_line", "end_line")
    return Quote(**{name: found[name] for name in names}, path=(*filter(None, path),), pages=pages)


# ---------------------------------------------------------------------- Python


def test_hits_in_python(index: Index, root: Path) -> None:
    narrowed, formats = 0, set()
    for query in QUERIES:
        for hit in index.search(query, limit=12):
            place = (hit.source, hit.start_line, hit.end_line, hit.pages)
            check(index, root, Quote(hit.citation, hit.content, hit.section_id, hit.section_path, *place))
            assert dict(hit.metadata) == metadata_of(hit.source)
            section = section_of(index, hit.section_id)
            assert (section.title, section.metadata) == (hit.title, hit.metadata)
            narrowed += hit.section_id != hit.chunk.section_id
            formats.add(hit.chunk.format)
    assert narrowed > 50
    assert formats == {"markdown", "html", "csv", "asciidoc", "pdf"}


def test_passages_in_python(index: Index, root: Path) -> None:
    for query in QUERIES[::2]:
        weak: dict[str, bool] = {hit.chunk.id: hit.is_weak for hit in index.search(query, limit=30)}
        for budget in BUDGETS:
            for passage in index.passages(query, budget, all=True):
                place = (passage.source, passage.start_line, passage.end_line, passage.pages)
                quote = Quote(passage.citation, passage.content, passage.section_id, passage.heading_chain, *place)
                check(index, root, quote, is_passage=True)
                assert dict(passage.metadata) == metadata_of(passage.source)
                assert passage.is_weak == all(weak[each] for each in passage.chunk_ids)


# ---------------------------------------------------------------------- command line


def run(root: Path, *arguments: str) -> str:
    result = CliRunner().invoke(app, ["search", "--index", str(root / ".crosshead"), *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_json_of_the_command_line(index: Index, root: Path) -> None:
    for query in FEW:
        for line in run(root, "--json", "-k", "12", "--", query).splitlines():
            check(index, root, of_json(json.loads(line)))
        for line in run(root, "--json", "--passages", "--budget", "200", "--", query).splitlines():
            check(index, root, of_json(json.loads(line)), is_passage=True)


def test_text_of_the_command_line(index: Index, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)  # citations are relative to the working folder
    for query in FEW:
        hits, passages = index.search(query), index.passages(query, all=True)
        printed = [block.split("\n") for block in run(root, "--all", "--", query).rstrip("\n").split("\n\n")]
        assert [block[0].split("  ", 1)[1] for block in printed] == [hit.citation for hit in hits]
        for block, hit in zip(printed, hits, strict=True):
            for line in block[2:]:
                assert {*re.findall(r"\w+", line)} <= {*re.findall(r"\w+", hit.content)}
        text = run(root, "--passages", "--all", "--", query)
        for number, passage in enumerate(passages, 1):
            assert f"[{number}] {passage.citation}" in text
            assert f"\n\n{passage.content}\n" in text


# ---------------------------------------------------------------------- HTTP


def test_http(index: Index, root: Path) -> None:
    with serving(index) as url, httpx.Client(base_url=url, timeout=30) as client:
        for query in FEW:
            for hit in client.get("/v1/search", params={"q": query, "limit": 12}).json()["hits"]:
                check(index, root, of_json(hit))
                section = client.get(f"/v1/sections/{hit['section_id']}").json()
                assert section["heading_chain"] == (" > ".join(hit["section_path"]) or None)
                check(index, root, of_json(section), is_passage=True)
            for passage in client.get("/v1/passages", params={"q": query}).json()["passages"]:
                check(index, root, of_json(passage), is_passage=True)


# ---------------------------------------------------------------------- MCP


@pytest.mark.anyio
async def test_mcp(index: Index, root: Path, tmp_path: Path) -> None:
    environment = {"CROSSHEAD_CACHE": str(tmp_path)}
    with connected("stdio", root, environment) as connect:
        async with connect() as client:
            for query in FEW:
                arguments = {"query": query, "project_path": ".", "limit": 12, "expand_context": True}
                found = (await client.call_tool("rag_search", arguments)).structured_content
                assert found
                for hit in found["hits"]:
                    for text in (hit, *hit["around"]):
                        _check_answer(index, root, text)
                    arguments = {"section_id": hit["section_id"], "project_path": "."}
                    section = (await client.call_tool("rag_section", arguments)).structured_content
                    assert section
                    assert section["is_whole"]
                    _check_answer(index, root, section)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def _check_answer(index: Index, root: Path, text: Mapping[str, Any]) -> None:
    """Check what an assistant gets: it has no path and no lines but those of the citation."""
    if not text.get("is_whole", True):
        return  # the best lines of a hit that did not fit
    section = section_of(index, text["section_id"])
    path = " > ".join(section.heading_chain)
    assert text["breadcrumb"] in (path, f"{section.title} > {path}", section.title, section.source)
    first, _, last = text["citation"].rpartition(":")[2].partition("-")
    lines = (int(first), int(last or first)) if first.isdigit() else (0, 0)
    quote = Quote(text["citation"], text["content"], section.section_id, section.heading_chain, section.source, *lines)
    pages = section.pages
    if pages and " p. " in text["citation"]:
        named = text["citation"].partition(" p. ")[2].partition(" ")[0].partition("-")
        pages = (int(named[0]), int(named[2] or named[0]))
    check(index, root, quote._replace(pages=pages))


# ---------------------------------------------------------------------- frameworks


def _check_metadata(index: Index, root: Path, text: str, found: Mapping[str, Any]) -> None:
    pages = (found["page_start"], found["page_end"]) if "page_start" in found else None
    section = section_of(index, found["section_id"])
    assert found.get("breadcrumb", "") == " > ".join(section.heading_chain)
    assert found["title"] == section.title
    assert {name: found[name] for name in metadata_of(found["source"])} == metadata_of(found["source"])
    place = (found["source"], found["start_line"], found["end_line"], pages)
    quote = Quote(found["citation"], text, found["section_id"], section.heading_chain, *place)
    check(index, root, quote, is_passage="chunk_ids" in found)


@pytest.mark.parametrize("budget", [None, 200])
def test_langchain(index: Index, root: Path, budget: int | None) -> None:
    retriever = langchain.CrossheadRetriever(index=index, k=12, budget_tokens=budget)
    for query in FEW:
        for document in retriever.invoke(query):
            _check_metadata(index, root, document.page_content, document.metadata)


@pytest.mark.parametrize("budget", [None, 200])
def test_llamaindex(index: Index, root: Path, budget: int | None) -> None:
    retriever = llamaindex.CrossheadRetriever(index, limit=12, budget_tokens=budget)
    for query in FEW:
        for found in retriever.retrieve(query):
            _check_metadata(index, root, found.node.get_content(), found.node.metadata)


@pytest.mark.parametrize("budget", [None, 200])
def test_haystack(index: Index, root: Path, budget: int | None) -> None:
    retriever = haystack.CrossheadRetriever(index, top_k=12, budget_tokens=budget)
    for query in FEW:
        documents: list[Document] = retriever.run(query)["documents"]
        for document in documents:
            _check_metadata(index, root, document.content or "", document.meta)
