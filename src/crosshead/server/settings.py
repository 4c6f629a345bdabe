"""Where the server listens, who may come in, and how much they may ask for."""

from __future__ import annotations

import os
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final

from crosshead.errors import OptionsError

DEFAULT_HOST: Final = "127.0.0.1"
DEFAULT_PORT: Final = 8377
MEBIBYTE: Final = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """How a server behaves; the limits are for all requests together or for each, never for one client."""

    host: str = DEFAULT_HOST
    port: int = DEFAULT_PORT
    token: str = ""
    """What every request must bring; empty where everybody on this machine may ask."""
    allowed_hosts: tuple[str, ...] = ()
    """Further names that the server is reached by, as behind a proxy."""
    cors_origins: tuple[str, ...] = ()
    """Origins whose pages may ask this server; none by default."""
    max_body_bytes: int = 64 * MEBIBYTE
    max_requests: int = 256
    """Requests at once; who comes later is asked to come again."""
    max_bodies: int = 8
    """Of these, requests that hold a whole document in memory."""
    request_seconds: float = 60.0
    """How long an answer may take, once the whole request is there."""
    idle_seconds: float = 20.0
    """How long a client may be silent in the middle of a request."""
    body_seconds: float = 600.0
    """How long a body may take in all, and a client to take its answer."""
    threads: int = max(2, os.cpu_count() or 1)
    """Of searching and looking up; as many again read and cut documents."""

    def __post_init__(self) -> None:
        if self.token and not (self.token.isascii() and self.token.isprintable() and " " not in self.token):
            raise OptionsError("the token must be ASCII without spaces, because it travels in a header")
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
        """The address to open."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}/"
