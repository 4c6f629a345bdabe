"""An embedded index on object storage.

Object storage never holds half an object, and Lance commits a version only if no other process did. Processes also have
to agree on one writer, and on one table if several create the same index. So every table has a unique name, and the
settings, which only one process can write first, name the table that counts.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Final

from crosshead.errors import CorruptIndex, IndexNotFound, IndexReplaced, StoreError
from crosshead.store.lance.location.base import (
    FIRST_VERSION,
    LOCK_FILE,
    NEXT_FILE,
    SCHEMA_VERSION,
    StoredSettings,
    TableLocation,
    new_table_name,
    thread_lock,
)
from crosshead.store.lance.location.lease import Lease, lost
from crosshead.store.lance.location.s3 import ObjectChanged, Objects, explain, lance_options
from crosshead.store.settings import SCHEMA_SETTING, SETTINGS_FILE
from crosshead.types import Finding

if TYPE_CHECKING:
    import pyarrow as pa

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
        self._lease: Lease | None = None

    @property
    def table(self) -> str:
        """The URL of the table; known once the settings are read."""
        return f"{self.name}/{self.table_name}"

    def exists(self) -> bool:
        """Return whether there is an index. Reads the object, because a refused HEAD request does not say why."""
        return self._objects.read(self.settings_file) is not None

    def create(self, settings: Mapping[str, Any], schema: pa.Schema) -> None:
        """Create an empty index, unless another process was faster."""
        known = (SETTINGS_FILE, NEXT_FILE, LOCK_FILE, "rows-")
        if not all(name.startswith(known) for name, _ in self._objects.sizes()):
            raise StoreError(f"{self.name}: no index can be made among other objects: name a prefix without any")
        self._objects.check_conditions(f"{LOCK_FILE}.{uuid.uuid4().hex}")
        self._create({**settings, SCHEMA_SETTING: FIRST_VERSION}, schema)

    def _create(self, settings: Mapping[str, Any], schema: pa.Schema) -> None:
        table = self.table_name = new_table_name()
        self.make_table(self.table, schema, "create")
        try:
            self._objects.create(self.settings_file, self.encoded(settings))
        except ObjectChanged:
            if self.read_table_name() != table:
                self._remove_table(table)

    def _remove_table(self, table: str) -> None:
        self._objects.delete(*(name for name, _ in self._objects.sizes(table)))

    def read_settings(self) -> StoredSettings:
        """Return the settings of the index."""
        found = self._objects.read(self.settings_file)
        if found is None:
            raise self.not_found()
        return StoredSettings(self.parse_settings(found.data), found.version)

    def write_settings(self, settings: Mapping[str, Any], replaced: str) -> str:
        """Replace the settings, or raise `IndexReplaced` if they changed meanwhile."""
        try:
            return self._objects.replace(self.settings_file, self.encoded(settings), replaced)
        except ObjectChanged as error:
            raise IndexReplaced(f"{self.name}: the index was changed since it was opened; open it again") from error

    def identity(self) -> str | None:
        """Return the version of the settings, which name the table."""
        return self._objects.version(self.settings_file)

    def again(self) -> Bucket:
        """Return the same location, of which nothing was read yet."""
        return Bucket(self.name)

    def next(self) -> Bucket:
        """Return the location of the rows that a change of the settings makes; it shares the lease."""
        return NextBucket(self)

    def discard_next(self) -> None:
        """Remove what an unfinished change made."""
        self._objects.delete(NEXT_FILE)
        self.sweep()

    def sweep(self) -> None:
        """Remove tables that no settings name."""
        kept = {self.table_name}
        with suppress(CorruptIndex, IndexNotFound):  # there is no change, or none that can be continued
            kept.add(self.next().read_table_name())
        tables = {name.partition("/")[0] for name, _ in self._objects.sizes()}
        for table in tables - kept:
            if table.startswith("rows-"):
                self._remove_table(table)

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


class NextBucket(Bucket):
    """The rows that a change of the settings makes, below the URL of the index, whose lease the caller holds."""

    settings_file = NEXT_FILE

    def __init__(self, index: Bucket) -> None:
        super().__init__(index.name)
        self._lease = index._lease

    def create(self, settings: Mapping[str, Any], schema: pa.Schema) -> None:
        """Create an empty table."""
        self._create({**settings, SCHEMA_SETTING: SCHEMA_VERSION}, schema)


def matching_urls(pattern: str) -> list[str]:
    """Return the URLs of the indexes that match a pattern, in which `*` and `?` stand for parts of names, sorted."""
    bucket, *names = pattern.removeprefix("s3://").strip("/").split("/")
    found = [f"s3://{bucket}"]
    for name in names:
        if any(each in name for each in "*?["):
            found = [f"{url}/{each}" for url in found for each in Objects(url).folders() if fnmatchcase(each, name)]
        else:
            found = [f"{url}/{name}" for url in found]
    return sorted(url for url in found if Bucket(url).exists())
