"""Where an index is -> the store that keeps it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from crosshead.errors import OptionsError
from crosshead.model import Store
from crosshead.store.postgres.connection import is_url

_MISTYPED_URL: Final = re.compile("postgres(ql)?:", re.IGNORECASE)
"""As it is with one slash, which `Path` makes of two."""


def open_store(location: str | Path, *, create: Mapping[str, Any] | None = None) -> Store:
    """Open an index in a folder or a database; `create` are the settings of a new one, if there is none."""
    if not str(location).strip():
        raise OptionsError("no index is named: give a folder, or the URL of a database")
    scheme, separator, _ = str(location).partition("://")
    if separator and not is_url(str(location)):
        raise OptionsError(f"{scheme}://...: an index is a folder, or a database by its URL postgresql://...")
    if not separator and _MISTYPED_URL.match(str(location)):  # not to be shown: it may hold a password
        raise OptionsError("the URL of a database begins with postgresql://, with two slashes; give it as a string")
    if separator:
        from crosshead.store.postgres.store import PostgresStore

        return PostgresStore(str(location), create=create)
    from crosshead.store.lance import LanceStore

    return LanceStore(Path(location), create=create)
