"""The files of an embedded index, and what can be wrong with them.

folder/settings.json   what the index was made with
folder/rows.lance/     documents, sections and chunks
folder/checksums.json  hashes of these files
folder/write.lock      held by the one process that writes
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, Final

from crosshead.errors import (
    CorruptIndex,
    CrossheadError,
    IndexNotFound,
    Locked,
    MigrationRequired,
    MissingExtra,
    StoreError,
    Unstorable,
)
from crosshead.store import checksums
from crosshead.store.checksums import CHECKSUMS_FILE
from crosshead.store.memory import return_large_buffers

if TYPE_CHECKING:
    import pyarrow as pa

SCHEMA_VERSION: Final = 1
SETTINGS_FILE: Final = "settings.json"
TABLE: Final = "rows.lance"
LOCK_FILE: Final = "write.lock"
CREATION_SECONDS: Final = 2.0
"""To wait for another process that is making the same index."""
CHECKED: Final = (SETTINGS_FILE, TABLE)
"""Files and folders whose bytes count."""

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
"""Which thread writes, by folder."""


def exists(folder: Path) -> bool:
    """Return whether there is an index; its settings are written last, so that it is whole once they are there."""
    return (folder / SETTINGS_FILE).exists()


def create(folder: Path, settings: Mapping[str, Any], schema: pa.Schema) -> None:
    """Make an empty index, unless another process was faster."""
    lance = import_lance()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(
            not each.name.startswith((SETTINGS_FILE, TABLE, LOCK_FILE, CHECKSUMS_FILE)) for each in folder.iterdir()
        ):
            raise StoreError(f"{folder}: no index can be made among other files: name a new or an empty folder")
        with write_lock(folder, CREATION_SECONDS):
            if exists(folder):
                return
            with mapped(folder):
                lance.write_dataset([], str(folder / TABLE), schema=schema, mode="overwrite")
            write_settings(folder, {**settings, "schema_version": SCHEMA_VERSION})
    except OSError as error:
        raise StoreError(f"{folder}: no index can be made here: {error.strerror or error}") from error


def write_settings(folder: Path, settings: Mapping[str, Any]) -> None:
    """Keep what an index is made with, in one step."""
    draft = folder / f"{SETTINGS_FILE}.{os.getpid()}"
    draft.write_text(json.dumps(settings, indent=2), encoding="utf-8")
    os.replace(draft, folder / SETTINGS_FILE)
    checksums.record(folder, CHECKED, rewritten=SETTINGS_FILE)


def identity(folder: Path) -> tuple[int, int] | None:
    """Return what tells an index from one that is made later in its place; None if there is none."""
    try:
        found = (folder / SETTINGS_FILE).stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns


def read_settings(folder: Path) -> Mapping[str, Any]:
    """Return what the index was made with."""
    path = folder / SETTINGS_FILE
    try:
        settings = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError) as error:
        raise not_found(folder) from error
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror or error}") from error
    except ValueError as error:
        raise _damaged(folder) from error
    if not isinstance(settings, dict) or not all(type(settings.get(name)) is kind for name, kind in _NEEDED.items()):
        raise _damaged(folder)
    if settings["schema_version"] > SCHEMA_VERSION:
        raise MigrationRequired(
            f"{folder}: written by a newer version of Crosshead; update it: pip install -U crosshead"
        )
    return settings


def open_table(folder: Path, **caches: int) -> Any:
    """Return the table as it is now; `caches` are the bytes that Lance may keep."""
    check_process(folder)
    lance = import_lance()
    try:
        return lance.dataset(str(folder / TABLE), **caches)
    except (OSError, ValueError, RuntimeError) as error:
        raise _damaged(folder) from error


def check_process(folder: Path) -> None:
    """Raise an error in the child of a process that used Lance: the threads that would do the work are gone there."""
    if _first_process() != os.getpid():
        raise StoreError(
            f"{folder}: this process was forked from one that had an index open, and would wait forever: "
            "open indexes only after the fork, or start processes with `spawn`"
        )


@cache
def _first_process() -> int:
    """Return the process that used Lance first; a fork copies the answer."""
    return os.getpid()


@contextmanager
def write_lock(folder: Path, wait_seconds: float = 0) -> Iterator[None]:
    """Become the one writer, or raise `Locked` if another process is it for so long; threads of this one take turns."""
    from filelock import FileLock, Timeout

    with _turn(folder):
        lock = FileLock(folder / LOCK_FILE, timeout=wait_seconds)
        try:
            lock.acquire()
        except Timeout as error:
            raise Locked(
                f"{folder}: another process is writing to this index; try again when it is done, "
                "or wait for it with --wait SECONDS (wait_seconds=)"
            ) from error
        except OSError as error:
            raise StoreError(f"{folder}: cannot be written to: {error.strerror or error}") from error
        try:
            yield
        finally:
            lock.release()


def _turn(folder: Path) -> AbstractContextManager[Any]:
    """Return what one thread of this process has at a time. A thread does not wait for itself: the file stops it."""
    return _TURNS.setdefault(os.path.realpath(folder), RLock())


@contextmanager
def mapped(folder: Path) -> Iterator[None]:
    """Lance raises OSError, ValueError and RuntimeError for everything, so that only the words tell what happened."""
    try:
        yield
    except CrossheadError:  # an error about options is a ValueError too
        raise
    except (OSError, ValueError, RuntimeError) as error:
        first_line = _PLACE_IN_CODE.sub("", str(error).partition("\n")[0])[:300]
        if _DAMAGE.search(first_line):
            raise _damaged(folder) from error
        kind = Unstorable if isinstance(error, ValueError) else StoreError  # others are of files
        raise kind(f"{folder}: the index could not be read or written: {first_line}") from error


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


def not_found(folder: Path) -> IndexNotFound:
    """Return the error of a folder without an index."""
    return IndexNotFound(f"{folder}: there is no index here; make one with: crosshead index PATH")


def _damaged(folder: Path) -> CorruptIndex:
    return CorruptIndex(f"{folder}: the index is damaged; remove this folder and index again")
