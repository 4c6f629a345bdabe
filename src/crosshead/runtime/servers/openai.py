"""How to reach a server with OpenAI's API.

OPENAI_BASE_URL is the URL of the server, OPENAI_API_KEY the key; only OpenAI's own server always needs one.
"""

from __future__ import annotations

import os
from typing import Final

from crosshead.errors import CrossheadError, OptionsError
from crosshead.runtime.servers.http import Endpoint, Retry

DEFAULT_URL: Final = "https://api.openai.com/v1"


def openai_endpoint(
    base_url: str | None, timeout_seconds: float, retry: Retry | None, error: type[CrossheadError]
) -> Endpoint:
    """Return the server at a URL, by default at OPENAI_BASE_URL, or else OpenAI's own."""
    url = (base_url or os.environ.get("OPENAI_BASE_URL") or DEFAULT_URL).strip()
    hint = "check OPENAI_BASE_URL, which usually ends with /v1"
    return Endpoint(url, hint, _key_headers(url), timeout_seconds, retry or Retry(), error)


def _key_headers(url: str) -> dict[str, str]:
    key = os.environ.get("OPENAI_API_KEY", "").strip()
    if not key:
        if url == DEFAULT_URL:
            raise OptionsError("OpenAI needs a key: set OPENAI_API_KEY, or OPENAI_BASE_URL for another server")
        return {}
    if not (key.isascii() and key.isprintable()):
        raise OptionsError("OPENAI_API_KEY must be printable ASCII")
    return {"Authorization": f"Bearer {key}"}
