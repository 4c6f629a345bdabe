"""The embedder `ollama:MODEL`: a model on an Ollama server, by default the one on this machine."""

from __future__ import annotations

import os
from typing import Any, Final
from urllib.parse import urlsplit

from crosshead.embedding.base import OLLAMA
from crosshead.embedding.remote.http import Endpoint, Retry, ServerResponse
from crosshead.embedding.remote.requests import RemoteEmbedder

DEFAULT_HOST: Final = "127.0.0.1"
DEFAULT_PORT: Final = 11434
ANY_HOST: Final = frozenset(("0.0.0.0", "::"))
"""Addresses that a server listens on, but that clients cannot connect to."""


class OllamaEmbedder(RemoteEmbedder):
    """Speaks Ollama's own protocol."""

    path = "/api/embed"

    def __init__(
        self, model: str, *, host: str | None = None, timeout_seconds: float = 120.0, retry: Retry | None = None
    ) -> None:
        url = ollama_url(os.environ.get("OLLAMA_HOST", "") if host is None else host)
        hint = "start it with `ollama serve`, or set OLLAMA_HOST to its address"
        server = Endpoint(url, hint, timeout_seconds=timeout_seconds, retry=retry or Retry())
        super().__init__(OLLAMA, model, server)

    def make_body(self, texts: list[str]) -> dict[str, Any]:
        """Turn off truncation, which Ollama would do silently."""
        return {"model": self.model, "input": texts, "truncate": False}

    def read_rows(self, answer: Any) -> Any:
        return answer["embeddings"]

    def explain(self, answer: ServerResponse) -> str:
        if answer.status == 404 and "not found" in answer.message:
            return f"{self.name}: {self.server.url} does not have this model: ollama pull {self.model}"
        return super().explain(answer)


def ollama_url(host: str) -> str:
    """Read OLLAMA_HOST as Ollama does: everything but the host may be left out, or all of it.

    >>> ollama_url("0.0.0.0")
    'http://127.0.0.1:11434'
    """
    host = host.strip().strip("\"'")
    port = DEFAULT_PORT
    if "://" in host:
        port = 443 if host.startswith("https:") else 80
    else:
        host = f"http://{host}"
    try:
        parts = urlsplit(host)
        name, port = parts.hostname or DEFAULT_HOST, parts.port or port
    except ValueError:
        return host
    name = DEFAULT_HOST if name in ANY_HOST else name
    return f"{parts.scheme}://{f'[{name}]' if ':' in name else name}:{port}{parts.path.rstrip('/')}"
