"""What an assistant reads about the tools, and what it hears about a call that cannot be answered."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.mcp.conftest import Connect, call, connected, failure

from crosshead.types import SearchRequest, door_fields

pytestmark = pytest.mark.anyio


async def test_tools_are_described(connect: Connect, root: Path) -> None:
    async with connect() as client:
        tools = {each.name: each for each in (await client.list_tools()).tools}
        assert {name: list(tool.input_schema["properties"]) for name, tool in tools.items()} == {
            "rag_index": ["path", "project_path", "chunking_strategy", "hidden", "metadata"],
            "rag_search": ["query", "project_path", *(each.name for each in door_fields(SearchRequest))],
            "rag_section": ["section_id", "project_path"],
            "rag_related": ["section_id", "project_path", "limit"],
            "rag_page": ["section_id", "page", "project_path"],
            "rag_outline": ["path", "project_path"],
        }
        assert {name: tool.input_schema.get("required", []) for name, tool in tools.items()} == {
            "rag_index": ["path"],
            "rag_search": ["query"],
            "rag_section": ["section_id"],
            "rag_related": ["section_id"],
            "rag_page": ["section_id"],
            "rag_outline": [],
        }
        defaults = {
            name: given.get("default", ...)
            for tool in tools.values()
            for name, given in tool.input_schema["properties"].items()
        }
        known = {
            "chunking_strategy": "auto",
            "expand_context": False,
            "section_filter": None,
            "limit": 10,
            "all": False,
        }
        assert defaults.items() >= known.items()
        for tool in tools.values():
            assert tool.description
            assert "Returns" in tool.description
            assert "  " not in tool.description
            assert [len(line) > 0 for line in tool.description.split("\n")] == [True, False, True]
            assert tool.output_schema
            assert tool.input_schema["additionalProperties"] is False
            assert all(each.get("description") for each in tool.input_schema["properties"].values())
        assert "rag_search" in (client.instructions or "")
        assert (client.instructions or "").endswith(f"the project is {root}")
        (template,) = (await client.list_resource_templates()).resource_templates
        assert template.uri_template == "crosshead://section/{section_id}{?project_path}"


REFUSED = [
    ("rag_search", {"query": "x", "top_k": 3}, "unknown argument 'top_k': did you mean limit?"),
    ("rag_search", {"query": "x", "sorce": "a"}, "unknown argument 'sorce': did you mean source?"),
    ("rag_search", {"question": "x"}, "unknown argument 'question': did you mean query?"),
    ("rag_search", {"query": "x", "where": ["a=b"]}, "unknown argument 'where': did you mean metadata?"),
    ("rag_section", {"id": "x"}, "unknown argument 'id': did you mean section_id?"),
    ("rag_section", {"top_k": 3}, "unknown argument 'top_k': known are section_id, project_path"),
    ("rag_index", {"folder": "docs"}, "unknown argument 'folder': did you mean path?"),
    ("rag_index", {}, "path is missing"),
    ("rag_index", {"path": "docs", "chunking_strategy": "big"}, "chunking_strategy='big' is not one of auto, section"),
    ("rag_search", {}, "query is missing"),
    ("rag_search", {"query": ""}, "query='' must not be empty"),
    ("rag_search", {"query": " "}, "the query is empty: say what to look for"),
    ("rag_search", {"query": "x", "limit": 0}, "limit=0 must be at least 1"),
    ("rag_search", {"query": "x", "limit": "ten"}, "limit='ten' must be a whole number"),
    ("rag_search", {"query": ["x"], "mode": "y"}, "query=['x'] must be a string; mode='y' is not one of hybrid, "),
    ("rag_search", {"query": "x", "since": "now"}, "since='now' must be a day, as in 2026-01-31"),
    ("rag_search", {"query": "x", "format": "wurst"}, "no reader for the format 'wurst'; known are "),
    (
        "rag_search",
        {"query": "x", "metadata": ["a"]},
        "'a' is not a metadata filter: write KEY=VALUE, as in team=infra",
    ),
    ("rag_search", {"query": "x", "metadata": 5}, "metadata=5 must be a list of conditions, as in ['team=infra'], or"),
    ("rag_search", {"query": "x", "metadata": {"a": {"b": 1}}}, "metadata: a: {'b': 1} is not understood: known are"),
    ("search", {"query": "x"}, "unknown tool 'search': did you mean rag_search?"),
]


async def test_wrong_calls_get_one_line_that_says_what_to_do(connect: Connect) -> None:
    async with connect() as client:
        await call(client, "rag_index", path="docs")
        for tool, arguments, reason in REFUSED:
            told = await failure(client, tool, **arguments)
            assert told.startswith(reason), told


async def test_arguments_that_are_null_have_their_defaults(connect: Connect) -> None:
    async with connect() as client:
        await call(client, "rag_index", path="docs", project_path=None, chunking_strategy=None, hidden=None)
        empty: dict[str, Any] = {each.name: None for each in door_fields(SearchRequest)}
        found = await call(client, "rag_search", query="rotate keys", project_path=None, **empty)
        assert found["hits"][0]["citation"].startswith("docs/guide.md")


FILTERS: list[tuple[dict[str, Any], list[str]]] = [
    ({"source": "guide"}, ["docs/guide.md"]),
    ({"source": "docs/n*"}, ["docs/notes.md"]),
    ({"format": "html"}, ["docs/page.html"]),
    ({"section_filter": "backup*"}, ["docs/notes.md"]),
    ({"section_filter": "Guide > Keys"}, ["docs/guide.md"]),
    ({"metadata": ["team=infra,web"]}, ["docs/team.md"]),
    ({"metadata": "team=infra"}, ["docs/team.md"]),
    ({"metadata": {"team": ["web", "infra"]}}, ["docs/team.md"]),
    ({"metadata": {"year": {">=": 2024}}}, ["docs/team.md"]),
    ({"metadata": ["year>=2025"]}, []),
]


async def test_searches_are_narrowed_by_filters(connect: Connect, root: Path) -> None:
    (root / "docs/page.html").write_text("<h1>Page</h1><p>Keys of a page.</p>")
    (root / "docs/team.md").write_text("---\nteam: infra\nyear: 2024\n---\n# Team\n\nKeys of the team.\n")
    async with connect() as client:
        await call(client, "rag_index", path="docs")
        for narrowed, sources in FILTERS:
            found = await call(client, "rag_search", query="keys or backups", all=True, **narrowed)
            assert sorted({re.match(r"[\w/.]+", hit["citation"])[0] for hit in found["hits"]}) == sources, narrowed
        assert found["text"] == "Nothing found. No document has year>=2025; known year: 2024."


async def test_documents_are_given_metadata_and_keep_it(connect: Connect) -> None:
    async with connect() as client:
        await call(client, "rag_index", path="docs/guide.md", metadata={"team": "infra", "tags": ["a", "b"]})
        await call(client, "rag_index", path="docs/notes.md", metadata=["team=web"])
        assert (await call(client, "rag_index", path="docs"))["unchanged"] == 2
        for filter, source in (["tags=b"], "docs/guide.md"), (["team=web"], "docs/notes.md"):
            found = await call(client, "rag_search", query="keys or backups", all=True, metadata=filter)
            assert {hit["citation"].partition(":")[0] for hit in found["hits"]} == {source}
        nothing = await call(client, "rag_search", query="keys", metadata=["team=x"])
        assert nothing["text"] == "Nothing found. No document has team=x; known team: infra, web."
        for wrong, told in (["team"], "'team' is not metadata: write KEY=VALUE"), (5, "metadata=5 must be a list"):
            assert (await failure(client, "rag_index", path="docs", metadata=wrong)).startswith(told)


async def test_project_is_the_folder_where_the_server_runs(root: Path, environment: dict[str, str]) -> None:
    (root / "one/docs").mkdir(parents=True)
    (root / "one/docs/a.md").write_text("# One\n\nZebras are striped.\n")
    with connected("stdio", root, environment, here=root / "one") as connect:
        async with connect() as client:
            assert (client.instructions or "").endswith(f"the project is {root / 'one'}")
            assert (await call(client, "rag_index", path="docs"))["added"] == 1
            assert (await call(client, "rag_search", query="zebras", all=True))["hits"][0][
                "citation"
            ] == "docs/a.md:1-3"
            assert (await call(client, "rag_outline"))["documents"][0]["source"] == "docs/a.md"
            assert (await call(client, "rag_index", path="docs", project_path=".."))["added"] == 2
            assert (await call(client, "rag_index", path=".", project_path=str(root)))["added"] == 1
    assert (root / "one/.crosshead").is_dir()


async def test_home_is_expanded_and_hidden_files_that_are_named_are_indexed(
    root: Path, environment: dict[str, str]
) -> None:
    (root / ".claude/rules").mkdir(parents=True)
    (root / ".claude/CLAUDE.md").write_text("# Memory\n\nIndent by tabs.\n")
    (root / ".claude/rules/style.md").write_text("# Style\n\nShort names.\n")
    (root / ".git").mkdir()
    (root / ".git/notes.md").write_text("# Commit\n\nNot a document.\n")
    with connected("stdio", Path("~"), {**environment, "HOME": str(root)}, here=root / "docs") as connect:
        async with connect() as client:
            assert (await call(client, "rag_index", path="~/docs", project_path="~"))["added"] == 2
            assert (await call(client, "rag_index", path="~/.claude/CLAUDE.md", project_path="~"))["added"] == 1
            found = await call(client, "rag_search", query="tabs or spaces", project_path="~", limit=1, all=True)
            assert found["hits"][0]["citation"] == ".claude/CLAUDE.md:1-3"
            again = await call(client, "rag_index", path=".", project_path="~")
            assert (again["added"], again["unchanged"], again["removed"]) == (0, 3, 0)
            assert (await call(client, "rag_index", path="~", project_path="~", hidden=True))["added"] == 1
            outlined = await call(client, "rag_outline", path="~/.claude", project_path="~")
            sources = [each["source"] for each in outlined["documents"]]
            assert sources == [".claude/CLAUDE.md", ".claude/rules/style.md"]
            assert (await call(client, "rag_index", path="CLAUDE.md", project_path="~/.claude"))["added"] == 1


async def test_paths_are_printed_once(connect: Connect, root: Path) -> None:
    (root / "docs/broken.pdf").write_bytes(b"%PDF-1.7 no")
    async with connect() as client:
        indexed = await call(client, "rag_index", path="docs")
        assert indexed["text"].count("broken.pdf") == 1
        outlined = await call(client, "rag_outline", path="docs/guide.md")
        assert outlined["text"].count("docs/guide.md") == 1
        whole = outlined["documents"][0]["headings"][0]["section_id"]
        assert (await call(client, "rag_section", section_id=whole))["text"].count("docs/guide.md") == 1
        found = await call(client, "rag_search", query="rotate keys", limit=1)
        assert found["text"].count("docs/guide.md") == 1
        missing = await failure(client, "rag_index", path="docs/nothing.md")
        assert missing == f"{root}/docs/nothing.md not found"
