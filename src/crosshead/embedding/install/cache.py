"""Where models are kept: one folder per user, or the one that CROSSHEAD_CACHE names."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """Return the folder; it need not exist."""
    given = os.environ.get("CROSSHEAD_CACHE")
    if given:
        return Path(given).expanduser()
    return _user_caches() / "crosshead"


def models_folder() -> Path:
    """Return the folder of installed models."""
    return cache_folder() / "models"


def _user_caches() -> Path:
    given = os.environ.get("XDG_CACHE_HOME", "")
    if Path(given).is_absolute():  # a relative one is to be ignored, says the convention
        return Path(given)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path.home() / ".cache"
