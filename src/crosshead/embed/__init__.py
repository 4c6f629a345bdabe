"""Text -> vectors: models on this machine, and models behind a server."""

from __future__ import annotations

from crosshead.embed.base import get_embedder

__all__ = ["get_embedder"]
