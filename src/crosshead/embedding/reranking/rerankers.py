"""The rerankers by name, and `http:MODEL`: any server that takes a query with documents at `/rerank`.

Cohere, Jina, vLLM and llama.cpp do. RERANK_BASE_URL is the URL of the server, RERANK_API_KEY the key.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Sequence
from typing import Any, Final

from crosshead.embedding.base import SENTENCE_TRANSFORMERS
from crosshead.embedding.text.texts import clean_text
from crosshead.errors import EmbedError, OptionsError
from crosshead.options import MAXSIM
from crosshead.runtime.servers.http import Endpoint, Retry, post_json
from crosshead.types import Reranker

KIND: Final = "http"
HINT: Final = "check RERANK_BASE_URL, which usually ends with /v1 or /v2"


class HttpReranker:
    """Lets a server score how well texts answer a query."""

    def __init__(
        self, model: str, *, base_url: str | None = None, timeout_seconds: float = 60.0, retry: Retry | None = None
    ) -> None:
        url = (base_url or os.environ.get("RERANK_BASE_URL") or "").strip()
        if not url:
            raise OptionsError(f"the reranker {KIND}:{model} needs a server: set RERANK_BASE_URL")
        self.name = f"{KIND}:{model}"
        self._model = model
        self._server = Endpoint(url, HINT, _key_headers(), timeout_seconds, retry or Retry(attempts=3))

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return the relevance of each text."""
        if not texts:
            return []
        body = {"model": self._model, "query": clean_text(query), "documents": list(map(clean_text, texts))}
        answer = post_json(self._server, "/rerank", body, is_final=lambda _: False)
        if answer.status != 200:
            raise EmbedError(f"{self.name}: {self._server.url} answered with status {answer.status} ({answer.message})")
        try:
            results = json.loads(answer.text)["results"]
            by_index = {int(result["index"]): float(result["relevance_score"]) for result in results}
            scores = [by_index[at] for at in range(len(texts))]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise EmbedError(f"{self.name}: {self._server.url} did not score every text; {HINT}") from error
        if not all(map(math.isfinite, scores)):
            raise EmbedError(f"{self.name}: {self._server.url} answered with scores that are not finite numbers")
        return scores


def get_reranker(name: str) -> Reranker:
    """Return the reranker with this name."""
    kind, _, model = name.strip().partition(":")
    if name.strip() == MAXSIM:
        from crosshead.embedding.reranking.maxsim import MaxSimReranker

        return MaxSimReranker()
    if not model or kind not in (KIND, SENTENCE_TRANSFORMERS):
        raise OptionsError(f"unknown reranker {name!r}: use {MAXSIM}, {KIND}:MODEL or {SENTENCE_TRANSFORMERS}:MODEL")
    if kind == KIND:
        return HttpReranker(model)
    from crosshead.embedding.sentence_transformers import SentenceTransformersReranker

    return SentenceTransformersReranker(model)


def _key_headers() -> dict[str, Any]:
    key = os.environ.get("RERANK_API_KEY", "").strip()
    if not (key.isascii() and key.isprintable()):
        raise OptionsError("RERANK_API_KEY must be printable ASCII")
    return {"Authorization": f"Bearer {key}"} if key else {}
