"""The embedder `openai:MODEL`: any server that speaks OpenAI's protocol.

OPENAI_BASE_URL is the URL of the server, OPENAI_API_KEY the key; only OpenAI's own server always needs one.
"""

from __future__ import annotations

from typing import Any

from crosshead.embedding.base import OPENAI
from crosshead.embedding.remote.requests import RemoteEmbedder
from crosshead.errors import EmbedError
from crosshead.runtime.servers.http import Retry, ServerResponse
from crosshead.runtime.servers.openai import openai_endpoint


class OpenAIEmbedder(RemoteEmbedder):
    """Speaks OpenAI's protocol."""

    path = "/embeddings"

    def __init__(
        self, model: str, *, base_url: str | None = None, timeout_seconds: float = 120.0, retry: Retry | None = None
    ) -> None:
        super().__init__(OPENAI, model, openai_endpoint(base_url, timeout_seconds, retry, EmbedError))

    def make_body(self, texts: list[str]) -> dict[str, Any]:
        return {"model": self.model, "input": texts, "encoding_format": "float"}

    def read_rows(self, answer: Any) -> Any:
        """Each vector may say which text it belongs to."""
        entries = list(enumerate(answer["data"]))
        entries.sort(key=lambda entry: int(entry[1].get("index", entry[0])))
        return [entry["embedding"] for _, entry in entries]

    def explain(self, answer: ServerResponse) -> str:
        advice = {401: ": set OPENAI_API_KEY to a valid key", 404: f": {self.server.hint}, and the name of the model"}
        return super().explain(answer) + advice.get(answer.status, "")
