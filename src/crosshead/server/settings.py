"""Host, port, token and limits of a server."""

from __future__ import annotations

import os
from dataclasses import dataclass
from ipaddress import ip_address

from crosshead.answering import get_language_model
from crosshead.errors import OptionsError
from crosshead.server import DEFAULT_HOST, DEFAULT_PORT, MEBIBYTE


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """How a server behaves. Limits apply to each request or to all together, never to one client."""

    host: str = DEFAULT_HOST
    port: int = DEFAULT_PORT
    token: str = ""
    """The token that every request must have; empty if everyone on this machine may use the server."""
    allowed_hosts: tuple[str, ...] = ()
    """Further names of the server, as behind a proxy."""
    cors_origins: tuple[str, ...] = ()
    """Origins whose pages may use this server."""
    max_body_bytes: int = 64 * MEBIBYTE
    max_requests: int = 256
    """Requests at once; further ones get 429."""
    max_bodies: int = 8
    """Requests at once that hold a whole document in memory."""
    request_seconds: float = 60.0
    """How long an answer may take after the request has arrived."""
    idle_seconds: float = 20.0
    """How long a client may pause in the middle of a request."""
    body_seconds: float = 600.0
    """How long a body may take to arrive, and an answer to be read."""
    llm: str = ""
    """The language model that answers questions; empty for none. Clients cannot choose another."""
    max_answers: int = 8
    """Answers that the model writes at once; further ones get 429."""
    threads: int = max(2, os.cpu_count() or 1)
    """Threads that search; as many again read and chunk documents."""

    def __post_init__(self) -> None:
        if self.token and not (self.token.isascii() and self.token.isprintable() and " " not in self.token):
            raise OptionsError("the token must be ASCII without spaces, because it is sent in a header")
        if self.llm:
            get_language_model(self.llm)  # raises an error for a wrong name
        if not self.is_local and not self.token:
            raise OptionsError(
                f"host={self.host}: other machines can reach the server there; set a token "
                "(--token, or CROSSHEAD_TOKEN), or stay on 127.0.0.1"
            )

    @property
    def is_local(self) -> bool:
        """Can only this machine reach the server?"""
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    @property
    def url(self) -> str:
        """The address of the server."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}/"
