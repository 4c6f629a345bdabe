"""Where an index is -> the store that keeps it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from crosshead.errors import OptionsError
from crosshead.store.lance.location.base import TableLocation
from crosshead.store.postgres.connection import is_url
from crosshead.types import Store

_MISTYPED_URL: Final = re.compile("(postgres(ql)?|s3):", re.IGNORECASE)
"""As it is with one slash, which `Path` makes of two."""


def is_folder(location: str) -> bool:
    """Return whether an index lies in a folder, and not behind a URL."""
    return "://" not in location


def open_store(location: str | Path, *, create: Mapping[str, Any] | None = None) -> Store:
    """Open an index in a folder, a database or on object storage; `create` are the settings of a new one."""
    where = str(location)
    if not where.strip():
        raise OptionsError("no index is named: give a folder, or a URL")
    if is_url(where):
        from crosshead.store.postgres.store import PostgresStore

        return PostgresStore(where, create=create)
    place = _place(where)
    from crosshead.store.lance.store import LanceStore

    return LanceStore(place, create=create)


def _place(location: str) -> TableLocation:
    scheme, _, _ = location.partition("://")
    if scheme == "s3" and not is_folder(location):
        from crosshead.store.lance.location.bucket import Bucket

        return Bucket(location)
    if not is_folder(location):
        raise OptionsError(
            f"{scheme}://...: an index is a folder, or a database by its URL postgresql://..., "
            "or object storage by its URL s3://..."
        )
    if _MISTYPED_URL.match(location):  # not to be shown: it may hold a password
        raise OptionsError("a URL begins with postgresql:// or s3://, with two slashes; give it as a string")
    from crosshead.store.lance.location.folder import Folder

    return Folder(Path(location))
