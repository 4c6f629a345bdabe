"""The lines of a response as they come, from a server that answers bit by bit.

1. the request is sent as in `http`: repeated where that may help, until the server begins to answer
2. each line has to come within the timeout of the server, all of them within a time for the whole response
3. `close`, from any thread, closes the connection: the server sees it, and a read that waits ends at once
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from time import monotonic
from typing import Any, Final
from urllib.request import HTTPHandler, HTTPSHandler, Request

from crosshead.runtime.servers.http import Endpoint, ServerResponse, make_opener, make_request, send

MAX_LINE_BYTES: Final = 1 << 22


class StreamClosed(Exception):
    """`close` was called while the response was read."""


class LineStream:
    """The lines of the response to one request."""

    def __init__(self, server: Endpoint, path: str, body: object, *, max_seconds: float) -> None:
        self._server = server
        self._request: Request = make_request(server, path, body)
        self._until = monotonic() + max_seconds
        self._too_late = f"did not finish within {max_seconds:g} seconds"
        self._sockets: list[socket.socket] = []
        self._closed = threading.Event()

    def open(self, is_final: Callable[[ServerResponse], bool]) -> ServerResponse | None:
        """Send the request; return the response of a server that refuses it, or None if lines follow."""
        opener = make_opener(self._server.url, *self._handlers())
        try:
            found = send(self._server, opener, self._request, is_final=is_final, read=lambda it: it, wait=self._wait)
        except self._server.error:
            self._check_open()
            raise
        self._check_open()
        if isinstance(found, ServerResponse):
            return found
        self._response = found
        return None

    @property
    def content_type(self) -> str:
        """The media type of the response."""
        return str(self._response.headers.get_content_type())

    def __iter__(self) -> Iterator[str]:
        """Yield lines without their ends; raise the error of the server where the response breaks off."""
        try:
            with self._response as response:
                while line := self._read_line(response):
                    yield line.decode("utf-8", "replace").rstrip("\r\n")
        except TimeoutError as error:
            self._check_open()
            raise self._failure(self._describe_timeout()) from error
        except (HTTPException, OSError, ValueError) as error:  # ValueError: closed while it was read
            self._check_open()
            raise self._failure(f"broke off its answer ({type(error).__name__})") from error
        self._check_open()

    def close(self) -> None:
        """End the response, from any thread."""
        self._closed.set()
        for each in self._sockets:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def _wait(self, seconds: float) -> None:
        if seconds > self._until - monotonic():
            raise self._failure(self._too_late)
        self._closed.wait(seconds)

    def _read_line(self, response: Any) -> bytes:
        self._check_open()
        remaining = self._until - monotonic()
        if remaining <= 0:
            raise TimeoutError
        for each in self._sockets[-1:]:
            with suppress(OSError):
                each.settimeout(min(self._server.timeout_seconds, remaining))
        line: bytes = response.readline(MAX_LINE_BYTES)
        if len(line) == MAX_LINE_BYTES:
            raise self._failure("sends lines that are too long: this is not a model server")
        return line

    def _describe_timeout(self) -> str:
        if monotonic() >= self._until:
            return self._too_late
        return f"sent nothing for {self._server.timeout_seconds:g} seconds"

    def _check_open(self) -> None:
        if self._closed.is_set():
            raise StreamClosed

    def _failure(self, reason: str) -> Exception:
        return self._server.error(f"{self._server.url} {reason}")

    def _handlers(self) -> tuple[HTTPHandler, HTTPSHandler]:
        """Return handlers that note every connection, so that it can be closed while a request waits."""
        note = self._note

        class Connection(HTTPConnection):
            def connect(self) -> None:
                super().connect()
                note(self.sock)

        class SecureConnection(HTTPSConnection):
            def connect(self) -> None:
                super().connect()
                note(self.sock)

        class Plain(HTTPHandler):
            def http_open(self, request: Request) -> Any:
                return self.do_open(Connection, request)

        class Secure(HTTPSHandler):
            def https_open(self, request: Request) -> Any:
                return self.do_open(SecureConnection, request)

        return Plain(), Secure()

    def _note(self, opened: socket.socket) -> None:
        self._sockets.append(opened)
        if self._closed.is_set():
            self.close()
