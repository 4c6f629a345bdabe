"""The embedder `ollama:MODEL`: a model on an Ollama server, by default the one on this machine."""

from __future__ import annotations

from typing import Any

from crosshead.embedding.base import OLLAMA
from crosshead.embedding.remote.requests import RemoteEmbedder
from crosshead.errors import EmbedError
from crosshead.runtime.servers.http import Retry, ServerResponse
from crosshead.runtime.servers.ollama import ollama_endpoint


class OllamaEmbedder(RemoteEmbedder):
    """Speaks Ollama's own protocol."""

    path = "/api/embed"

    def __init__(
        self, model: str, *, host: str | None = None, timeout_seconds: float = 120.0, retry: Retry | None = None
    ) -> None:
        super().__init__(OLLAMA, model, ollama_endpoint(host, timeout_seconds, retry, EmbedError))

    def make_body(self, texts: list[str]) -> dict[str, Any]:
        """Turn off truncation, which Ollama would do silently."""
        return {"model": self.model, "input": texts, "truncate": False}

    def read_rows(self, answer: Any) -> Any:
        return answer["embeddings"]

    def explain(self, answer: ServerResponse) -> str:
        if answer.status == 404 and "not found" in answer.message:
            return f"{self.name}: {self.server.url} does not have this model: ollama pull {self.model}"
        return super().explain(answer)
