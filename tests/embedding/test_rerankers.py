"""The reranker behind a server, with a real one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.embedding.servers import (
    Fault,
    ModelServer,
    half_an_answer,
    no_answer,
    running_server,
    too_slow,
    with_answer,
    with_status,
)

from crosshead.embedding.reranking.rerankers import HttpReranker, get_reranker
from crosshead.errors import EmbedError, OptionsError
from crosshead.index import Index
from crosshead.runtime.servers.http import Retry

QUICK = Retry(attempts=2, first_wait_seconds=0.001, max_wait_seconds=1)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with running_server() as each:
        yield each


@pytest.fixture
def reranker(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> HttpReranker:
    monkeypatch.delenv("RERANK_API_KEY", raising=False)
    return HttpReranker("m", base_url=f"{server.url}/v2/", timeout_seconds=0.2, retry=QUICK)


def test_every_text_gets_its_own_score(reranker: HttpReranker, server: ModelServer) -> None:
    assert reranker.score("why", ["four", "a", "to"]) == [0.25, 1.0, 0.5]
    path, headings, body = server.requests[0]
    assert (path, body) == ("/v2/rerank", {"model": "m", "query": "why", "documents": ["four", "a", "to"]})
    assert "Authorization" not in headings


def test_no_texts_need_no_request(reranker: HttpReranker, server: ModelServer) -> None:
    assert reranker.score("why", []) == []
    assert server.requests == []


@pytest.mark.parametrize("fault", [too_slow, half_an_answer, no_answer, with_status(429), with_status(503)])
def test_trouble_that_passes_is_waited_for(reranker: HttpReranker, server: ModelServer, fault: Fault) -> None:
    server.faults = [fault]
    assert reranker.score("why", ["to"]) == [0.5]
    server.faults = [fault] * 2
    with pytest.raises(EmbedError, match="after 2 attempts; check RERANK_BASE_URL"):
        reranker.score("why", ["to"])


def results(*scores: object) -> Fault:
    return with_answer(lambda body: {"results": list(scores)})


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (with_status(401, {"message": "bad key"}), r"status 401 \(bad key\)"),
        (with_answer(lambda body: b"<html>"), "did not score every text"),
        (with_answer(lambda body: [1]), "did not score every text"),
        (results({"index": 0, "relevance_score": 1}), "did not score every text"),
        (results({"index": 0, "relevance_score": 1}, {"index": 2, "relevance_score": 1}), "did not score every text"),
        (results({"index": 0}, {"index": 1}), "did not score every text"),
        (results({"index": 0, "relevance_score": "x"}, {"index": 1, "relevance_score": 1}), "did not score"),
        (results({"index": 0, "relevance_score": float("nan")}, {"index": 1, "relevance_score": 1}), "not finite"),
    ],
)
def test_answer_without_the_scores_is_an_error(
    reranker: HttpReranker, server: ModelServer, fault: Fault, message: str
) -> None:
    server.faults = [fault]
    with pytest.raises(EmbedError, match=message):
        reranker.score("why", ["a", "b"])


def test_names_addresses_and_keys_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RERANK_BASE_URL", raising=False)
    for name in ("", "http", "http:", "other:m"):
        with pytest.raises(OptionsError, match="use maxsim, http:MODEL or sentence-transformers:MODEL"):
            get_reranker(name)
    with pytest.raises(OptionsError, match="RERANK_BASE_URL"):
        get_reranker("http:m")
    monkeypatch.setenv("RERANK_BASE_URL", "nowhere")
    with pytest.raises(OptionsError, match="is not the URL of a server"):
        get_reranker("http:m")
    monkeypatch.setenv("RERANK_BASE_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("RERANK_API_KEY", "a\nb")
    with pytest.raises(OptionsError, match="must be printable ASCII"):
        get_reranker("http:m")


def test_search_asks_the_server_with_the_breadcrumb(
    server: ModelServer, tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RERANK_BASE_URL", server.url)
    monkeypatch.setenv("RERANK_API_KEY", "secret")
    index = Index(f"{tmp_path}/index", embedder="static", max_tokens=12)
    index.add_text("# Keys\n\nKeys open many of the doors here.\n\n## Rotation\n\nRotate keys.\n", source="keys.md")
    plain = index.search("keys open doors")
    hits = index.search("keys open doors", rerank="http:m", rerank_weight=1e9)
    assert [hit.chunk.id for hit in hits] == [hit.chunk.id for hit in reversed(plain)]
    assert [hit.rerank_score for hit in plain] == [None, None]
    assert hits[0].rerank_score == 1 / len("Keys > Rotation\n## Rotation\n\nRotate keys.")
    assert server.requests[0][1]["Authorization"] == "Bearer secret"


def test_search_takes_a_function(tmp_path: object) -> None:
    index = Index(f"{tmp_path}/index", embedder="static")
    index.add_text("# Keys\n\nRotate.\n", source="keys.md")
    assert index.search("keys", rerank=lambda query, texts: [7.0 for _ in texts])[0].rerank_score == 7.0
