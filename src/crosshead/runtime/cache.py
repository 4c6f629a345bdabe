"""The folder for files that can be made again: one per user, or the one that CROSSHEAD_CACHE names."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """Return the folder, which may not exist yet."""
    given = os.environ.get("CROSSHEAD_CACHE")
    return Path(given).expanduser() if given else _user_caches() / "crosshead"


def _user_caches() -> Path:
    given = os.environ.get("XDG_CACHE_HOME", "")
    if Path(given).is_absolute():  # the convention ignores a relative one
        return Path(given)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path.home() / ".cache"
