"""The location of an embedded index: its table and the files beside it.

settings.json   the settings of the index, and which table is its own; written last, so that an index with settings is
                complete
rows.lance/     documents, sections and chunks; on object storage, and after a change of the settings, a table has a
                unique name, rows-ID.lance/
next.json       the settings and the table of an unfinished change; it becomes settings.json
write.lock      the lock, or the lease, of the writer
files.json      hashes of the indexed files; written by `indexing`, may be missing
.gitignore      keeps a folder out of Git
"""

from __future__ import annotations

import copy
import json
import os
import re
import uuid
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from threading import RLock
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from crosshead.errors import (
    CorruptIndex,
    CrossheadError,
    IndexNotFound,
    MigrationRequired,
    StoreError,
    Unstorable,
)
from crosshead.store.lance.memory import return_large_buffers
from crosshead.store.opening import FOLDER
from crosshead.store.settings import SCHEMA_SETTING, SETTINGS_FILE
from crosshead.types import Finding

if TYPE_CHECKING:
    import pyarrow as pa

FIRST_VERSION: Final = 1
SCHEMA_VERSION: Final = 2
"""The version of an index whose settings were changed, the newest that this program reads; before, it has the first."""
NEXT_FILE: Final = "next.json"
TABLE_SETTING: Final = "table"
REPLACED_SETTING: Final = "replaces"
"""The identities of the settings that changes replaced, so that a reader of these knows what became of them."""
TABLE: Final = "rows.lance"
LOCK_FILE: Final = "write.lock"
BUSY: Final = (
    "another process is writing to this index; try again when it is done, or wait for it with --wait SECONDS "
    "(wait_seconds=)"
)

_NEEDED: Final[Mapping[str, type]] = {"schema_version": int, "language": str, "dimension": int, "embedder": str}
"""Settings that every index has."""
_TABLE: Final = re.compile(r"rows(-[0-9a-f]{32})?\.lance")
_LINE_OF_CODE: Final = re.compile(r",\s+\S+\.rs:\d+:\d+.*")
"""Where in its source an error of Lance was raised; of no use to our users."""
_DAMAGE: Final = re.compile(
    r"not found|corrupt|magic|invalid range|range was invalid|fill whole buffer|unexpected end|does not appear|decod",
    re.IGNORECASE,
)
"""Messages of Lance about files that are missing, truncated or not its own."""
_THREAD_LOCKS: Final[dict[str, AbstractContextManager[Any]]] = {}
"""One lock per location, for the threads of this process."""


class StoredSettings(NamedTuple):
    """The settings of an index."""

    settings: Mapping[str, Any]
    identity: str
    """Changes if another index is created at the location, or if its settings change."""


class TableLocation(ABC):
    """A folder, or a prefix of a bucket."""

    storage_options: Mapping[str, str] | None = None
    """Options of Lance for reaching the storage."""
    identity_seconds: float = 0
    """How long readers may rely on the identity they read, if reading it is slow."""
    settings_file: str = SETTINGS_FILE
    table_name: str = ""
    """The table of the index; known once the settings are read."""
    _first_table: ClassVar[str] = ""
    """The table of an index whose settings name none."""
    _itself: ClassVar[str]
    """What to remove if the index is damaged, for messages."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.replaced: Sequence[str] = ()
        """The identities of the settings that changes replaced."""

    @property
    @abstractmethod
    def table(self) -> str:
        """The path or URL of the table."""

    @abstractmethod
    def exists(self) -> bool:
        """Return whether there is an index."""

    @abstractmethod
    def create(self, settings: Mapping[str, Any], schema: pa.Schema) -> None:
        """Create an empty index, unless another process was faster."""

    @abstractmethod
    def read_settings(self) -> StoredSettings:
        """Return the settings of the index."""

    @abstractmethod
    def write_settings(self, settings: Mapping[str, Any], replaced: str) -> str:
        """Atomically replace the settings identified by `replaced`; return the new identity."""

    @abstractmethod
    def identity(self) -> str | None:
        """Return the identity of the index that is here now, or None."""

    @abstractmethod
    def again(self) -> TableLocation:
        """Return the same location, of which nothing was read yet."""

    @abstractmethod
    def next(self) -> TableLocation:
        """Return the location of the rows that a change of the settings makes; the write lock is held."""

    @abstractmethod
    def discard_next(self) -> None:
        """Remove what an unfinished change made."""

    @abstractmethod
    def sweep(self) -> None:
        """Remove tables that neither the settings nor those of a change name: replaced ones, and of killed writers."""

    @abstractmethod
    def write_lock(self, wait_seconds: float = 0) -> AbstractContextManager[None]:
        """Take the write lock; raise `Locked` after `wait_seconds`.

        Threads of this process wait for each other. A thread that holds the lock and takes it again raises `Locked`.
        """

    @abstractmethod
    def check_writer(self) -> None:
        """Raise an error if this process lost the lock; called between reading a version and committing the next."""

    @abstractmethod
    def size_bytes(self) -> int:
        """Return the space that the index takes, even while another process removes files."""

    @abstractmethod
    def record(self) -> None:
        """Record checksums of what was written, unless the storage does."""

    @abstractmethod
    def inspect(self) -> Iterator[Finding]:
        """Compare everything with its checksums."""

    def explain(self, message: str) -> StoreError | None:
        """Return what an error of Lance means here, if it is about the storage."""
        return None

    def open_table(self, **caches: int) -> Any:
        """Open the newest version of the table; `caches` limit the caches of Lance, in bytes."""
        check_process(self.name)
        lance = import_lance()
        try:
            return lance.dataset(self.table, storage_options=self.storage_options, **caches)
        except (OSError, ValueError, RuntimeError) as error:
            raise self.explain(str(error)) or self.damaged() from error

    def make_table(self, table: str, schema: pa.Schema, mode: str) -> None:
        """Create an empty table."""
        lance = import_lance()
        with self.translate_errors():
            lance.write_dataset([], table, schema=schema, mode=mode, storage_options=self.storage_options)

    @contextmanager
    def translate_errors(self) -> Iterator[None]:
        """Turn errors of Lance into ours: OSError, ValueError and RuntimeError, whose text alone says what happened."""
        try:
            yield
        except (CrossheadError, RecursionError):  # ours; `OptionsError` is also a ValueError
            raise
        except (OSError, ValueError, RuntimeError) as error:
            raise self.explain(str(error)) or self._explain_table(error) from error

    def _explain_table(self, error: Exception) -> StoreError:
        first_line = _LINE_OF_CODE.sub("", str(error).partition("\n")[0])[:300]
        if _DAMAGE.search(first_line):
            return self.damaged()
        kind = Unstorable if isinstance(error, ValueError) else StoreError  # others are of files
        return kind(f"{self.name}: the index could not be read or written: {first_line}")

    def parse_settings(self, data: bytes) -> dict[str, Any]:
        """Parse stored settings; raise `CorruptIndex` if they are not valid."""
        try:
            settings = json.loads(data.decode("utf-8"))
        except ValueError as error:
            raise self.damaged() from error
        if not isinstance(settings, dict) or not all(
            type(settings.get(name)) is kind for name, kind in _NEEDED.items()
        ):
            raise self.damaged()
        if settings["schema_version"] > SCHEMA_VERSION:
            raise MigrationRequired(
                f"{self.name}: written by a newer version of Crosshead; update it: pip install -U crosshead"
            )
        self.table_name = str(settings.pop(TABLE_SETTING, self._first_table))
        self.replaced = settings.pop(REPLACED_SETTING, ())
        if not _TABLE.fullmatch(self.table_name):
            raise self.damaged()
        return settings

    def read_table_name(self) -> str:
        """Return the table that the settings name."""
        self.read_settings()
        return self.table_name

    def encoded(self, settings: Mapping[str, Any]) -> bytes:
        """Return settings as they are stored."""
        own: dict[str, Any] = {}
        if self.table_name != self._first_table:
            own[TABLE_SETTING] = self.table_name
        if self.replaced:
            own[REPLACED_SETTING] = [*self.replaced]
        return json.dumps({**settings, **own}, indent=2).encode()

    def replace_by(self, next_table: str, settings: Mapping[str, Any], replaced: str) -> None:
        """Let another table take the place of this one, with other settings, in one step."""
        changed = copy.copy(self)
        changed.table_name, changed.replaced = next_table, (*self.replaced, replaced)
        changed.write_settings({**settings, SCHEMA_SETTING: SCHEMA_VERSION}, replaced)
        changed.discard_next()

    def not_found(self) -> IndexNotFound:
        """Return the error for a location without an index."""
        return IndexNotFound(f"{self.name}: there is no index here; make one with: crosshead index PATH")

    def damaged(self) -> CorruptIndex:
        """Return the error for an index that cannot be read."""
        return CorruptIndex(f"the index is damaged; remove {self._itself} and index again", self.name)


def new_table_name() -> str:
    """Return the name of a table that no other has."""
    return f"rows-{uuid.uuid4().hex}.lance"


def thread_lock(location: str) -> AbstractContextManager[Any]:
    """Return the lock that the threads of this process share for a location."""
    return _THREAD_LOCKS.setdefault(location, RLock())


def check_process(location: str) -> None:
    """Raise an error in a fork of a process that used Lance: a fork has none of its threads."""
    if _first_process() != os.getpid():
        raise StoreError(
            f"{location}: this process was forked from one that had an index open, and would wait forever: "
            "open indexes only after the fork, or start processes with `spawn`"
        )


@cache
def _first_process() -> int:
    """Return the process that used Lance first; forks inherit the cached answer."""
    return os.getpid()


def import_lance() -> Any:
    """Import Lance, which is slow."""
    os.environ.setdefault("LANCE_LOG", "error")  # it logs ordinary events too
    os.environ.setdefault("LANCE_INCLUDE_VECTOR_CENTROIDS", "false")
    try:
        import lance
    except ImportError as error:
        raise FOLDER.missing() from error
    return_large_buffers()
    return lance
