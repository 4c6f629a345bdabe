"""A small real server that speaks the wire formats of Ollama, OpenAI and rerankers, and fails as it is told."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

DIMENSION = 3

Fault = Callable[[BaseHTTPRequestHandler, dict[str, Any]], None]


def vector_of(text: str) -> list[float]:
    """A vector that shows which text it belongs to."""
    return [float(len(text)), float(text.count("a")), 1.0]


def vectors_of(body: dict[str, Any]) -> list[list[float]]:
    return [vector_of(text) for text in body["input"]]


def ollama_answer(body: dict[str, Any]) -> dict[str, Any]:
    return {"model": body["model"], "embeddings": vectors_of(body), "total_duration": 1, "prompt_eval_count": 2}


def openai_answer(body: dict[str, Any]) -> dict[str, Any]:
    """In reverse, because only the index says what belongs to what."""
    data = [{"object": "embedding", "index": at, "embedding": row} for at, row in enumerate(vectors_of(body))]
    return {"object": "list", "data": data[::-1], "model": body["model"], "usage": {"total_tokens": 1}}


def rerank_answer(body: dict[str, Any]) -> dict[str, Any]:
    """The best first, as servers do: only the index says what belongs to what. Shorter texts are better."""
    scores = [{"index": at, "relevance_score": 1 / len(text)} for at, text in enumerate(body["documents"])]
    return {"id": "1", "results": sorted(scores, key=lambda each: -each["relevance_score"])}


class ModelServer(ThreadingHTTPServer):
    """Answers after it has gone through its faults, one per request; too much text is refused, and some words are."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.faults: list[Fault] = []
        self.requests: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.max_characters = 1_000_000
        self.refused_words: list[str] = []
        self.too_long = (400, {"error": {"message": "This model's maximum context length is 8 tokens."}})

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.server_address[1]}"

    @property
    def url(self) -> str:
        return f"http://{self.address}"


class _Handler(BaseHTTPRequestHandler):
    server: ModelServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append((self.path, dict(self.headers), body))
        if self.server.faults:
            self.server.faults.pop(0)(self, body)
        elif self.path.endswith("/rerank"):
            send(self, 200, rerank_answer(body))
        elif any(word in text for text in body["input"] for word in self.server.refused_words):
            send(self, 422, {"error": "a word is not allowed"})
        elif any(len(text) > self.server.max_characters for text in body["input"]):
            status, answer = self.server.too_long
            send(self, status, answer)
        else:
            send(self, 200, ollama_answer(body) if self.path == "/api/embed" else openai_answer(body))

    def log_message(self, *args: object) -> None:
        pass


def send(handler: BaseHTTPRequestHandler, status: int, answer: object, **headings: str) -> None:
    data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
    handler.send_response(status)
    for name, value in headings.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.send_header("Content-Length", str(len(data)))
    handler.end_headers()
    handler.wfile.write(data)


def with_status(status: int, answer: object = b"trouble", **headings: str) -> Fault:
    return lambda handler, _: send(handler, status, answer, **headings)


def with_answer(make: Callable[[dict[str, Any]], object]) -> Fault:
    return lambda handler, body: send(handler, 200, make(body))


def too_slow(handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
    time.sleep(0.4)
    handler.close_connection = True


def half_an_answer(handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"embeddings": [[1, 2')
    handler.close_connection = True


def no_answer(handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
    handler.close_connection = True


@contextmanager
def running_server() -> Iterator[ModelServer]:
    with ModelServer() as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield server
        server.shutdown()
