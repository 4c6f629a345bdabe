"""How many requests at once, how large and how slow a body may be.

A body that states its size is refused before it is read, any other as soon as it gets too large.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Receive, Scope, Send

from crosshead.server import MEBIBYTE
from crosshead.server.errors import Refusal, respond
from crosshead.server.settings import ServerSettings


class Gate:
    """Lets a limited number of requests through at once, and refuses the others."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._inside = 0

    @asynccontextmanager
    async def passing(self) -> AsyncIterator[None]:
        """Hold one of the places, or raise a refusal if all are taken."""
        if self._inside >= self._most:
            raise Refusal(429, "too-many-requests", "the server is busy; try again in a second", {"Retry-After": "1"})
        self._inside += 1
        try:
            yield
        finally:
            self._inside -= 1


class RequestGate:
    """Limits how many requests are answered at once."""

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        self._app = app
        self._gate = Gate(settings.max_requests)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or answer it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            async with self._gate.passing():
                await self._app(scope, receive, send)
        except Refusal as error:
            await respond(error, scope.get("request_id", ""))(scope, receive, send)


async def read_body(request: Request, settings: ServerSettings) -> bytes:
    """Return the whole body."""
    return b"".join([piece async for piece in body_pieces(request, settings)])


async def body_pieces(request: Request, settings: ServerSettings) -> AsyncIterator[bytes]:
    """Yield a body as it arrives."""
    limit = settings.max_body_bytes
    stated = request.headers.get("content-length", "")
    _check_size(int(stated) if stated.isdigit() else 0, limit)
    size, pieces = 0, aiter(request.stream())
    deadline = asyncio.get_running_loop().time() + settings.body_seconds
    while True:
        left = deadline - asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout(min(settings.idle_seconds, left)):
                piece = await anext(pieces, None)
        except TimeoutError as error:
            raise Refusal(
                408, "request-timeout", "the body took too long to arrive", {"Connection": "close"}
            ) from error
        except ClientDisconnect as error:
            raise Refusal(400, "incomplete-body", "the body ended too early") from error
        if piece is None:
            return
        size += len(piece)
        _check_size(size, limit)
        yield piece


def _check_size(size: int, limit: int) -> None:
    if size > limit:
        raise Refusal(413, "content-too-large", f"the body is larger than {limit // MEBIBYTE} MiB")
