"""The model `openai:MODEL`: any server that speaks OpenAI's protocol, by its address in OPENAI_BASE_URL."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from crosshead.answering.models.base import LENGTH, ReplyLimits
from crosshead.answering.models.remote import RemoteReply
from crosshead.errors import AnswerError
from crosshead.runtime.servers.http import Retry, ServerResponse
from crosshead.runtime.servers.openai import openai_endpoint
from crosshead.types import Usage

KIND: Final = "openai"
_LIMIT, _OTHER_LIMIT = "max_tokens", "max_completion_tokens"
_OPTIONAL: Final = ("stream_options", "temperature")
"""What some servers and models refuse."""
_REFUSED: Final = frozenset((400, 422))


@dataclass(frozen=True, slots=True)
class OpenAIModel:
    """A model behind OpenAI's protocol."""

    model: str
    base_url: str | None = None
    retry: Retry | None = None

    @property
    def name(self) -> str:
        return f"{KIND}:{self.model}"

    def reply(self, prompt: str, limits: ReplyLimits, *, prompt_tokens: int) -> OpenAIReply:
        """Return the reply to a prompt."""
        server = openai_endpoint(self.base_url, limits.timeout_seconds, self.retry, AnswerError)
        return OpenAIReply(self.name, server, prompt, limits)


class OpenAIReply(RemoteReply):
    """Server-sent events, one for each part of the text; `[DONE]` ends them."""

    path = "/chat/completions"

    def make_body(self, prompt: str, limits: ReplyLimits) -> dict[str, Any]:
        return {
            "model": self.name.partition(":")[2],
            "messages": [{"role": "user", "content": prompt}],
            "stream": True,
            "stream_options": {"include_usage": True},
            "temperature": 0,
            _LIMIT: limits.max_tokens,
        }

    def find_data(self, line: str) -> str:
        """Skip comments and the names of events; a response that is not streamed is one line of JSON."""
        if line.startswith("{"):
            return line
        data = line.removeprefix("data:").strip() if line.startswith("data:") else ""
        if data == "[DONE]":
            self.end()
            return ""
        return data

    def read_part(self, part: Mapping[str, Any]) -> str:
        usage = part.get("usage") or {}
        if usage:
            self.usage = Usage(usage.get("prompt_tokens") or 0, usage.get("completion_tokens") or 0)
        text = ""
        for choice in part.get("choices") or []:
            text += (choice.get("delta") or choice.get("message") or {}).get("content") or ""
            if choice.get("finish_reason"):
                self.end(reached_limit=choice["finish_reason"] == LENGTH)
        return text

    def simplify(self, body: dict[str, Any], refusal: ServerResponse) -> dict[str, Any] | None:
        """Newer models want `max_completion_tokens`; some servers know neither usage nor temperature."""
        if refusal.status not in _REFUSED:
            return None
        if _LIMIT in body and _OTHER_LIMIT in refusal.message:
            return {**{key: body[key] for key in body if key != _LIMIT}, _OTHER_LIMIT: body[_LIMIT]}
        refused = [key for key in _OPTIONAL if key in body and key in refusal.message]
        return {key: body[key] for key in body if key not in refused} if refused else None

    def explain(self, answer: ServerResponse) -> str:
        hint = self._server.hint
        advice = {
            401: ": set OPENAI_API_KEY to a valid key",
            403: ": the key may not use this model",
            404: f": {hint}, and the name of the model",
        }
        return super().explain(answer) + advice.get(answer.status, "")
