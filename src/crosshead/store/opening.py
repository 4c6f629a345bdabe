"""Which location opens which store.

A new store is an entry of `STORES`: error messages, `crosshead doctor` and the help of `--index` follow.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from glob import glob
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from crosshead.errors import IndexNotFound, MissingExtra, OptionsError, StoreError
from crosshead.store.settings import PARTS_FILE, SETTINGS_FILE
from crosshead.types import Store

if TYPE_CHECKING:
    from crosshead.store.parts import Parts


class StoreKind(NamedTuple):
    """A kind of store: where it keeps an index, what it needs, and what opens it."""

    name: str
    """As in "an index in PostgreSQL"."""
    extra: str
    """The extra that installs its packages."""
    package: str
    """One of these packages, which tells whether the extra is installed."""
    opener: str
    """`module:function`, called with the location and with the settings of a new index as `create`."""
    url: str = ""
    """The form of its URL; empty for a folder."""
    schemes: tuple[str, ...] = ()
    """What its URLs begin with, before `://`."""

    def missing(self) -> MissingExtra:
        """Return the error for a missing package."""
        return MissingExtra(self.extra, f"An index {self.name}")


FOLDER: Final = StoreKind(
    name="in a folder",
    extra="index",
    package="lance",
    opener="crosshead.store.lance:open_folder",
)
POSTGRES: Final = StoreKind(
    name="in PostgreSQL",
    extra="postgres",
    package="psycopg",
    opener="crosshead.store.postgres:open_database",
    url="postgresql://USER:PASSWORD@HOST:PORT/DATABASE",
    schemes=("postgresql", "postgres"),
)
OBJECT_STORAGE: Final = StoreKind(
    name="on object storage",
    extra="s3",
    package="obstore",
    opener="crosshead.store.lance:open_bucket",
    url="s3://BUCKET/PREFIX",
    schemes=("s3",),
)
STORES: Final = (FOLDER, POSTGRES, OBJECT_STORAGE)

_BY_SCHEME: Final = {scheme: kind for kind in STORES for scheme in kind.schemes}
_MISTYPED_URL: Final = re.compile(rf"({'|'.join(_BY_SCHEME)}):", re.IGNORECASE)
"""A URL with one slash: `Path` makes one of two."""
URL_FORMS: Final = " or ".join(f"{kind.schemes[0]}://..." for kind in STORES if kind.schemes)
"""How URLs begin, for people."""


def open_store(location: str | Path, *, create: Mapping[str, Any] | None = None) -> Store:
    """Open an index; `create` are the settings of a new one, used if there is none."""
    module, _, function = find_kind(location).opener.partition(":")
    opener: Callable[..., Store] = getattr(import_module(module), function)
    if create is not None and is_folder(str(location)):
        _refuse_parts(location)
    try:
        return opener(str(location), create=create)
    except IndexNotFound:
        _refuse_parts(location)
        raise


def _find_parts(location: str | Path) -> Parts | None:
    from crosshead.store.parts import find_parts  # it needs this module

    return find_parts(location)


def _refuse_parts(location: str | Path) -> None:
    """Raise an error for an index in parts, which is opened part by part."""
    if parts := _find_parts(location):
        raise IndexNotFound(
            f"{location}: this index has {parts.count} parts: join them to search (Index.join), or name one of them, "
            f"as in {parts.locations[0]}"
        )


def is_folder(location: str) -> bool:
    """Return whether a location is a folder, not a URL."""
    return "://" not in location


def holds_index(folder: Path) -> bool:
    """Return whether a folder holds a complete index, or one in parts."""
    return (folder / SETTINGS_FILE).is_file() or (folder / PARTS_FILE).is_file()


def find_kind(location: str | Path) -> StoreKind:
    """Return the kind of store at a location; an unknown URL is an error."""
    location = str(location)
    if not location.strip():
        raise OptionsError("no index is named: give a folder, or a URL")
    scheme, separator, _ = location.partition("://")
    if separator and scheme not in _BY_SCHEME:
        raise OptionsError(f"{scheme}://...: an index is a folder or a URL that starts with {URL_FORMS}")
    if not separator and _MISTYPED_URL.match(location):  # the message does not repeat it: it may hold a password
        raise OptionsError(f"the URL of an index has two slashes, as in {URL_FORMS}; give it as a string")
    return _BY_SCHEME.get(scheme, FOLDER) if separator else FOLDER


def matching_locations(pattern: str) -> list[str]:
    """Return the locations of the indexes that match a pattern of folders, or of URLs of object storage, sorted.

    Those of an index in parts are in order, also those that are missing.
    """
    if parts := _find_parts(pattern):
        return parts.locations
    if is_folder(pattern):
        found = sorted(each for each in glob(pattern) if holds_index(Path(each)))
        in_parts = {each: _find_parts(each) for each in found}
        return [location for each, parts in in_parts.items() for location in (parts.locations if parts else [each])]
    from crosshead.store.lance.location.bucket import matching_urls  # only this needs its packages

    return matching_urls(pattern)


def is_pattern(location: str | Path) -> bool:
    """Return whether a location stands for several: an index in parts, or a folder or URL with `*`, `?` or `[`."""
    text = str(location)
    if find_kind(text) is POSTGRES:
        return False
    if any(each in text for each in "*?[") and not (is_folder(text) and Path(text).exists()):
        return True
    with suppress(StoreError):  # reported when it is opened
        return _find_parts(text) is not None
    return False


def public_location(location: str | Path) -> str:
    """Return a location as it is shown: without a password."""
    text = str(location)
    if find_kind(text) is not POSTGRES:
        return text.rstrip("/") or text
    from crosshead.store.postgres.database.connection import public_url  # as above

    return public_url(text)
