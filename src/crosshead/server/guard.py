"""Who may come in.

1. The `Host` must be a name of this server, so that no page can reach it through a name of its own (DNS rebinding).
2. An `Origin` must be the server itself, or one that was allowed.
3. The token must be right, if there is one. Only the files of the page do without: there is no data in them.
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
PAGE_PATHS: Final = ("/", "/favicon.ico")


class Guard:
    """Refuses who may not come in."""

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
            raise Refusal(421, "foreign-host", f"{host!r} is no name of this server; --allowed-host allows one")
        if origin is not None and origin not in self._origins and urlsplit(origin).netloc.lower() != host.lower():
            raise Refusal(403, "foreign-origin", "pages of other origins may not ask this server")
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
