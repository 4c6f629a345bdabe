"""The embedder `openai:MODEL`: any server that speaks OpenAI's protocol.

OPENAI_BASE_URL is the URL of the server, OPENAI_API_KEY the key; only OpenAI's own server always needs one.
"""

from __future__ import annotations

import os
from typing import Any, Final

from crosshead.embedding.base import OPENAI
from crosshead.embedding.remote.http import Endpoint, Retry, ServerResponse
from crosshead.embedding.remote.requests import RemoteEmbedder
from crosshead.errors import OptionsError

DEFAULT_URL: Final = "https://api.openai.com/v1"


class OpenAIEmbedder(RemoteEmbedder):
    """Speaks OpenAI's protocol."""

    path = "/embeddings"

    def __init__(
        self, model: str, *, base_url: str | None = None, timeout_seconds: float = 120.0, retry: Retry | None = None
    ) -> None:
        url = base_url or os.environ.get("OPENAI_BASE_URL") or DEFAULT_URL
        server = Endpoint(
            url.strip(),
            "check OPENAI_BASE_URL, which usually ends with /v1",
            headers=_key_headers(url),
            timeout_seconds=timeout_seconds,
            retry=retry or Retry(),
        )
        super().__init__(OPENAI, model, server)

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


def _key_headers(url: str) -> dict[str, str]:
    key = os.environ.get("OPENAI_API_KEY", "").strip()
    if not key:
        if url == DEFAULT_URL:
            raise OptionsError("OpenAI needs a key: set OPENAI_API_KEY, or OPENAI_BASE_URL for another server")
        return {}
    if not (key.isascii() and key.isprintable()):
        raise OptionsError("OPENAI_API_KEY must be printable ASCII")
    return {"Authorization": f"Bearer {key}"}
