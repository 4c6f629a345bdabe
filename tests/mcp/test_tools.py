"""What an assistant sees, over standard input and output and over HTTP."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import anyio
import pytest
from tests.mcp.conftest import PROGRAM, Connect, call, connected, failure
from tests.support.faults import PATCH

from crosshead.index import Index
from crosshead.tokens import get_counter
from mcp import Client, MCPError

pytestmark = pytest.mark.anyio

SLOW_DOCUMENTS = 200
LONG_TEXT = "words about topics " * 90
COUNT = get_counter("cl100k_base")


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize("door", ["stdio", "http"])
async def test_a_project_is_indexed_searched_and_read(
    door: str, mode: str, root: Path, environment: dict[str, str]
) -> None:
    with connected(door, root, environment, mode=mode) as connect:
        async with connect() as client:
            indexed = await call(client, "rag_index", path="docs")
            assert (indexed["added"], indexed["failed"]) == (2, 0)
            assert indexed["text"].startswith("2 added; ")
            found = await call(client, "rag_search", query="how often are keys rotated", limit=1)
            (hit,) = found["hits"]
            assert hit["citation"].startswith("docs/guide.md:")
            assert hit["breadcrumb"].startswith("Guide > Keys")
            assert "Rotate keys once a year." in hit["content"]
            assert f"[1] {hit['citation']} | {hit['breadcrumb']}\nsection_id {hit['section_id']}" in found["text"]
            section = await call(client, "rag_section", section_id=hit["section_id"])
            assert section["is_whole"]
            assert section["citation"] in section["text"]
            assert "Rotate keys once a year." in section["text"]
            parent = await call(client, "rag_section", section_id=section["parent_section_id"])
            assert section["content"] in parent["content"]
            resource = await client.read_resource(f"crosshead://section/{hit['section_id']}")
            assert resource.contents[0].text == section["text"]  # type: ignore[union-attr]
            outline = await call(client, "rag_outline", path="docs/guide.md")
            (document,) = outline["documents"]
            titles = [each["title"] for each in document["headings"]]
            assert titles == ["Guide", "Guide", "Install", "Keys", "Rotate keys", "Lose keys"]


async def test_prompt_asks_for_an_answer_with_citations(connect: Connect) -> None:
    async with connect() as client:
        (prompt,) = (await client.list_prompts()).prompts
        assert prompt.name == "answer"
        assert [(each.name, each.required) for each in prompt.arguments or ()] == [("question", True)]
        got = await client.get_prompt("answer", {"question": " How often? "})
        text = got.messages[0].content.text  # type: ignore[union-attr]
        assert text.endswith("Question: How often?")
        assert "rag_search" in text


async def test_search_is_narrowed_and_widened(connect: Connect, root: Path) -> None:
    sections = "".join(f"## {title}\n\nThe {title}. {LONG_TEXT}\n\n" for title in ("Anchor", "Bridge", "Candle"))
    sections = sections.replace("## Candle", f"### Deck\n\nThe deck. {LONG_TEXT}\n\n## Candle")
    (root / "docs/things.md").write_text(f"# Things\n\nAll of them. {LONG_TEXT}\n\n{sections}")
    async with connect() as client:
        await call(client, "rag_index", path=".")
        inside = await call(client, "rag_search", query="every", section_filter="backup*")
        assert [each["citation"].partition(":")[0] for each in inside["hits"]] == ["docs/notes.md"]
        nowhere = await call(client, "rag_search", query="every", section_filter="nowhere*")
        assert (nowhere["hits"], nowhere["left_out"]) == ([], 0)
        assert nowhere["text"].startswith("Nothing found.")
        (hit,) = (await call(client, "rag_search", query="bridge", limit=1))["hits"]
        assert (hit["breadcrumb"], hit["around"]) == ("Things > Bridge", [])
        wide = await call(client, "rag_search", query="bridge", limit=1, expand_context=True)
        around = {each["place"]: each for each in wide["hits"][0]["around"]}
        assert {place: each["breadcrumb"] for place, each in around.items()} == {
            "above": "Things",
            "before": "Things > Anchor",
            "after": "Things > Candle",
        }
        for place, each in around.items():
            assert f"({place}) {each['citation']} | {each['breadcrumb']}" in wide["text"]
            assert each["content"] in wide["text"]
        deeper = await call(client, "rag_search", query="deck", limit=1, expand_context=2)
        above = [each["breadcrumb"] for each in deeper["hits"][0]["around"] if each["place"] == "above"]
        assert above == ["Things > Bridge", "Things"]


async def test_sections_of_other_documents_are_found_from_a_section(connect: Connect, root: Path) -> None:
    sentences = " ".join(f"Thing {number} is in drawer {number + 1}, below shelf {number + 2}." for number in range(9))
    text = f"# Things\n\nAll of them. {sentences}\n"
    (root / "docs/things.md").write_text(text)
    (root / "docs/copy.md").write_text(text.replace("All", "Most"))
    async with connect() as client:
        await call(client, "rag_index", path=".")
        (hit,) = (await call(client, "rag_search", query="all of them", limit=1, source="*things.md", all=True))["hits"]
        found = await call(client, "rag_related", section_id=hit["section_id"], limit=2)
        copy, other = found["sections"]
        assert (copy["citation"].partition(":")[0], copy["is_copy"], copy["content"]) == ("docs/copy.md", True, "")
        assert not other["is_copy"]
        assert f"{other['citation']} | {other['breadcrumb']}" in found["text"]
        assert other["content"].strip() in found["text"]
        assert await failure(client, "rag_related", section_id="0" * 16) == f"section '{'0' * 16}' not found"


async def test_weak_matches_are_left_out_unless_asked_for(connect: Connect, root: Path) -> None:
    async with connect() as client:
        await call(client, "rag_index", path=".")
        question = "how often are keys rotated"
        everything = await call(client, "rag_search", query=question, all=True)
        good = [hit for hit in everything["hits"] if not hit["is_weak"]]
        weak = len(everything["hits"]) - len(good)
        assert good
        assert weak == 1
        found = await call(client, "rag_search", query=question)
        assert (found["hits"], found["weaker"], everything["weaker"]) == (good, weak, 0)
        assert found["text"].endswith("\n\n---\n\n1 weaker match: all=true")
        nothing = await call(client, "rag_search", query="stratospheric ballooning for beginners")
        assert (nothing["hits"], nothing["left_out"]) == ([], 0)
        count = nothing["weaker"]
        assert nothing["text"] == (
            f"No good match: the documents do not seem to answer this. {count} weaker matches: all=true"
        )
        shown = await call(client, "rag_search", query="stratospheric ballooning for beginners", all=True)
        assert len(shown["hits"]) == count > 0


async def test_progress_is_told(connect: Connect, root: Path) -> None:
    write_slow_documents(root, 20)
    told: list[tuple[float, float | None, str | None]] = []

    async def tell(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))

    async with connect() as client:
        await client.call_tool("rag_index", {"path": "slow", "project_path": "."}, progress_callback=tell)
    done = [progress for progress, _, _ in told]
    assert len(done) > 2
    assert done == sorted(set(done))
    assert "of 20 documents" in str(told[0][2])


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize("door", ["stdio", "http"])
async def test_cancelled_indexing_ends_and_keeps_what_is_committed(
    door: str, mode: str, root: Path, environment: dict[str, str]
) -> None:
    write_slow_documents(root, SLOW_DOCUMENTS)
    with connected(door, root, environment, mode=mode) as connect:
        await cancel_and_go_on(connect, root)


async def cancel_and_go_on(connect: Connect, root: Path) -> None:
    async with connect() as client:
        with anyio.CancelScope() as scope:

            async def cancel(progress: float, *_: object) -> None:
                if progress > SLOW_DOCUMENTS / 2:
                    scope.cancel()

            await client.call_tool("rag_index", {"path": ".", "project_path": "."}, progress_callback=cancel)
        assert scope.cancelled_caught
        again = await call(client, "rag_index", path="docs")  # waits until the other has ended
        assert again["unchanged"] == 2
        with Index(root / ".crosshead", create=False) as index:
            assert 0 < len(index.sources()) - 2 < SLOW_DOCUMENTS
        assert (await call(client, "rag_search", query="slow words", limit=1))["hits"]
        rest = await call(client, "rag_index", path=".")
        assert rest["unchanged"] > 2
        assert rest["unchanged"] + rest["added"] == SLOW_DOCUMENTS + 2


async def test_searches_go_on_while_documents_are_indexed(connect: Connect, root: Path) -> None:
    write_slow_documents(root, SLOW_DOCUMENTS)
    async with connect() as client:
        await call(client, "rag_index", path="docs")
        async with anyio.create_task_group() as group:
            started, ended = anyio.Event(), anyio.Event()

            async def start(*_: object) -> None:
                started.set()

            async def index() -> None:
                await client.call_tool("rag_index", {"path": "slow", "project_path": "."}, progress_callback=start)
                ended.set()

            group.start_soon(index)
            await started.wait()
            assert (await call(client, "rag_search", query="rotate keys", limit=1))["hits"]
            assert not ended.is_set()
            group.cancel_scope.cancel()


async def test_two_clients_at_once(connect: Connect, root: Path) -> None:
    async with connect() as one, connect() as other, anyio.create_task_group() as group:
        for client in (one, other):
            group.start_soon(ask_everything, client, ".")
            group.start_soon(ask_everything, client, "docs")
    with Index(root / ".crosshead", create=False) as whole, Index(root / "docs/.crosshead", create=False) as part:
        assert whole.sources() == ["docs/guide.md", "docs/notes.md"]
        assert part.sources() == ["guide.md", "notes.md"]


async def ask_everything(client: Client, project: str) -> None:
    indexed = await call(client, "rag_index", path=".", project_path=project)
    assert indexed["added"] + indexed["unchanged"] == 2
    for query, name in [("rotate keys", "guide.md"), ("backups at night", "notes.md")] * 3:
        found = await call(client, "rag_search", query=query, project_path=project, limit=1)
        assert name in found["hits"][0]["citation"]


async def test_index_of_the_command_line_is_answered_from(
    connect: Connect, root: Path, environment: dict[str, str]
) -> None:
    command = [sys.executable, "-c", PROGRAM, "index", "docs", "--strategy", "fixed"]
    subprocess.run(command, cwd=root, env=environment, check=True, capture_output=True)
    async with connect() as client:
        assert (await call(client, "rag_search", query="rotate keys"))["hits"]
        (root / "docs/more.md").write_text("# More\n\nZebras are striped.\n")
        subprocess.run(command, cwd=root, env=environment, check=True, capture_output=True)
        found = await call(client, "rag_search", query="zebras", limit=1)
        assert found["hits"][0]["citation"].startswith("docs/more.md")
        assert (await call(client, "rag_index", path="docs"))["unchanged"] == 3
        told = await failure(client, "rag_index", path="docs", chunking_strategy="section")
        assert "made with strategy='fixed', not 'section'" in told


async def test_unclosed_fence_is_a_note(connect: Connect, root: Path) -> None:
    (root / "docs/open.md").write_text("# Open\n\n```\nx = 1\n")
    async with connect() as client:
        indexed = await call(client, "rag_index", path="docs")
        assert "open.md: the fence that line 3 opens is never closed" in str(indexed["notes"])


async def test_index_that_was_made_anew_is_opened_again(connect: Connect, root: Path) -> None:
    async with connect() as client:
        await call(client, "rag_index", path="docs")
        shutil.rmtree(root / ".crosshead")
        assert "call rag_index first" in await failure(client, "rag_search", query="keys")
        assert (await call(client, "rag_index", path="docs/notes.md"))["added"] == 1
        assert len((await call(client, "rag_search", query="backups"))["hits"]) == 1


@pytest.mark.parametrize("kind", ["folder", "database"])
async def test_one_index_for_the_root_may_lie_elsewhere(
    kind: str, root: Path, environment: dict[str, str], request: pytest.FixtureRequest
) -> None:
    place = request.getfixturevalue("database") if kind == "database" else str(root.parent / "elsewhere")
    with connected("stdio", root, environment, "--index", place) as connect:
        async with connect() as client:
            assert await failure(client, "rag_search", query="keys") == nothing_in(root)
            assert (await call(client, "rag_index", path="docs", project_path=str(root)))["added"] == 2
            (hit,) = (await call(client, "rag_search", query="rotate keys", limit=1))["hits"]
            assert hit["citation"].startswith("docs/guide.md:")
            section = await call(client, "rag_section", section_id=hit["section_id"])
            assert "Rotate keys once a year." in section["content"]
            outlined = await call(client, "rag_outline", path="docs/notes.md")
            assert [each["source"] for each in outlined["documents"]] == ["docs/notes.md"]
            assert "omit project_path" in await failure(client, "rag_search", query="keys", project_path="docs")
            assert "outside" in await failure(client, "rag_index", path="../secret.md")
    assert not (root / ".crosshead").exists()


async def test_index_of_files_that_are_not_here_is_searched_but_not_changed(
    root: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    with Index(tmp_path / "made-there", root=root, embedder="static") as index:
        index.add(root / "docs")
    (tmp_path / "here").mkdir()
    (tmp_path / "here/a.md").write_text("# A\n\nWords.\n")
    with connected("stdio", tmp_path / "here", environment, "--index", str(tmp_path / "made-there")) as connect:
        async with connect() as client:
            assert (await call(client, "rag_search", query="rotate keys"))["hits"]
            assert len((await call(client, "rag_outline", path="."))["documents"]) == 2
            assert len((await call(client, "rag_outline", path="docs/guide.md"))["documents"]) == 1
            assert "root" in await failure(client, "rag_index", path=".")


async def test_empty_project_says_what_to_do(connect: Connect, root: Path) -> None:
    async with connect() as client:
        asked = {"rag_search": {"query": "x"}, "rag_section": {"section_id": "0" * 16}, "rag_outline": {"path": "docs"}}
        for tool, arguments in asked.items():
            assert await failure(client, tool, **arguments) == nothing_in(root)
        (root / "empty").mkdir()
        nothing = await call(client, "rag_index", path=".", project_path="empty")
        assert nothing["text"].startswith("no documents found")
        assert (await call(client, "rag_search", query="x", project_path="empty"))["hits"] == []


async def test_what_does_not_exist_is_told(connect: Connect, root: Path) -> None:
    (root / "other.md").write_text("# Other\n")
    (root / "docs/broken.pdf").write_bytes(b"%PDF-1.7 no")
    async with connect() as client:
        indexed = await call(client, "rag_index", path="docs")
        assert [each["source"] for each in indexed["failures"]] == ["docs/broken.pdf"]
        assert "- docs/broken.pdf: " in indexed["text"]
        assert await failure(client, "rag_section", section_id="nothing") == "section 'nothing' not found"
        assert "other.md not found" in await failure(client, "rag_outline", path="other.md")
        with pytest.raises(MCPError, match="section 'nothing' not found"):
            await client.read_resource("crosshead://section/nothing")


@pytest.mark.parametrize("budget", [1000, 3000])
async def test_no_answer_is_larger_than_the_budget(budget: int, root: Path, environment: dict[str, str]) -> None:
    write_large_documents(root)
    with connected("stdio", root, environment, "--budget", str(budget)) as connect:
        async with connect() as client:
            answers = {
                "indexed": await call(client, "rag_index", path="large"),
                "found": await call(client, "rag_search", query="words about topics", limit=100, expand_context=True),
                "folder": await call(client, "rag_outline", path="large"),
                "document": await call(client, "rag_outline", path="large/00.md"),
            }
            whole = answers["document"]["documents"][0]["headings"][0]["section_id"]
            answers["section"] = await call(client, "rag_section", section_id=whole)
    for name, answer in answers.items():
        text = answer.pop("text")
        assert COUNT(text) <= budget, name
        assert COUNT(as_json(answer)) <= budget, name
    assert answers["found"]["left_out"] > 0
    assert answers["found"]["hits"][0]["is_whole"]
    assert answers["folder"]["left_out"] > 0
    assert answers["document"]["deepest_level"] < 6
    assert not answers["section"]["is_whole"]
    assert answers["section"]["subsections"]
    assert answers["indexed"]["failed"] > len(answers["indexed"]["failures"]) > 0


def nothing_in(project: Path) -> str:
    return f"nothing is indexed in {project} yet: call rag_index first"


def as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def write_slow_documents(root: Path, count: int) -> None:
    """Put documents into a folder, whose format is read slowly."""
    (root / "slow").mkdir()
    for number in range(count):
        (root / f"slow/{number:03}.slow").write_text(f"# Page {number}\n\nSlow words.\n")


def write_large_documents(root: Path) -> None:
    """Put documents with many sections into a folder, and many that cannot be read."""
    (root / "large").mkdir()
    for number in range(150):
        count = 1 if number else 120
        parts = "".join(f"## Part {part}\n\n{LONG_TEXT}\n\n" for part in range(count))
        (root / f"large/{number:02}.md").write_text(f"# A page of this number: {number}\n\n{parts}")
        (root / f"large/{number:02}.pdf").write_bytes(b"%PDF-1.7 no")


@pytest.mark.anyio
async def test_fault_of_ours_in_one_document_is_its_failure_alone(root: Path, environment: dict[str, str]) -> None:
    (root.parent / "patch").mkdir()
    (root.parent / "patch" / "sitecustomize.py").write_text(PATCH)
    (root / "docs" / "bad.md").write_text("# Bad\n\nwords\n")
    path = os.pathsep.join(filter(None, [str(root.parent / "patch"), environment["PYTHONPATH"]]))
    with connected("stdio", root, {**environment, "PYTHONPATH": path}) as connect:
        async with connect() as client:
            result = await call(client, "rag_index", path="docs")
    assert result["added"] == 2
    assert "docs/bad.md: a fault of Crosshead, please report it: RecursionError: too deep" in result["text"]


async def test_a_section_shows_its_links(root: Path, environment: dict[str, str]) -> None:
    (root / "docs/more.md").write_text("# More\n\nSee [keys](guide.md#rotate-keys) and [gone](none.md).\n")
    with connected("stdio", root, environment) as connect:
        async with connect() as client:
            await call(client, "rag_index", path="docs")
            (hit,) = (await call(client, "rag_search", query="rotate keys once a year", limit=1))["hits"]
            section = await call(client, "rag_section", section_id=hit["section_id"])
            assert [(each["citation"], each["label"]) for each in section["linked_from"]] == [
                ("docs/more.md:3", "keys")
            ]
            assert "linked from:\ndocs/more.md:3 keys -> docs/guide.md#rotate-keys" in section["text"]
            more = await call(client, "rag_section", section_id=section["linked_from"][0]["section_id"])
            assert [each["leads_to"] for each in more["links_to"]] == [
                "docs/guide.md#rotate-keys",
                "docs/none.md does not exist",
            ]
            assert more["links_to"][0]["section_id"] == hit["section_id"]
