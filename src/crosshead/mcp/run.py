"""The tools over standard input and output, or over HTTP."""

from __future__ import annotations

import signal
from typing import Final

import anyio
from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import ASGIApp

from crosshead.server.middleware.guard import Guard
from crosshead.server.middleware.limits import RequestGate
from crosshead.server.middleware.logs import RequestLog, log_to_stderr
from crosshead.server.settings import ServerSettings

PATH: Final = "/mcp"


def serve_stdio(server: MCPServer) -> None:
    """Answer the program that started this one, until it closes standard input."""
    log_to_stderr()
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a thread that waits for a terminal would not notice it
    try:
        anyio.run(server.run_stdio_async)
    except* BrokenPipeError:  # the client has ended
        pass


def create_app(server: MCPServer, settings: ServerSettings) -> ASGIApp:
    """Return the application, guarded like that of `crosshead serve`."""
    unguarded = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    app = server.streamable_http_app(streamable_http_path=PATH, transport_security=unguarded)
    app.add_middleware(RequestGate, settings)
    app.add_middleware(Guard, settings)
    app.add_middleware(RequestLog)
    return app
