"""A filter means the same at every door and in every store, and none takes a mistake for an empty answer."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence, Set
from pathlib import Path
from typing import Any, NamedTuple

import anyio
import httpx
import pytest
from llama_index.core.schema import QueryBundle
from tests.server.running import serving
from typer.testing import CliRunner

from crosshead.adapters import haystack, langchain, llamaindex
from crosshead.cli import app
from crosshead.errors import OptionsError
from crosshead.index import Index
from mcp import Client, StdioServerParameters

QUESTION = "keys"
FILES = {
    "docs/Distribute/sign.md": "---\nteam: infra\nyear: 2023\ntags: [mac, win]\ndate: 2024-05-01\n---\n",
    "docs/guide.md": "---\nteam: web\nyear: 2024\ntags: [win, linux]\ndate: 2025-02-01\ndraft: true\n---\n",
    "docs/distribute.txt": "",
    "notes/old.md": "",
}
TITLES = {"docs/Distribute/sign.md": "# Signing\n\n## Keys\n\n", "docs/guide.md": "# Guide\n\n## Keys\n\n"}
TABLES = "[[metadata]]\nfiles = 'notes/'\nteam = 'ops'\ndate = 2020-01-31\n"
GIVEN = {"year": 2026, "owner": "ann, bob"}
"""What the text file is given."""
SIGN, GUIDE, TEXT, NOTES = FILES


class Case(NamedTuple):
    """A filter as it is typed, the same as a value, and what it finds."""

    typed: dict[str, str | list[str]]
    value: dict[str, Any]
    found: set[str]


def by(*conditions: str, found: set[str], **metadata: Any) -> Case:
    return Case({"metadata": [*conditions]}, {"metadata": metadata}, found)


def other(found: set[str], **filters: str) -> Case:
    return Case({**filters}, filters, found)


CASES = [
    by("team=infra", team="infra", found={SIGN}),
    by("team=infra,ops", team=["infra", "ops"], found={SIGN, NOTES}),
    by("tags=win", tags="win", found={SIGN, GUIDE}),
    by("tags=mac,linux", tags=["mac", "linux"], found={SIGN, GUIDE}),
    by("tags=win", "tags=mac", tags={"all": ["win", "mac"]}, found={SIGN}),
    by("team!=web", team={"not": "web"}, found={SIGN, TEXT, NOTES}),
    by("team!=web,ops", team={"not": ["web", "ops"]}, found={SIGN, TEXT}),
    by("year>=2024", year={">=": 2024}, found={GUIDE, TEXT}),
    by("year>2023", "year<2025.5", year={">": 2023, "<": 2025.5}, found={GUIDE}),
    by("date<=2024-05-01", date={"<=": "2024-05-01"}, found={SIGN, NOTES}),
    by("team=*", team={"exists": True}, found={SIGN, GUIDE, NOTES}),
    by("team!=*", team={"exists": False}, found={TEXT}),
    by("draft=true", draft=True, found={GUIDE}),
    by('year="2026"', year="2026", found=set()),
    by("owner=ann, bob", owner="ann, bob", found={TEXT}),
    by("team=infra", "year=2024", team="infra", year=2024, found=set()),
    other({SIGN, TEXT}, source="distribute"),
    other({SIGN}, source="DISTRIBUTE/"),
    other({SIGN, GUIDE}, source="docs/*.md"),
    other({TEXT}, format="text"),
    other({SIGN}, section_filter="Signing > Keys"),
    other({SIGN, GUIDE}, section_filter="keys"),
    other({SIGN, GUIDE}, since="2024-05-01", until="2025-02-01"),
    other({NOTES}, until="2020-01-31"),
]
UNMET = by("team=x", team="x", found=set()), "no document has team=x; known team: infra, ops, web"
MISTAKES = [
    ({"metadata": ["team"]}, {"metadata": {"team": {"lead": "ann"}}}),
    ({"metadata": ["year=>2024"]}, {"metadata": {"year": {"gte": 2024}}}),
    ({"metadata": ["year>=soon"]}, {"metadata": {"year": {">=": "soon"}}}),
    ({"since": "last week"}, {"since": "last week"}),
]


@pytest.fixture(scope="module", params=["folder", "database"])
def location(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the index is; the working folder is its root."""
    root = tmp_path_factory.mktemp("filters")
    for name, front_matter in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"{front_matter}{TITLES.get(name, '')}Keys are here.\n")
    (root / "crosshead.toml").write_text(TABLES)
    before = Path.cwd()
    os.chdir(root)
    url = request.getfixturevalue("module_database") if request.param == "database" else str(root / ".crosshead")
    with Index(url, root=root, embedder="static") as index:
        index.add("docs/distribute.txt", metadata=GIVEN)
        index.add("docs", "notes")
    yield url
    os.chdir(before)


@pytest.fixture(scope="module")
def module_database(server: str) -> Iterator[str]:
    """The URL of an empty database."""
    from urllib.parse import urlsplit

    import psycopg

    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("CREATE DATABASE crosshead_filters")
        yield urlsplit(server)._replace(path="/crosshead_filters").geturl()
        connection.execute("DROP DATABASE crosshead_filters WITH (FORCE)")


class Answer(NamedTuple):
    """What a door returns: sources, and what it says about filters that nothing meets; or an error."""

    sources: Set[str] = frozenset()
    note: str = ""
    error: str = ""


Ask = Callable[[Sequence[Case]], list[Answer]]


def in_python(location: str, get: Callable[[Index, dict[str, Any]], set[str]]) -> Ask:
    def ask(cases: Sequence[Case]) -> list[Answer]:
        with Index(location) as index:
            return [answer(index, case.value) for case in cases]

    def answer(index: Index, filters: dict[str, Any]) -> Answer:
        try:
            found = get(index, filters)
            return Answer(found, "" if found else index.why_nothing(QUESTION, **filters))
        except OptionsError as error:
            return Answer(error=str(error))

    return ask


def _by_langchain(index: Index, filters: dict[str, Any]) -> set[str]:
    retriever = langchain.CrossheadRetriever(index=index, search_kwargs=filters)
    return {each.metadata["source"] for each in retriever.invoke(QUESTION)}


def _by_llamaindex(index: Index, filters: dict[str, Any]) -> set[str]:
    retriever = llamaindex.CrossheadRetriever(index, **filters)
    return {each.node.metadata["source"] for each in retriever.retrieve(QueryBundle(QUESTION))}


def _by_haystack(index: Index, filters: dict[str, Any]) -> set[str]:
    return {each.meta["source"] for each in haystack.CrossheadRetriever(index, **filters).run(QUESTION)["documents"]}


PYTHON: dict[str, Callable[[Index, dict[str, Any]], set[str]]] = {
    "search": lambda index, filters: {hit.source for hit in index.search(QUESTION, **filters)},
    "words": lambda index, filters: {hit.source for hit in index.search(QUESTION, mode="lexical", **filters)},
    "vectors": lambda index, filters: {hit.source for hit in index.search(QUESTION, mode="dense", **filters)},
    "passages": lambda index, filters: {each.source for each in index.passages(QUESTION, all=True, **filters)},
    "langchain": _by_langchain,
    "llamaindex": _by_llamaindex,
    "haystack": _by_haystack,
}


def on_the_command_line(location: str) -> Ask:
    def flags(typed: dict[str, Any]) -> Iterator[str]:
        for name, value in typed.items():
            flag = {"metadata": "where", "section_filter": "section"}.get(name, name)
            for each in [value] if isinstance(value, str) else value:
                yield from (f"--{flag}", each)

    def answer(case: Case) -> Answer:
        arguments = ["search", QUESTION, "--index", location, *flags(case.typed)]
        done = CliRunner().invoke(app, [*arguments, "--json"])
        if done.exit_code == 2:
            return Answer(error=done.stderr)
        found = {json.loads(line)["source"] for line in done.stdout.splitlines()}
        return Answer(found, "" if found else CliRunner().invoke(app, arguments).stderr)

    return lambda cases: [*map(answer, cases)]


def over_http(location: str, send: Callable[[httpx.Client, Case], httpx.Response]) -> Ask:
    def ask(cases: Sequence[Case]) -> list[Answer]:
        with Index(location) as index, serving(index) as url, httpx.Client(base_url=url, timeout=30) as client:
            return [answer(send(client, case)) for case in cases]

    def answer(response: httpx.Response) -> Answer:
        told = response.json()
        if response.status_code in (400, 422):
            return Answer(error=told["detail"])
        assert response.status_code == 200
        return Answer({hit["source"] for hit in told["hits"]}, told.get("note", ""))

    return ask


def by_an_assistant(location: str, root: Path, form: str) -> Ask:
    async def ask(cases: Sequence[Case]) -> list[Answer]:
        program = ["-c", "from crosshead.cli import main; main()", "mcp", "--root", str(root), "--index", location]
        environment = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        async with Client(
            StdioServerParameters(command=sys.executable, args=program, cwd=root, env=environment)
        ) as client:
            return [await answer(client, getattr(case, form)) for case in cases]

    async def answer(client: Client, filters: dict[str, Any]) -> Answer:
        result = await client.call_tool("rag_search", {"query": QUESTION, "project_path": ".", "all": True, **filters})
        text = result.content[0].text  # type: ignore[union-attr]
        if result.is_error:
            return Answer(error=text)
        assert result.structured_content is not None
        found = {hit["citation"].partition(":")[0] for hit in result.structured_content["hits"]}
        return Answer(found, "" if found else text)

    return lambda cases: anyio.run(ask, cases)


DOORS: dict[str, Callable[[str], Ask]] = {
    **{name: lambda location, get=get: in_python(location, get) for name, get in PYTHON.items()},
    "command line": on_the_command_line,
    "GET": lambda location: over_http(
        location, lambda client, case: client.get("/v1/search", params={"q": QUESTION, **case.typed})
    ),
    "POST": lambda location: over_http(
        location, lambda client, case: client.post("/v1/search", json={"q": QUESTION, **case.value})
    ),
    "MCP": lambda location: by_an_assistant(location, Path.cwd(), "typed"),
    "MCP with objects": lambda location: by_an_assistant(location, Path.cwd(), "value"),
}


@pytest.mark.parametrize("door", DOORS)
def test_a_filter_finds_the_same_at_every_door(location: str, door: str) -> None:
    unmet, reason = UNMET
    mistakes = [Case(typed, value, set()) for typed, value in MISTAKES]
    answers = DOORS[door](location)([*CASES, unmet, *mistakes])
    for case, answer in zip([*CASES, unmet], answers, strict=False):
        assert answer.error == ""
        assert answer.sources == case.found, case
    assert reason[1:] in answers[len(CASES)].note
    for mistake, answer in zip(mistakes, answers[len(CASES) + 1 :], strict=True):
        assert answer.error, mistake
        assert "\n" not in answer.error.strip()
