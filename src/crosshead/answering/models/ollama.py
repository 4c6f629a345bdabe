"""The model `ollama:MODEL`: a model on an Ollama server, by default the one on this machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from crosshead.answering.models.base import LENGTH, ReplyLimits
from crosshead.answering.models.remote import RemoteReply
from crosshead.errors import AnswerError
from crosshead.runtime.servers.http import Endpoint, Retry, ServerResponse
from crosshead.runtime.servers.ollama import ollama_endpoint
from crosshead.types import Usage

KIND: Final = "ollama"
SMALLEST_CONTEXT: Final = 4096
SPARE: Final = 1.5
"""Tokens of a model for one of ours, at most: its tokenizer may be another, and its template adds some."""


@dataclass(frozen=True, slots=True)
class OllamaModel:
    """A model on an Ollama server."""

    model: str
    host: str | None = None
    retry: Retry | None = None

    @property
    def name(self) -> str:
        return f"{KIND}:{self.model}"

    def reply(self, prompt: str, limits: ReplyLimits, *, prompt_tokens: int) -> OllamaReply:
        """Return the reply to a prompt."""
        server = ollama_endpoint(self.host, limits.timeout_seconds, self.retry, AnswerError)
        return OllamaReply(self.name, server, prompt, limits, prompt_tokens)


class OllamaReply(RemoteReply):
    """A line of JSON for each part of the text."""

    path = "/api/chat"

    def __init__(self, name: str, server: Endpoint, prompt: str, limits: ReplyLimits, prompt_tokens: int) -> None:
        super().__init__(name, server, prompt, limits)
        self._prompt_tokens = prompt_tokens

    def make_body(self, prompt: str, limits: ReplyLimits) -> dict[str, Any]:
        """Ask for enough context: Ollama cuts a prompt that is longer than its own default, and does not say so."""
        context = max(SMALLEST_CONTEXT, round(SPARE * self._prompt_tokens) + limits.max_tokens)
        return {
            "model": self.name.partition(":")[2],
            "messages": [{"role": "user", "content": prompt}],
            "stream": True,
            "options": {"temperature": 0, "num_predict": limits.max_tokens, "num_ctx": context},
        }

    def find_data(self, line: str) -> str:
        return line.strip()

    def read_part(self, part: Mapping[str, Any]) -> str:
        if part.get("done"):
            self.usage = Usage(part.get("prompt_eval_count") or 0, part.get("eval_count") or 0)
            self.end(reached_limit=part.get("done_reason") == LENGTH)
        return str(part["message"]["content"]) if part.get("message") else ""

    def explain(self, answer: ServerResponse) -> str:
        if answer.status == 404 and "not found" in answer.message:
            model = self.name.partition(":")[2]
            return f"{self.name}: {self._server.url} does not have this model: ollama pull {model}"
        return super().explain(answer)
