"""An embedded index on object storage.

Object storage never holds half an object, and Lance commits a version only if no other process did. Processes also have
to agree on one writer, and on one table if several create the same index. So every table has a unique name, and the
settings, which only one process can write first, name the table that counts.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from crosshead.errors import IndexReplaced, StoreError
from crosshead.store.lance.location.base import (
    LOCK_FILE,
    SCHEMA_VERSION,
    SETTINGS_FILE,
    StoredSettings,
    TableLocation,
    thread_lock,
)
from crosshead.store.lance.location.lease import Lease, lost
from crosshead.store.lance.location.s3 import ObjectChanged, Objects, explain, lance_options
from crosshead.types import Finding

if TYPE_CHECKING:
    import pyarrow as pa

TABLE_SETTING: Final = "table"
_TABLE: Final = re.compile(r"rows-[0-9a-f]{32}\.lance")
_REPLACED_WRITER: Final = "incompatible with concurrent transaction Restore"
"""The error of Lance in a writer that lost its lease while it was committing."""


class Bucket(TableLocation):
    """The objects below a URL."""

    _itself = "everything below it"
    identity_seconds = 1.0

    def __init__(self, url: str) -> None:
        self._objects = Objects(url)
        super().__init__(self._objects.location)
        self.storage_options = lance_options()
        self._table = ""
        self._lease: Lease | None = None

    @property
    def table(self) -> str:
        """The URL of the table; known once the settings are read."""
        return f"{self.name}/{self._table}"

    def exists(self) -> bool:
        """Return whether there is an index. Reads the object, because a refused HEAD request does not say why."""
        return self._objects.read(SETTINGS_FILE) is not None

    def create(self, settings: Mapping[str, Any], schema: pa.Schema) -> None:
        """Create an empty index, unless another process was faster."""
        if not all(name.startswith((SETTINGS_FILE, LOCK_FILE, "rows-")) for name, _ in self._objects.sizes()):
            raise StoreError(f"{self.name}: no index can be made among other objects: name a prefix without any")
        self._objects.check_conditions(f"{LOCK_FILE}.{uuid.uuid4().hex}")
        table = f"rows-{uuid.uuid4().hex}.lance"
        self.make_table(f"{self.name}/{table}", schema, "create")
        made = {**settings, "schema_version": SCHEMA_VERSION, TABLE_SETTING: table}
        try:
            self._objects.create(SETTINGS_FILE, _encoded(made))
        except ObjectChanged:
            self.read_settings()
            if self._table != table:
                self._objects.delete(*(name for name, _ in self._objects.sizes(table)))

    def read_settings(self) -> StoredSettings:
        """Return the settings of the index."""
        found = self._objects.read(SETTINGS_FILE)
        if found is None:
            raise self.not_found()
        settings = self.parse_settings(found.data)
        self._table = str(settings.pop(TABLE_SETTING, ""))
        if not _TABLE.fullmatch(self._table):
            raise self.damaged()
        return StoredSettings(settings, found.version)

    def write_settings(self, settings: Mapping[str, Any], replaced: object) -> object:
        """Replace the settings, or raise `IndexReplaced` if they changed meanwhile."""
        try:
            return self._objects.replace(
                SETTINGS_FILE, _encoded({**settings, TABLE_SETTING: self._table}), str(replaced)
            )
        except ObjectChanged as error:
            raise IndexReplaced(f"{self.name}: the index was changed since it was opened; open it again") from error

    def identity(self) -> object | None:
        """Return the version of the settings, which name the table."""
        return self._objects.version(SETTINGS_FILE)

    @contextmanager
    def write_lock(self, wait_seconds: float = 0) -> Iterator[None]:
        """Hold the lease; another process may take it over if this one stops renewing it."""
        with thread_lock(self.name):
            lease = Lease(self._objects, LOCK_FILE)
            lease.take(wait_seconds)
            try:
                if lease.is_inherited:
                    self._fence_off_writer()
                    lease.is_inherited = False
                self._lease = lease
                yield
            finally:
                self._lease = None
                lease.release()

    def _fence_off_writer(self) -> None:
        """Commit the same rows as a new version: Lance then rejects what the former writer had begun."""
        with self.translate_errors():
            self.open_table().restore()

    def check_writer(self) -> None:
        """Renew the lease, or raise `Locked` if another process took it over."""
        if self._lease is None:
            raise StoreError(f"{self.name}: take the lock of the index before you write to it")
        self._lease.renew()

    def size_bytes(self) -> int:
        """Return the space that all objects take."""
        return sum(size for _, size in self._objects.sizes())

    def record(self) -> None:
        """Do nothing: the storage keeps checksums itself."""

    def inspect(self) -> Iterator[Finding]:
        """Return nothing: the storage verifies its checksums on each read."""
        return iter(())

    def explain(self, message: str) -> StoreError | None:
        """Return what an error of Lance means, if it is about the storage or another writer."""
        return lost(self.name) if _REPLACED_WRITER in message else explain(self.name, message)


def _encoded(settings: Mapping[str, Any]) -> bytes:
    return json.dumps(settings, indent=2).encode()
