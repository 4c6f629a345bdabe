"""Shared by models behind a server: a request, its lines, and errors that say what to do."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, Final

from crosshead.answering.models.base import ReplyLimits
from crosshead.errors import AnswerError
from crosshead.runtime.servers.http import Endpoint, ServerResponse
from crosshead.runtime.servers.stream import LineStream
from crosshead.types import Usage

_TOO_LONG: Final = re.compile(
    r"context (?:length|size|window)|maximum context|too (?:long|large|many tokens)|exceed", re.I
)
_TOO_LONG_STATUS: Final = frozenset((400, 413, 422, 500))


class RemoteReply(ABC):
    """A reply that a server sends line by line; a subclass knows the protocol."""

    path: str
    """Path of the route that replies."""

    def __init__(self, name: str, server: Endpoint, prompt: str, limits: ReplyLimits) -> None:
        self.name = name
        self.usage = Usage()
        self.reached_limit = False
        self._server, self._prompt, self._limits = server, prompt, limits
        self._stream: LineStream | None = None
        self._is_closed = False
        self._is_complete = False

    def __iter__(self) -> Iterator[str]:
        stream = self._open()
        if stream.content_type == "application/json":  # a server that does not stream
            yield from self._read("".join(stream))
        else:
            for line in stream:
                yield from self._read(line)
        if not self._is_complete:
            raise AnswerError(f"{self.name}: {self._server.url} stopped in the middle of its answer")

    def close(self) -> None:
        """End the reply, from any thread."""
        self._is_closed = True
        if self._stream:
            self._stream.close()

    def _open(self) -> LineStream:
        """Send the request, again without what the server does not understand; return the lines that follow."""
        body = self.make_body(self._prompt, self._limits)
        while True:
            stream = self._stream = LineStream(self._server, self.path, body, max_seconds=self._limits.max_seconds)
            if self._is_closed:
                stream.close()
            refusal = stream.open(is_too_long)
            if refusal is None:
                return stream
            simpler = self.simplify(body, refusal)
            if simpler is None:
                raise AnswerError(self.explain(refusal))
            body = simpler

    def _read(self, line: str) -> Iterator[str]:
        data = self.find_data(line)
        if not data:
            return
        try:
            part = json.loads(data)
            if part.get("error"):
                raise AnswerError(self.explain(ServerResponse(200, self._server.without_secrets(data))))
            text = self.read_part(part)
        except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
            reason = f"{self.name}: {self._server.url} did not answer as a language model; {self._server.hint}"
            raise AnswerError(reason) from error
        if text:
            yield text

    def end(self, *, reached_limit: bool = False) -> None:
        """Note that the server says that the reply is complete."""
        self._is_complete = True
        self.reached_limit = self.reached_limit or reached_limit

    @abstractmethod
    def make_body(self, prompt: str, limits: ReplyLimits) -> dict[str, Any]:
        """Return the body of the request."""

    @abstractmethod
    def find_data(self, line: str) -> str:
        """Return the JSON in a line; empty for a line without."""

    @abstractmethod
    def read_part(self, part: Mapping[str, Any]) -> str:
        """Return the text of a part of the reply; any error means that it is something else."""

    def simplify(self, body: dict[str, Any], refusal: ServerResponse) -> dict[str, Any] | None:
        """Return a request without what the server refused; None if that was something else."""
        return None

    def explain(self, answer: ServerResponse) -> str:
        """Return an error message for a response that is no reply."""
        said = f"status {answer.status} ({answer.message})" if answer.status != 200 else f"an error ({answer.message})"
        reason = f"{self.name}: {self._server.url} answered with {said}"
        if is_too_long(answer):
            return f"{reason}: the model's context is full; use a smaller --budget, or a model with more context"
        return reason


def is_too_long(answer: ServerResponse) -> bool:
    """Return whether the prompt is too long for the model."""
    return answer.status in (*_TOO_LONG_STATUS, 200) and _TOO_LONG.search(answer.message) is not None
