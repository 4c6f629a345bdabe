"""Run an application until it receives a signal."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from crosshead.errors import OptionsError
from crosshead.server.middleware.logs import log_to_stderr
from crosshead.server.settings import ServerSettings

GRACE_SECONDS: Final = 10
"""How long requests may continue after the signal."""
KEEP_ALIVE_SECONDS: Final = 30
BACKLOG: Final = 2048


class Impatient(H11Protocol):
    """Closes connections that are slow to send a request, keep sending after the answer, or do not read the answer."""

    idle_seconds = 20.0
    answer_seconds = 600.0
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timer for the first request."""
        super().connection_made(transport)
        self._expect()

    def data_received(self, data: bytes) -> None:
        """Stop the timer once all headers of a request have arrived."""
        super().data_received(data)
        if self.cycle is None or self.cycle.response_complete:
            self._expect()
        else:
            self._stop()

    def on_response_complete(self) -> None:
        """Start the timer for reading the answer."""
        super().on_response_complete()
        if self.transport.get_write_buffer_size():
            self.loop.call_later(self.answer_seconds, self._abort_if_unread)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer."""
        self._stop()
        super().connection_lost(exc)

    def _abort_if_unread(self) -> None:
        if self.transport.get_write_buffer_size():
            self.transport.abort()

    def _expect(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(self.idle_seconds, self.transport.abort)

    def _stop(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def listen(settings: ServerSettings) -> socket.socket:
    """Bind the port first, so that a port in use is reported before anything else happens."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        return socket.create_server((settings.host, settings.port), family=family, backlog=BACKLOG)
    except OSError as error:
        raise OptionsError(f"{settings.url}: {error.strerror or error}: choose another --host or --port") from error


def serve(
    app: ASGIApp, settings: ServerSettings, listening: socket.socket, *, on_start: Callable[[str], None] = print
) -> None:
    """Serve an application until a signal comes; `on_start` gets the address once requests are accepted."""
    log_to_stderr()
    ReadyServer(app, settings, on_start).run([listening])


class ReadyServer(uvicorn.Server):
    """A server that reports its address when it is ready."""

    def __init__(self, app: ASGIApp, settings: ServerSettings, on_start: Callable[[str], None]) -> None:
        seconds = {"idle_seconds": settings.idle_seconds, "answer_seconds": settings.body_seconds}
        config = uvicorn.Config(
            app,
            http=type("Protocol", (Impatient,), seconds),
            loop="asyncio",
            ws="none",
            lifespan="on",
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
        super().__init__(config)
        self._settings = settings
        self._on_start = on_start

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to accept requests, and report the address."""
        await super().startup(sockets)
        for each in sockets or ():
            self._on_start(replace(self._settings, port=each.getsockname()[1]).url)
