"""Both protocols against a real server, with everything that can go wrong on the way."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from tests.embedding.servers import (
    DIMENSION,
    Fault,
    ModelServer,
    half_an_answer,
    no_answer,
    ollama_answer,
    openai_answer,
    running_server,
    too_slow,
    vector_of,
    with_answer,
    with_status,
)

from crosshead.embedding.remote.ollama import OllamaEmbedder
from crosshead.embedding.remote.openai import OpenAIEmbedder
from crosshead.embedding.remote.requests import MAX_TEXTS, RemoteEmbedder
from crosshead.errors import EmbedError, OptionsError
from crosshead.runtime.servers.http import Retry
from crosshead.runtime.servers.ollama import ollama_url

QUICK = Retry(attempts=3, first_wait_seconds=0.001, max_wait_seconds=1)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with running_server() as each:
        yield each


@pytest.fixture(params=["ollama", "openai"])
def embedder(request: pytest.FixtureRequest, server: ModelServer) -> RemoteEmbedder:
    return make(request.param, server)


def make(kind: str, server: ModelServer) -> RemoteEmbedder:
    if kind == "ollama":
        return OllamaEmbedder("m", host=server.address, timeout_seconds=0.2, retry=QUICK)
    return OpenAIEmbedder("m", base_url=f"{server.url}/v1", timeout_seconds=0.2, retry=QUICK)


def expected(text: str) -> np.ndarray:
    row = np.array(vector_of(text))
    return row / np.linalg.norm(row)


def test_every_text_gets_its_own_vector(embedder: RemoteEmbedder, server: ModelServer) -> None:
    texts = ["a" * number + "b" for number in range(MAX_TEXTS + 5)]
    done: list[int] = []
    rows = embedder.embed(texts, on_progress=done.append)
    for text, vectors in zip(texts, rows, strict=True):
        assert vectors.dtype == np.float32
        np.testing.assert_allclose(vectors, [expected(text)], atol=1e-6)
    assert done == [MAX_TEXTS, len(texts)]
    assert [len(body["input"]) for _, _, body in server.requests] == [MAX_TEXTS, 5]


def test_no_texts_need_no_request(embedder: RemoteEmbedder, server: ModelServer) -> None:
    assert embedder.embed([]) == []
    assert server.requests == []


def test_dimension_is_asked_once(embedder: RemoteEmbedder, server: ModelServer) -> None:
    assert (embedder.dimension, embedder.dimension) == (DIMENSION, DIMENSION)
    assert len(server.requests) == 1


def test_text_without_words_is_not_sent_empty(embedder: RemoteEmbedder, server: ModelServer) -> None:
    embedder.embed(["", "\ud800", " \n"])
    assert server.requests[0][2]["input"] == [".", "\ufffd", "."]


@pytest.mark.parametrize(
    "fault",
    [
        too_slow,
        half_an_answer,
        no_answer,
        with_status(429, Retry_After="0"),
        with_status(429),
        with_status(500),
        with_status(503, {"error": "loading the model"}, Retry_After="Wed, 21 Oct 2015 07:28:00 GMT"),
    ],
)
def test_trouble_that_passes_is_waited_for(embedder: RemoteEmbedder, server: ModelServer, fault: Fault) -> None:
    server.faults = [fault]
    np.testing.assert_allclose(embedder.embed_query("abc"), [expected("abc")], atol=1e-6)
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (too_slow, "did not answer within 0.2 seconds after 3 attempts"),
        (half_an_answer, "broke off its answer"),
        (no_answer, "broke off its answer"),
        (with_status(500, {"error": {"message": "out of\nmemory"}}), r"status 500 \(out of memory\)"),
        (with_status(429, {"detail": "slow down"}), r"status 429 \(slow down\)"),
        (with_status(502, b"x" * 5000), r"status 502 \(x{200}\.\.\.\)"),
    ],
)
def test_trouble_that_stays_is_an_error(
    embedder: RemoteEmbedder, server: ModelServer, fault: Fault, message: str
) -> None:
    server.faults = [fault] * 9
    with pytest.raises(EmbedError, match=message) as caught:
        embedder.embed(["abc"])
    assert len(server.requests) == QUICK.attempts
    assert "\n" not in str(caught.value)


def test_server_that_asks_for_a_long_wait_is_not_waited_for(embedder: RemoteEmbedder, server: ModelServer) -> None:
    server.faults = [with_status(429, Retry_After="3600")]
    with pytest.raises(EmbedError, match="try again in 3600 seconds"):
        embedder.embed(["abc"])


def shorter(body: dict[str, Any]) -> dict[str, Any]:
    return {"embeddings": [[1.0, 2.0]], "data": [{"index": 0, "embedding": [1.0, 2.0]}]}


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (with_answer(lambda body: b"<html>hello</html>"), "did not answer with vectors"),
        (with_answer(lambda body: b'{"embeddings": [[1'), "did not answer with vectors"),
        (with_answer(lambda body: [1]), "did not answer with vectors"),
        (with_answer(lambda body: {"data": None}), "did not answer with vectors"),
        (with_answer(shorter), "1 vectors for 2 texts"),
        (with_status(401, {"error": {"message": "bad key"}}), r"status 401 \(bad key\)"),
        (with_status(302, Location="http://elsewhere.invalid/"), "status 302"),
    ],
)
def test_answer_without_the_vectors_is_an_error_at_once(
    embedder: RemoteEmbedder, server: ModelServer, fault: Fault, message: str
) -> None:
    server.faults = [fault]
    with pytest.raises(EmbedError, match=message):
        embedder.embed(["abc", "d"])
    assert len(server.requests) == 1


def test_other_dimension_than_before_is_an_error(embedder: RemoteEmbedder, server: ModelServer) -> None:
    embedder.embed_query("abc")
    server.faults = [with_answer(shorter)]
    with pytest.raises(EmbedError, match=f"2 numbers per vector instead of {DIMENSION}"):
        embedder.embed_query("abc")


@pytest.mark.parametrize(
    "refusal",
    [
        (400, {"error": "the input length exceeds the context length"}),
        (413, {"error": "Input validation error: `inputs` must have less than 512 tokens. Given: 600"}),
        (500, {"error": {"message": "input is too large to process. increase the physical batch size"}}),
    ],
)
def test_text_that_is_too_long_gets_several_vectors(
    embedder: RemoteEmbedder, server: ModelServer, refusal: tuple[int, Any]
) -> None:
    server.max_characters, server.too_long = 300, refusal
    long = "".join(f"word{number} " for number in range(100))
    done: list[int] = []
    rows = embedder.embed(["short", long, "also short"], on_progress=done.append)
    assert (rows[0].shape, rows[2].shape) == ((1, DIMENSION), (1, DIMENSION))
    assert len(rows[1]) >= 3
    sent = [text for _, _, body in server.requests for text in body["input"] if len(text) <= 300]
    assert {word for text in sent for word in text.split()} >= set(long.split())
    assert done == sorted(done)
    assert done[-1] == 3


def test_question_that_is_too_long_keeps_its_beginning(embedder: RemoteEmbedder, server: ModelServer) -> None:
    server.max_characters = 100
    assert embedder.embed_query("first " + "word " * 500).shape == (1, DIMENSION)
    assert server.requests[-1][2]["input"][0].startswith("first word")


def test_model_that_finds_everything_too_long_is_an_error(embedder: RemoteEmbedder, server: ModelServer) -> None:
    server.max_characters = 0
    with pytest.raises(EmbedError, match="choose another model"):
        embedder.embed(["word " * 100])


def free_address() -> str:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{taken.getsockname()[1]}"


def test_server_that_is_not_there_says_how_to_start_it() -> None:
    address = free_address()
    with pytest.raises(EmbedError, match=rf"no server at http://{address} \(.*refused\); start it with `ollama serve`"):
        OllamaEmbedder("m", host=address).embed(["abc"])
    with pytest.raises(EmbedError, match=r"no server at .*OPENAI_BASE_URL"):
        OpenAIEmbedder("m", base_url=f"http://{address}/v1").embed(["abc"])


def test_ollama_is_told_not_to_cut_and_says_how_to_get_a_model(server: ModelServer) -> None:
    embedder = make("ollama", server)
    embedder.embed_query("abc")
    assert server.requests[0][2] == {"model": "m", "input": ["abc"], "truncate": False}
    server.faults = [with_status(404, {"error": 'model "m" not found, try pulling it first'})]
    with pytest.raises(EmbedError, match="ollama pull m"):
        embedder.embed_query("abc")
    server.faults = [with_answer(openai_answer)]
    with pytest.raises(EmbedError, match="with vectors"):
        embedder.embed_query("abc")


def test_openai_sends_the_key_and_asks_for_numbers(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", " secret\n")
    monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1/")
    embedder = OpenAIEmbedder("m", retry=QUICK)
    embedder.embed_query("abc")
    path, headings, body = server.requests[0]
    assert (path, headings["Authorization"]) == ("/v1/embeddings", "Bearer secret")
    assert body == {"model": "m", "input": ["abc"], "encoding_format": "float"}
    server.faults = [with_status(401, {"error": {"message": "no"}})]
    with pytest.raises(EmbedError, match="set OPENAI_API_KEY") as caught:
        embedder.embed_query("abc")
    assert "secret" not in str(caught.value)
    server.faults = [with_answer(ollama_answer)]
    with pytest.raises(EmbedError, match="with vectors"):
        embedder.embed_query("abc")


def test_openai_needs_a_key_that_can_be_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OptionsError, match="set OPENAI_API_KEY"):
        OpenAIEmbedder("m")
    monkeypatch.setenv("OPENAI_API_KEY", "a\nb")
    with pytest.raises(OptionsError, match="must be printable ASCII"):
        OpenAIEmbedder("m")


@pytest.mark.parametrize("url", ["ftp://x", "localhost", "http://", "http://x:port", "http://a b", "http://[::1"])
def test_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(OptionsError, match="is not the URL of a server"):
        OpenAIEmbedder("m", base_url=url)


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("", "http://127.0.0.1:11434"),
        ("0.0.0.0:8000", "http://127.0.0.1:8000"),
        (":8000", "http://127.0.0.1:8000"),
        ("box", "http://box:11434"),
        ("[::1]:5", "http://[::1]:5"),
        ("http://box", "http://box:80"),
        ("https://box/ollama/", "https://box:443/ollama"),
        ("box:port", "http://box:port"),
    ],
)
def test_ollama_host_may_leave_out_everything(host: str, url: str) -> None:
    assert ollama_url(host) == url
