"""Text -> vectors: models on this machine, and models behind a server."""

from __future__ import annotations

from crosshead.embed.base import get_embedder
from crosshead.embed.minilm.install import install_minilm
from crosshead.embed.models import ModelInfo, list_models

__all__ = ["ModelInfo", "get_embedder", "install_minilm", "list_models"]
