"""Parts that actors of a cluster keep open: no answer is wrong, whatever is lost, and those that lack a part say so."""

from __future__ import annotations

import logging
import os
import signal
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import ray
from ray.cluster_utils import Cluster
from tests.support.ray_clusters import MARKS, made_cluster, write

from crosshead import Index
from crosshead.errors import IncompleteIndex, StoreError
from crosshead.index.joined import JoinedIndex
from crosshead.index.joined import index as joined_index
from crosshead.indexing.engines import stores

PARTS = 4
DOCUMENTS = 24
QUESTIONS = [f"part {number % 4} of {number}" for number in range(DOCUMENTS)]
MANY = 1000
SECONDS = 60.0
TRIES = 5

pytestmark = MARKS


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Two nodes on loopback; this process is connected as well, to look at the actors."""
    with made_cluster(1) as made:
        made.add_node(num_cpus=1, node_ip_address="127.0.0.3")
        ray.init(made.address, log_to_driver=False, logging_level=logging.ERROR)
        yield made


@pytest.fixture(scope="module")
def location(tmp_path_factory: pytest.TempPathFactory) -> str:
    home = tmp_path_factory.mktemp("parts")
    docs = home / "docs"
    docs.mkdir()
    for number in range(DOCUMENTS):
        write(docs, number)
    Index.add_to_parts(home / "index", docs, parts=PARTS, embedder="static")
    return str(home / "index")


@pytest.fixture
def far(cluster: Cluster, location: str) -> Iterator[JoinedIndex]:
    with Index.join(location, engine="ray", ray_address=cluster.address, part_seconds=20) as joined:
        yield joined


class Expected:
    """What a joined index on this machine answers, with all parts or without some."""

    def __init__(self, locations: Sequence[str]) -> None:
        self._locations = locations
        self._joined: dict[frozenset[str], JoinedIndex] = {}
        self._known: dict[tuple[frozenset[str], str], list[tuple[str, float]]] = {}

    def of(self, question: str, missing: frozenset[str]) -> list[tuple[str, float]]:
        if (missing, question) not in self._known:
            if missing not in self._joined:
                self._joined[missing] = Index.join([each for each in self._locations if each not in missing])
            self._known[missing, question] = shown(self._joined[missing].search(question))
        return self._known[missing, question]


def shown(hits: Sequence[Any]) -> list[tuple[str, float]]:
    return [(hit.citation, round(hit.score, 6)) for hit in hits]


def actors() -> list[dict[str, Any]]:
    """Return the actors that keep a store open now."""
    known = ray._private.state.actors().values()
    return [each for each in known if each["ActorClassName"] == "StoreActor" and each["State"] == "ALIVE"]


def until_complete(joined: JoinedIndex, expected: Expected) -> None:
    started = time.monotonic()
    while not (hits := joined.search(QUESTIONS[0])).complete:
        assert time.monotonic() - started < SECONDS, hits.missing
        time.sleep(0.2)
    assert shown(hits) == expected.of(QUESTIONS[0], frozenset())


def ask_many(joined: JoinedIndex, expected: Expected, count: int, halfway: Any) -> int:
    """Ask many questions, do something in their middle, and return how many answers were incomplete."""
    incomplete = 0
    for number in range(count):
        if number == count // 2:
            halfway()
        question = QUESTIONS[number % len(QUESTIONS)]
        try:
            hits = joined.search(question)
        except IncompleteIndex:  # no part answered
            incomplete += 1
            continue
        missing = frozenset(each.index for each in hits.missing)
        assert hits.complete == (not missing)
        assert shown(hits) == expected.of(question, missing)
        incomplete += bool(missing)
    return incomplete


@pytest.mark.parametrize("mode", ["lexical", "dense", "hybrid"])
def test_answers_are_those_of_parts_on_this_machine(far: JoinedIndex, location: str, mode: Any) -> None:
    with Index.join(location) as near:
        for question in QUESTIONS[:6]:
            hits = far.search(question, mode=mode, expand_context=2, source="docs/*")
            assert hits.complete
            assert [each.to_json() for each in hits] == [
                each.to_json() for each in near.search(question, mode=mode, expand_context=2, source="docs/*")
            ]
        found = far.passages(QUESTIONS[3], 500, mode=mode)
        assert [each.content for each in found] == [
            each.content for each in near.passages(QUESTIONS[3], 500, mode=mode)
        ]
        assert far.sources() == near.sources()
        assert far.titles("page") == near.titles("page")
        assert far.status().chunks == near.status().chunks


def test_actors_stay(far: JoinedIndex) -> None:
    far.search("page")
    first = {(each["ActorID"], each["Address"]["NodeID"]) for each in actors()}
    assert len(first) == PARTS
    for question in QUESTIONS:
        far.search(question)
    assert {(each["ActorID"], each["Address"]["NodeID"]) for each in actors()} == first


def test_actors_are_spread_over_the_nodes(cluster: Cluster, location: str) -> None:
    for _ in range(TRIES):  # Ray promises no more than an effort
        with Index.join(location, engine="ray", ray_address=cluster.address, part_seconds=20) as joined:
            joined.search("page")
            if len({each["Address"]["NodeID"] for each in actors()}) == 2:
                return
    pytest.fail("all actors are on one node")


def test_an_actor_that_is_killed_is_missing_until_it_is_back(far: JoinedIndex, location: str) -> None:
    expected = Expected(far.locations)

    def kill() -> None:
        os.kill(actors()[0]["Pid"], signal.SIGKILL)

    ask_many(far, expected, 60, kill)
    until_complete(far, expected)


def test_no_answer_is_wrong_when_a_node_is_lost_among_many_questions(cluster: Cluster, location: str) -> None:
    with Index.join(location, engine="ray", ray_address=cluster.address, part_seconds=20) as joined:
        expected = Expected(joined.locations)
        until_complete(joined, expected)
        (node,) = cluster.worker_nodes
        assert node.node_id in {each["Address"]["NodeID"] for each in actors()}
        incomplete = ask_many(joined, expected, MANY, lambda: cluster.remove_node(node, allow_graceful=False))
        assert incomplete < MANY / 2
        until_complete(joined, expected)
        assert {each["Address"]["NodeID"] for each in actors()} == {cluster.head_node.node_id}
        cluster.add_node(num_cpus=1, node_ip_address="127.0.0.4")
        cluster.wait_for_nodes()


def test_a_part_that_is_gone_is_named_and_required_ones_are_an_error(
    cluster: Cluster, location: str, tmp_path: Path
) -> None:
    locations = [f"{location}/part-000", str(tmp_path / "gone")]
    with Index.join(locations, engine="ray", ray_address=cluster.address, part_seconds=20) as joined:
        hits = joined.search(QUESTIONS[0])
        assert [each.index for each in hits.missing] == locations[1:]
        assert "there is no index here" in hits.missing[0].reason
        assert shown(hits) == Expected(locations).of(QUESTIONS[0], frozenset(locations[1:]))
    with (
        Index.join(locations, engine="ray", ray_address=cluster.address, require_all=True) as joined,
        pytest.raises(IncompleteIndex),
    ):
        joined.search(QUESTIONS[0])


@pytest.mark.parametrize("engine", ["local", "ray"])
def test_an_index_that_is_added_while_searching_is_found(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: Any
) -> None:
    monkeypatch.setattr(joined_index, "LOOK_SECONDS", 0.0)
    for name in ("first", "second"):
        with Index(tmp_path / f"index-{name}", embedder="static") as index:
            index.add_text(f"# {name}\n\nGoldfinches of the {name} garden.\n", source=f"{name}.md")
        if name == "first":
            address = cluster.address if engine == "ray" else None
            joined = Index.join(str(tmp_path / "index-*"), engine=engine, ray_address=address, part_seconds=30)
            assert [each.source for each in joined.search("goldfinches")] == ["first.md"]
    with joined:
        assert {each.source for each in joined.search("goldfinches")} == {"first.md", "second.md"}
        assert joined.locations == [str(tmp_path / f"index-{name}") for name in ("first", "second")]


def test_a_changed_part_is_seen_by_the_next_search(cluster: Cluster, tmp_path: Path) -> None:
    with Index(tmp_path / "index", embedder="static") as index:
        index.add_text("# One\n\nGoldfinches.\n", source="one.md")
        with Index.join(index.location, engine="ray", ray_address=cluster.address, part_seconds=30) as joined:
            assert len(joined.search("goldfinches")) == 1
            index.add_text("# Two\n\nGoldfinches again.\n", source="two.md")
            assert len(joined.search("goldfinches")) == 2
            index.change(max_tokens=50)
            assert len(joined.search("goldfinches")) == 2


def test_a_cluster_that_does_not_answer_is_an_error_of_one_line(location: str) -> None:
    with pytest.raises(StoreError, match=r"Ray at 127\.0\.0\.9:1: .*or do without Ray") as raised:
        Index.join(location, engine="ray", ray_address="127.0.0.9:1")
    assert "\n" not in str(raised.value)


def test_an_error_that_cannot_be_sent_becomes_one_that_can() -> None:
    class Odd(StoreError):
        def __init__(self, one: int, two: int) -> None:
            super().__init__(f"{one} {two}")

    actor = stores.StoreActor("/nowhere/at/all")
    kind, error = stores.pickle.loads(actor.read(stores.pickle.dumps(("settings", (), {}))))
    assert (kind, type(error).__name__) == ("error", "IndexNotFound")
    assert str(stores.pickle.loads(stores._packed(Odd(1, 2)))[1]) == "1 2"
