"""One index is shared by all requests: many ask while one writes, and every answer is right."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from tests.server.running import finished, serving

from crosshead.index import Index

TOPICS = ["anchor", "bridge", "candle", "dragon", "engine", "feather", "garden", "hammer"]
ROUNDS = 6


@pytest.fixture(params=["folder", "postgresql"])
def index(request: pytest.FixtureRequest, root: Path) -> Iterator[Index]:
    """A document for each topic."""
    for topic in TOPICS:
        (root / f"docs/{topic}.md").write_text(f"# The {topic}\n\nAll about the {topic}, and nothing else.\n")
    location = root / ".crosshead" if request.param == "folder" else request.getfixturevalue("database")
    with Index(location, root=root, embedder="static") as index:
        index.add(root / "docs")
        yield index


def test_searches_are_right_while_documents_come_and_go(index: Index) -> None:
    with serving(index, threads=4) as url, httpx.Client(base_url=url, timeout=60) as client:

        def ask(topic: str) -> str:
            hits = client.get("/v1/search", params={"q": f"about the {topic}", "limit": 1}).json()["hits"]
            return str(hits[0]["chunk"]["source"])

        def write(number: int) -> str:
            text = f"# Page {number}\n\n" + "".join(f"## Part {part}\n\nOther words.\n\n" for part in range(20))
            added = finished(client, client.post("/v1/documents", params={"source": "page.md"}, content=text))
            return str(added["state"])

        with ThreadPoolExecutor(12) as pool:
            written = [pool.submit(write, number) for number in range(ROUNDS)]
            asked = [pool.submit(ask, topic) for _ in range(ROUNDS) for topic in TOPICS]
            assert [each.result() for each in asked] == [f"docs/{topic}.md" for topic in TOPICS] * ROUNDS
            assert [each.result() for each in written] == ["done"] * ROUNDS


def test_index_itself_is_read_by_many_threads(index: Index) -> None:
    alone = [index.search(topic, 3, expand_context=True) for topic in TOPICS]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda topic: index.search(topic, 3, expand_context=True), TOPICS * ROUNDS))
    assert together == alone * ROUNDS


def test_async_code_gets_the_same_answers(index: Index) -> None:
    def answer(topic: str) -> object:
        hits = index.search(topic, 3)
        return (
            hits,
            index.passages(topic, 300).prompt(),
            index.section(hits[0].section_id),
            index.passage(hits[0].citation),
        )

    alone = [answer(topic) for topic in TOPICS]

    async def ask_all() -> list[object]:
        return await asyncio.gather(*[asyncio.to_thread(answer, topic) for topic in TOPICS * ROUNDS])

    with ThreadPoolExecutor(1) as thread:  # other tests leave a loop running in this one
        together = thread.submit(asyncio.run, ask_all()).result()
    assert together == alone * ROUNDS
