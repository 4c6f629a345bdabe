"""Who may use the server.

1. The `Host` must be a name of this server, so that a page cannot reach it under another name (DNS rebinding).
2. An `Origin` must be the server itself, or one that is allowed.
3. If a token is set, the request must have it. The page's static files are the only exception: they hold no data.
"""

from __future__ import annotations

import hmac
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from crosshead.server.errors import Refusal, respond
from crosshead.server.settings import ServerSettings

LOCAL_NAMES: Final = frozenset(("localhost", "127.0.0.1", "::1"))
PAGE_FOLDER: Final = "/page/"
PAGE_PATHS: Final = ("/", "/docs", "/favicon.ico")


class Guard:
    """Refuses requests from elsewhere, and those without the token."""

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        self._app = app
        self._token = settings.token.encode()
        self._origins = frozenset(settings.cors_origins)
        named = {each.lower() for each in settings.allowed_hosts}
        self._hosts = LOCAL_NAMES | {settings.host} | named if settings.is_local or named else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or answer it."""
        try:
            if scope["type"] == "http":
                self._check(Headers(scope=scope), scope["path"])
        except Refusal as error:
            await respond(error, scope.get("request_id", ""))(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _check(self, headers: Headers, path: str) -> None:
        host, origin = headers.get("host", ""), headers.get("origin")
        if self._hosts is not None and _name(host) not in self._hosts:
            raise Refusal(421, "foreign-host", f"{host!r} is not a name of this server; allow it with --allowed-host")
        if origin is not None and origin not in self._origins and urlsplit(origin).netloc.lower() != host.lower():
            raise Refusal(
                403, "foreign-origin", "pages of other origins must not use this server; allow one with --cors-origin"
            )
        if self._token and not _is_page(path) and not self._is_right(headers.get("authorization", "")):
            raise Refusal(
                401, "unauthorized", "send the token: Authorization: Bearer TOKEN", {"WWW-Authenticate": "Bearer"}
            )

    def _is_right(self, authorization: str) -> bool:
        scheme, _, token = authorization.partition(" ")
        return scheme.lower() == "bearer" and hmac.compare_digest(token.strip().encode(), self._token)


def _name(host: str) -> str:
    """Return the name of a `Host`, without its port."""
    try:
        return (urlsplit(f"//{host}").hostname or "") if "@" not in host else ""
    except ValueError:
        return ""


def _is_page(path: str) -> bool:
    return path in PAGE_PATHS or path.startswith(PAGE_FOLDER)
