from __future__ import annotations

import json
from collections.abc import Iterator

import httpx
import pytest
from tests.server.running import serving
from tests.support.language_models import ChatServer, Script, chat_server

from crosshead.index import Index

QUESTION = {"q": "how long are backups kept"}
AS_EVENTS = {"Accept": "text/event-stream"}


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    with chat_server() as server:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        server.script = Script(parts=["Backups are kept ", "for thirty days [1]."])
        yield server


@pytest.fixture
def asked(index: Index, model: ChatServer) -> Iterator[httpx.Client]:
    """Asks a server that has a language model and writes two answers at once."""
    with (
        serving(index, llm="ollama:scripted", max_answers=2) as url,
        httpx.Client(base_url=url, timeout=30) as client,
    ):
        yield client


def events(response: httpx.Response) -> list[tuple[str, dict[str, object]]]:
    blocks = response.read().decode().strip().split("\n\n")
    pairs = [block.split("\n") for block in blocks]
    return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in pairs]


def test_answer_is_json_with_its_citations(asked: httpx.Client) -> None:
    answer = asked.post("/v1/answer", json=QUESTION).json()
    assert answer["schema"] == "crosshead.answer/1"
    assert answer["text"] == "Backups are kept for thirty days [1]."
    assert [each["source"] for each in answer["citations"]] == ["docs/notes.md"]


def test_answer_comes_as_events(asked: httpx.Client) -> None:
    with asked.stream("POST", "/v1/answer", json=QUESTION, headers=AS_EVENTS) as response:
        found = events(response)
    assert response.headers["content-type"].startswith("text/event-stream")
    assert [name for name, _ in found] == ["sources", "text", "text", "answer"]
    assert found[0][1]["passages"]
    assert "".join(str(value["text"]) for name, value in found if name == "text") == found[-1][1]["text"]


def test_question_that_nothing_answers_asks_no_model(asked: httpx.Client, model: ChatServer) -> None:
    with asked.stream("POST", "/v1/answer", json={"q": "zyxw quux"}, headers=AS_EVENTS) as response:
        found = events(response)
    assert [name for name, _ in found] == ["sources", "answer"]
    assert found[-1][1]["note"] == "no good match; all=true returns weak ones"
    assert not model.seen


def test_failure_of_the_model_is_a_problem(asked: httpx.Client, model: ChatServer) -> None:
    model.script = Script(model="another")
    response = asked.post("/v1/answer", json=QUESTION)
    assert response.status_code == 502
    assert response.json()["detail"].endswith("ollama pull scripted")
    with asked.stream("POST", "/v1/answer", json=QUESTION, headers=AS_EVENTS) as streamed:
        name, problem = events(streamed)[-1]
    assert (name, problem["status"]) == ("error", 502)


def test_what_came_before_a_failure_is_the_answer(asked: httpx.Client, model: ChatServer) -> None:
    model.script = Script(stop_after=1)
    with asked.stream("POST", "/v1/answer", json=QUESTION, headers=AS_EVENTS) as response:
        name, answer = events(response)[-1]
    assert (name, answer["complete"]) == ("answer", False)
    assert answer["text"] == "Keys are valid"


@pytest.mark.parametrize("says", [True, False])
def test_model_stops_when_the_client_goes(asked: httpx.Client, model: ChatServer, says: bool) -> None:
    model.script = Script(parts=["word "] * 2_000, pause_seconds=0.05, never_answers=not says)
    with asked.stream("POST", "/v1/answer", json=QUESTION, headers=AS_EVENTS) as response:
        lines = response.iter_lines()  # kept, because httpx closes a response with its iterator
        next(lines)
        assert model.arrived.wait(20)
    assert model.seen[0].cut_off.wait(20)


def test_too_many_answers_at_once_are_refused(asked: httpx.Client, model: ChatServer) -> None:
    model.script = Script(never_answers=True)
    with (
        asked.stream("POST", "/v1/answer", json=QUESTION, headers=AS_EVENTS),
        asked.stream("POST", "/v1/answer", json=QUESTION, headers=AS_EVENTS),
    ):
        assert asked.post("/v1/answer", json=QUESTION).status_code == 429
    assert all(each.cut_off.wait(20) for each in model.seen)
    model.script = Script()
    assert asked.post("/v1/answer", json=QUESTION).status_code == 200


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ({}, "q is missing"),
        ({"q": "keys", "llm": "openai:other"}, "unknown option 'llm'"),
        ({"q": "keys", "max_answer_tokens": 0}, "max_answer_tokens=0 must be at least 1"),
    ],
)
def test_wrong_request_is_refused(asked: httpx.Client, body: dict[str, object], detail: str) -> None:
    response = asked.post("/v1/answer", json=body)
    assert response.status_code == 422
    assert detail in response.json()["detail"]


def test_server_without_a_model_says_how_to_get_one(client: httpx.Client) -> None:
    response = client.post("/v1/answer", json=QUESTION)
    assert response.status_code == 501
    assert "--llm" in response.json()["detail"]
