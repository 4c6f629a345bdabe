"""How to reach an Ollama server."""

from __future__ import annotations

import os
from typing import Final
from urllib.parse import urlsplit

from crosshead.errors import CrossheadError
from crosshead.runtime.servers.http import Endpoint, Retry

DEFAULT_HOST: Final = "127.0.0.1"
DEFAULT_PORT: Final = 11434
ANY_HOST: Final = frozenset(("0.0.0.0", "::"))
"""Addresses that a server listens on, but that clients cannot connect to."""


def ollama_endpoint(
    host: str | None, timeout_seconds: float, retry: Retry | None, error: type[CrossheadError]
) -> Endpoint:
    """Return the server at a host, by default at OLLAMA_HOST, or else on this machine."""
    url = ollama_url(os.environ.get("OLLAMA_HOST", "") if host is None else host)
    hint = "start it with `ollama serve`, or set OLLAMA_HOST to its address"
    return Endpoint(url, hint, timeout_seconds=timeout_seconds, retry=retry or Retry(), error=error)


def ollama_url(host: str) -> str:
    """Read OLLAMA_HOST as Ollama does: everything but the host may be left out, or all of it.

    >>> ollama_url("0.0.0.0")
    'http://127.0.0.1:11434'
    """
    host = host.strip().strip("\"'")
    port = DEFAULT_PORT
    if "://" in host:
        port = 443 if host.startswith("https:") else 80
    else:
        host = f"http://{host}"
    try:
        parts = urlsplit(host)
        name, port = parts.hostname or DEFAULT_HOST, parts.port or port
    except ValueError:
        return host
    name = DEFAULT_HOST if name in ANY_HOST else name
    return f"{parts.scheme}://{f'[{name}]' if ':' in name else name}:{port}{parts.path.rstrip('/')}"
