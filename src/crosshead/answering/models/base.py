"""What a language model is, and a function of the caller as one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, Protocol

from crosshead.types import Usage

LENGTH: Final = "length"
"""Why a reply ended: it reached the limit of tokens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyLimits:
    """How long a reply may be, in tokens and in seconds."""

    max_tokens: int = 1024
    max_seconds: float = 300.0
    timeout_seconds: float = 120.0
    """How long the server may send nothing."""


class Reply(Protocol):
    """The reply of a model to one prompt."""

    usage: Usage
    """What the server says it has read and written; known at the end."""
    reached_limit: bool
    """Whether the limit of tokens ended it; known at the end."""

    def __iter__(self) -> Iterator[str]:
        """Yield the text as it comes; raise `AnswerError` where it breaks off."""

    def close(self) -> None:
        """End the reply, from any thread; the server sees that the connection is closed."""


class LanguageModel(Protocol):
    """Replies to prompts."""

    @property
    def name(self) -> str:
        """The name of the model, as answers give it."""

    def reply(self, prompt: str, limits: ReplyLimits, *, prompt_tokens: int) -> Reply:
        """Return the reply to a prompt of about this many tokens; nothing is sent before it is read."""


Answerer = Callable[[str], str | Iterable[str]]
"""A function that takes a prompt and returns a text, or its parts as they come."""


@dataclass(slots=True)
class FunctionModel:
    """A function of the caller."""

    function: Answerer
    name: str = field(init=False)

    def __post_init__(self) -> None:
        self.name = getattr(self.function, "__name__", type(self.function).__name__)

    def reply(self, prompt: str, limits: ReplyLimits, *, prompt_tokens: int) -> FunctionReply:
        """Return what the function says; limits are its own matter."""
        return FunctionReply(self.function, prompt)


class FunctionReply:
    """What a function returns for a prompt."""

    def __init__(self, function: Answerer, prompt: str) -> None:
        self.usage = Usage()
        self.reached_limit = False
        self._function, self._prompt = function, prompt
        self._is_closed = False

    def __iter__(self) -> Iterator[str]:
        parts = self._function(self._prompt)
        for part in [parts] if isinstance(parts, str) else parts:
            if self._is_closed:
                return
            yield part

    def close(self) -> None:
        self._is_closed = True
