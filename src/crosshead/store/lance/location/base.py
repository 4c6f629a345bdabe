"""Where the table of an embedded index lies, and what is kept beside it.

settings.json   what the index was made with; written last, so that an index is whole once it is there
rows.lance/     documents, sections and chunks; on object storage every table has a name of its own, rows-ID.lance/
write.lock      who writes
files.json      hashes of the files that were indexed; written by `indexing`, and may be missing
"""

from __future__ import annotations

import json
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from threading import RLock
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from crosshead.errors import (
    CorruptIndex,
    CrossheadError,
    IndexNotFound,
    MigrationRequired,
    MissingExtra,
    StoreError,
    Unstorable,
)
from crosshead.store.lance.memory import return_large_buffers
from crosshead.types import Finding

if TYPE_CHECKING:
    import pyarrow as pa

SCHEMA_VERSION: Final = 1
SETTINGS_FILE: Final = "settings.json"
TABLE: Final = "rows.lance"
LOCK_FILE: Final = "write.lock"
BUSY: Final = (
    "another process is writing to this index; try again when it is done, or wait for it with --wait SECONDS "
    "(wait_seconds=)"
)

_NEEDED: Final[Mapping[str, type]] = {"schema_version": int, "language": str, "dimension": int, "embedder": str}
"""Settings without which an index cannot be used."""
_PLACE_IN_CODE: Final = re.compile(r",\s+\S+\.rs:\d+:\d+.*")
"""Lance ends its errors with it, which helps nobody here."""
_DAMAGE: Final = re.compile(
    r"not found|corrupt|magic|invalid range|range was invalid|fill whole buffer|unexpected end|does not appear|decod",
    re.IGNORECASE,
)
"""What Lance says of files that are gone, cut short or not its own."""
_TURNS: Final[dict[str, AbstractContextManager[Any]]] = {}
"""Which thread writes, by place."""


class StoredSettings(NamedTuple):
    """What an index was made with."""

    settings: Mapping[str, Any]
    identity: object
    """Tells an index from one that is made later in its place."""


class TableLocation(ABC):
    """A folder, or a part of a bucket."""

    storage_options: Mapping[str, str] | None = None
    """For Lance."""
    identity_seconds: float = 0
    """How long readers may go without asking for the identity, where asking costs more than not to notice at once."""
    _itself: ClassVar[str]
    """What to remove if the index is damaged."""

    def __init__(self, location: str) -> None:
        self.location = location

    @property
    @abstractmethod
    def table(self) -> str:
        """Where Lance finds the table."""

    @abstractmethod
    def exists(self) -> bool:
        """Return whether there is an index."""

    @abstractmethod
    def create(self, settings: Mapping[str, Any], schema: pa.Schema) -> None:
        """Make an empty index, unless another process was faster."""

    @abstractmethod
    def read_settings(self) -> StoredSettings:
        """Return what the index was made with."""

    @abstractmethod
    def write_settings(self, settings: Mapping[str, Any], replaced: object) -> object:
        """Keep other settings in place of those with an identity, in one step; return the identity of these."""

    @abstractmethod
    def identity(self) -> object | None:
        """Return the identity of the index that is there now; None if there is none."""

    @abstractmethod
    def write_lock(self, wait_seconds: float = 0) -> AbstractContextManager[None]:
        """Become the one writer, or raise `Locked` if another process is it for so long.

        Threads of this process take turns. One that has the lock does not wait for itself, but is locked out, too.
        """

    @abstractmethod
    def check_writer(self) -> None:
        """Raise an error if this process is not the one writer; between reading a version and committing the next."""

    @abstractmethod
    def size_bytes(self) -> int:
        """Return the space that everything takes; some may go meanwhile, because another process writes."""

    @abstractmethod
    def record(self) -> None:
        """Remember what was written, where that may be damaged."""

    @abstractmethod
    def inspect(self) -> Iterator[Finding]:
        """Compare everything with what was remembered."""

    def explain(self, message: str) -> StoreError | None:
        """Return what an error of Lance says about the place, if it does."""
        return None

    def open_table(self, **caches: int) -> Any:
        """Return the table as it is now; `caches` are the bytes that Lance may keep."""
        check_process(self.location)
        lance = import_lance()
        try:
            return lance.dataset(self.table, storage_options=self.storage_options, **caches)
        except (OSError, ValueError, RuntimeError) as error:
            raise self.explain(str(error)) or self.damaged() from error

    def make_table(self, table: str, schema: pa.Schema, mode: str) -> None:
        """Make an empty table."""
        lance = import_lance()
        with self.mapped():
            lance.write_dataset([], table, schema=schema, mode=mode, storage_options=self.storage_options)

    @contextmanager
    def mapped(self) -> Iterator[None]:
        """Lance raises OSError, ValueError and RuntimeError for all, so that only the words tell what happened."""
        try:
            yield
        except (CrossheadError, RecursionError):  # an error about options is a ValueError too; the other one is ours
            raise
        except (OSError, ValueError, RuntimeError) as error:
            raise self.explain(str(error)) or self._explain_table(error) from error

    def _explain_table(self, error: Exception) -> StoreError:
        first_line = _PLACE_IN_CODE.sub("", str(error).partition("\n")[0])[:300]
        if _DAMAGE.search(first_line):
            return self.damaged()
        kind = Unstorable if isinstance(error, ValueError) else StoreError  # others are of files
        return kind(f"{self.location}: the index could not be read or written: {first_line}")

    def parse_settings(self, data: bytes) -> dict[str, Any]:
        """Return settings as they are kept, if they are such."""
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
                f"{self.location}: written by a newer version of Crosshead; update it: pip install -U crosshead"
            )
        return settings

    def not_found(self) -> IndexNotFound:
        """Return the error of a place without an index."""
        return IndexNotFound(f"{self.location}: there is no index here; make one with: crosshead index PATH")

    def damaged(self) -> CorruptIndex:
        """Return the error of an index that cannot be read."""
        return CorruptIndex(f"the index is damaged; remove {self._itself} and index again", self.location)


def turn(place: str) -> AbstractContextManager[Any]:
    """Return what one thread of this process has at a time."""
    return _TURNS.setdefault(place, RLock())


def check_process(location: str) -> None:
    """Raise an error in the child of a process that used Lance: the threads that would do the work are gone there."""
    if _first_process() != os.getpid():
        raise StoreError(
            f"{location}: this process was forked from one that had an index open, and would wait forever: "
            "open indexes only after the fork, or start processes with `spawn`"
        )


@cache
def _first_process() -> int:
    """Return the process that used Lance first; a fork copies the answer."""
    return os.getpid()


def import_lance() -> Any:
    """Return the package that knows the table format; it is slow to import."""
    os.environ.setdefault("LANCE_LOG", "error")  # it tells of ordinary things too
    os.environ.setdefault("LANCE_INCLUDE_VECTOR_CENTROIDS", "false")
    try:
        import lance
    except ImportError as error:
        raise MissingExtra("index", "An index") from error
    return_large_buffers()
    return lance
