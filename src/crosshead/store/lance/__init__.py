"""The embedded store: one Lance table in a folder, or on object storage."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from crosshead.types import Store


def open_folder(path: str, *, create: Mapping[str, Any] | None = None) -> Store:
    """Open an index in a folder; `create` are the settings of a new one."""
    from crosshead.store.lance.location.folder import Folder
    from crosshead.store.lance.store import LanceStore

    return LanceStore(Folder(Path(path)), create=create)


def open_bucket(url: str, *, create: Mapping[str, Any] | None = None) -> Store:
    """Open an index on object storage; `create` are the settings of a new one."""
    from crosshead.store.lance.location.bucket import Bucket
    from crosshead.store.lance.store import LanceStore

    return LanceStore(Bucket(url), create=create)
