"""One log line per request: JSON, or plain text on a terminal. Unexpected errors become problem details.

Queries are not logged: what people search for is private.
"""

from __future__ import annotations

import logging
import re
import sys
import time
import uuid
from datetime import UTC, datetime
from typing import Any, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from crosshead.runtime.json_output import json_bytes
from crosshead.server.errors import respond

logger = logging.getLogger("crosshead.server")

REQUEST_ID: Final = "X-Request-ID"
FOREIGN: Final = ("uvicorn.error", "mcp")
"""Loggers of other packages, whose errors only are shown."""

_CLIENT_ID: Final = re.compile(r"[\w.-]{1,64}", re.ASCII)


class RequestLog:
    """Gives every request an id, and logs how it ended."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on and log it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get(REQUEST_ID, "")
        request_id = given if _CLIENT_ID.fullmatch(given) else uuid.uuid4().hex
        scope["request_id"] = request_id
        status, started = 0, time.perf_counter()

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)[REQUEST_ID] = request_id
            await send(message)

        try:
            await self._app(scope, receive, send_with_id)
        except Exception as error:
            logger.exception("fault", extra={"fields": {"request_id": request_id}})
            if status:  # part of the answer is sent: only closing the connection can show that it is incomplete
                raise
            await respond(error, request_id)(scope, receive, send_with_id)
        finally:
            fields = {
                "request_id": request_id,
                "method": scope["method"],
                "path": scope["path"],
                "status": status,
                "milliseconds": round(1000 * (time.perf_counter() - started), 1),
            }
            logger.info("request", extra={"fields": fields})


class JsonFormatter(logging.Formatter):
    """Formats records as JSON lines."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as one JSON object."""
        fields: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            fields["traceback"] = self.formatException(record.exc_info)
        return json_bytes(fields).decode()


class PlainFormatter(logging.Formatter):
    """Formats records as plain text."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as a line of text."""
        fields = getattr(record, "fields", {})
        words = [datetime.fromtimestamp(record.created).strftime("%H:%M:%S"), record.getMessage()]
        if record.getMessage() == "request":
            path = fields["path"].encode("unicode_escape").decode()  # it may hold control sequences
            words[1:] = [fields["method"], path, str(fields["status"]), f"{fields['milliseconds']} ms"]
        if record.exc_info:
            words.append("\n" + self.formatException(record.exc_info))
        return " ".join(words)


def log_to_stderr() -> None:
    """Log to standard error: plain text on a terminal, else JSON."""
    handler = logging.StreamHandler()
    handler.setFormatter(PlainFormatter() if sys.stderr.isatty() else JsonFormatter())
    for each in (logger, *map(logging.getLogger, FOREIGN)):
        each.handlers, each.propagate = [handler], False
        each.setLevel(logging.INFO if each is logger else logging.ERROR)
