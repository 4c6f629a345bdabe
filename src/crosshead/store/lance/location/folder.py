"""An embedded index in a folder, where `checksums.json` keeps the hashes of its files."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from crosshead.errors import Locked, StoreError
from crosshead.store.lance.inspection import checksums
from crosshead.store.lance.inspection.checksums import CHECKSUMS_FILE
from crosshead.store.lance.inspection.findings import inspect_files
from crosshead.store.lance.location.base import (
    BUSY,
    LOCK_FILE,
    SCHEMA_VERSION,
    SETTINGS_FILE,
    TABLE,
    StoredSettings,
    TableLocation,
    thread_lock,
)
from crosshead.store.settings import FILE_HASHES
from crosshead.types import Finding

if TYPE_CHECKING:
    import pyarrow as pa

CREATION_SECONDS: Final = 2.0
"""How long to wait for another process that is creating the same index."""
GIT_IGNORE: Final = ".gitignore"
"""Keeps the index out of Git."""
CHECKED: Final = (SETTINGS_FILE, TABLE)
"""Files and folders that have checksums."""


class Folder(TableLocation):
    """A folder that holds nothing but the index."""

    _itself = "this folder"

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self.path = path

    @property
    def table(self) -> str:
        """Its path."""
        return str(self.path / TABLE)

    def exists(self) -> bool:
        """Return whether there is an index."""
        return (self.path / SETTINGS_FILE).exists()

    def create(self, settings: Mapping[str, Any], schema: pa.Schema) -> None:
        """Create an empty index, unless another process was faster."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            known = (SETTINGS_FILE, TABLE, LOCK_FILE, CHECKSUMS_FILE, FILE_HASHES, GIT_IGNORE)
            if not all(each.name.startswith(known) for each in self.path.iterdir()):
                raise StoreError(f"{self.path}: no index can be made among other files: name a new or an empty folder")
            with self.write_lock(CREATION_SECONDS), self._whole_or_nothing():
                if self.exists():
                    return
                (self.path / GIT_IGNORE).write_text("*\n")
                self.make_table(self.table, schema, "overwrite")
                self._write({**settings, "schema_version": SCHEMA_VERSION})
        except OSError as error:
            raise StoreError(f"{self.path}: no index can be made here: {error.strerror or error}") from error
        except KeyboardInterrupt:
            with suppress(OSError):  # not empty
                self.path.rmdir()
            raise

    @contextmanager
    def _whole_or_nothing(self) -> Iterator[None]:
        """Remove what an interrupted creation leaves, which would hide the index of a parent folder."""
        try:
            yield
        except BaseException:
            if not self.exists():
                shutil.rmtree(self.path, ignore_errors=True)
            raise

    def read_settings(self) -> StoredSettings:
        """Return the settings of the index."""
        path = self.path / SETTINGS_FILE
        identity = self.identity()
        try:
            data = path.read_bytes()
        except (FileNotFoundError, NotADirectoryError) as error:
            raise self.not_found() from error
        except OSError as error:
            raise StoreError(f"{path}: {error.strerror or error}") from error
        return StoredSettings(self.parse_settings(data), identity)

    def write_settings(self, settings: Mapping[str, Any], replaced: object) -> object:
        """Replace the settings; the lock is held, so no other process writes them."""
        self._write(settings)
        return self.identity()

    def _write(self, settings: Mapping[str, Any]) -> None:
        draft = self.path / f"{SETTINGS_FILE}.draft"  # if this writer is killed, the next one overwrites the draft
        draft.write_text(json.dumps(settings, indent=2), encoding="utf-8")
        os.replace(draft, self.path / SETTINGS_FILE)
        checksums.record(self.path, CHECKED, rewritten=SETTINGS_FILE)

    def identity(self) -> object | None:
        """Return inode and modification time of the settings file, or None."""
        try:
            found = (self.path / SETTINGS_FILE).stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns

    @contextmanager
    def write_lock(self, wait_seconds: float = 0) -> Iterator[None]:
        """Take the write lock; the system releases the lock of a process that ends."""
        from filelock import FileLock, Timeout

        with thread_lock(os.path.realpath(self.path)):
            lock = FileLock(self.path / LOCK_FILE, timeout=wait_seconds)
            try:
                lock.acquire()
            except Timeout as error:
                raise Locked(f"{self.path}: {BUSY}") from error
            except OSError as error:
                raise StoreError(f"{self.path}: cannot be written to: {error.strerror or error}") from error
            try:
                yield
            finally:
                lock.release()

    def check_writer(self) -> None:
        """Do nothing: a file lock cannot be lost while it is held."""

    def size_bytes(self) -> int:
        """Return the space that all files take."""
        size = 0
        for folder, _, names in os.walk(self.path):
            for name in names:
                with suppress(FileNotFoundError):
                    size += os.stat(os.path.join(folder, name)).st_size
        return size

    def record(self) -> None:
        """Record the hashes of all files."""
        checksums.record(self.path, CHECKED)

    def inspect(self) -> Iterator[Finding]:
        """Compare the files with their checksums."""
        return inspect_files(self.path, CHECKED)
