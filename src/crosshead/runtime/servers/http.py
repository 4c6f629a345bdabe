"""Send requests to a server, and retry if that may help.

1. An unreachable server is an error at once. If the server is slow, breaks off or answers with a temporary error, the
   request is repeated after a wait that doubles each time and varies randomly, so that clients do not retry together.
2. `Retry-After` overrides that wait.
3. Any other response is returned to the caller, who knows what it means.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http.client import HTTPException, IncompleteRead
from typing import Any, Final, NamedTuple, TypeVar
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import BaseHandler, HTTPRedirectHandler, OpenerDirector, ProxyHandler, Request, build_opener

from crosshead.errors import CrossheadError, EmbedError, OptionsError

WORTH_RETRYING: Final = frozenset((408, 425, 429, 500, 502, 503, 504))
MAX_ANSWER_BYTES: Final = 1 << 27
MAX_MESSAGE_LENGTH: Final = 200
LOOPBACK: Final = frozenset(("localhost", "127.0.0.1", "::1"))

Response = TypeVar("Response")


@dataclass(frozen=True, slots=True)
class Retry:
    """How often to retry, and how long to wait."""

    attempts: int = 5
    first_wait_seconds: float = 0.5
    max_wait_seconds: float = 60.0


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server and how to reach it."""

    url: str
    hint: str
    """What the user can do if the server is unreachable."""
    headers: Mapping[str, str] = field(default_factory=dict)
    timeout_seconds: float = 120.0
    retry: Retry = Retry()
    error: type[CrossheadError] = EmbedError
    """What a failure of the server raises."""

    def without_secrets(self, text: str) -> str:
        """Return a text of the server without the key that it was sent."""
        for value in self.headers.values():
            text = text.replace(value.removeprefix("Bearer "), "***")
        return text

    def __post_init__(self) -> None:
        """Check the user's URL before the first request."""
        try:
            parts = urlsplit(self.url)
            usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:
            usable = False
        if not usable or not self.url.isascii() or any(letter.isspace() for letter in self.url):
            raise OptionsError(f"{self.url!r} is not the URL of a server; {self.hint}")


class ServerResponse(NamedTuple):
    """The response of a server."""

    status: int
    text: str
    retry_after: str = ""

    @property
    def message(self) -> str:
        """The error message of the server, as one short line."""
        reason: Any = self.text
        with suppress(ValueError):
            reason = json.loads(self.text)
        for key in ("error", "message", "detail"):
            if isinstance(reason, dict) and reason.get(key):
                reason = reason[key]
        line = " ".join(str(reason).split())
        return f"{line[:MAX_MESSAGE_LENGTH]}..." if len(line) > MAX_MESSAGE_LENGTH else line


def post_json(
    server: Endpoint, path: str, body: object, *, is_final: Callable[[ServerResponse], bool]
) -> ServerResponse:
    """Post a value as JSON; `is_final` says whether a retry cannot change an error response."""

    def read(response: Any) -> ServerResponse:
        with response:
            return ServerResponse(response.status, _read_text(server, response))

    return send(server, make_opener(server.url), make_request(server, path, body), is_final=is_final, read=read)


def make_request(server: Endpoint, path: str, body: object) -> Request:
    """Return the request that posts a value as JSON."""
    return Request(
        server.url.rstrip("/") + path,
        data=json.dumps(body).encode(),
        headers={"Content-Type": "application/json", "Accept": "application/json", **server.headers},
    )


def make_opener(url: str, *handlers: BaseHandler) -> OpenerDirector:
    """Return what opens requests to a server."""
    # Proxies from the environment are for other machines, never for this one.
    direct = [ProxyHandler({})] if urlsplit(url).hostname in LOOPBACK else []
    return build_opener(_StayHere, *direct, *handlers)


def send(
    server: Endpoint,
    opener: OpenerDirector,
    request: Request,
    *,
    is_final: Callable[[ServerResponse], bool],
    read: Callable[[Any], Response],
    wait: Callable[[float], object] = time.sleep,
) -> Response | ServerResponse:
    """Send a request until it is answered; return what `read` makes of the response, or an error response."""
    for attempt in range(1, server.retry.attempts + 1):
        trouble = _try_once(server, opener, request, read)
        if not isinstance(trouble, (ServerResponse, _Trouble)):
            return trouble
        if isinstance(trouble, ServerResponse) and (trouble.status not in WORTH_RETRYING or is_final(trouble)):
            return trouble
        if attempt == server.retry.attempts:
            break
        wait(_wait_seconds(server, attempt, trouble))
    assert isinstance(trouble, (ServerResponse, _Trouble))
    raise server.error(f"{server.url} {_describe(trouble)} after {server.retry.attempts} attempts; {server.hint}")


class _Trouble(str):
    """The reason for a temporary failure."""


def _try_once(
    server: Endpoint, opener: OpenerDirector, request: Request, read: Callable[[Any], Response]
) -> Response | ServerResponse | _Trouble:
    """Return what `read` makes of the response, an error response, or the reason for a temporary failure."""
    try:
        try:
            return read(opener.open(request, timeout=server.timeout_seconds))
        except HTTPError as error:
            with error:
                return ServerResponse(error.code, _read_text(server, error), error.headers.get("Retry-After") or "")
    except TimeoutError:
        return _Trouble(f"did not answer within {server.timeout_seconds:g} seconds")
    except (HTTPException, ConnectionResetError, BrokenPipeError) as error:
        return _Trouble(f"broke off its answer ({type(error).__name__})")
    except URLError as error:
        if isinstance(error.reason, TimeoutError):
            return _Trouble(f"did not answer within {server.timeout_seconds:g} seconds")
        if isinstance(error.reason, (ConnectionResetError, BrokenPipeError)):
            return _Trouble("closed the connection")
        reason = getattr(error.reason, "strerror", None) or str(error.reason)
        raise server.error(f"no server at {server.url} ({reason}); {server.hint}") from error
    except OSError as error:
        raise server.error(f"no server at {server.url} ({error.strerror or error}); {server.hint}") from error


def _read_text(server: Endpoint, response: Any) -> str:
    data: bytes = response.read(MAX_ANSWER_BYTES + 1)
    if len(data) > MAX_ANSWER_BYTES:
        raise server.error(f"the answer is larger than {MAX_ANSWER_BYTES >> 20} MB: this is not a model server")
    if getattr(response, "length", None):  # a read with a limit does not report missing bytes
        raise IncompleteRead(data)
    return server.without_secrets(data.decode("utf-8", "replace"))


def _describe(trouble: ServerResponse | str) -> str:
    if isinstance(trouble, str):
        return trouble
    return f"answered with status {trouble.status} ({trouble.message})"


def _wait_seconds(server: Endpoint, attempt: int, trouble: ServerResponse | str) -> float:
    retry = server.retry
    wait = parse_retry_after(trouble.retry_after, datetime.now(UTC)) if isinstance(trouble, ServerResponse) else None
    if wait is not None and wait > retry.max_wait_seconds:
        raise server.error(f"{server.url} {_describe(trouble)}: try again in {wait:.0f} seconds")
    return back_off(retry, attempt, random.random()) if wait is None else wait


def back_off(retry: Retry, attempt: int, chance: float) -> float:
    """Return the seconds to wait after an attempt: the limit doubles each time, the wait is half of it or more."""
    longest = min(retry.first_wait_seconds * 2.0 ** (attempt - 1), retry.max_wait_seconds)
    return longest * (1 + chance) / 2


def parse_retry_after(value: str, now: datetime) -> float | None:
    """Read the header Retry-After: a number of seconds, or a date; None if it is neither."""
    value = value.strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    try:
        when = parsedate_to_datetime(value)
    except ValueError:
        return None
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max((when - now).total_seconds(), 0.0)


class _StayHere(HTTPRedirectHandler):
    """Follows no redirects: they would send the key to another server."""

    def redirect_request(self, *args: Any, **keywords: Any) -> None:
        return None
