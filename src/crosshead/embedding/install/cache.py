"""The folder of installed models."""

from __future__ import annotations

from pathlib import Path

from crosshead.runtime.cache import cache_folder


def models_folder() -> Path:
    """Return the folder of installed models."""
    return cache_folder() / "models"
