"""An embedded index in a folder, where `checksums.json` keeps the hashes of its files."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from crosshead.errors import CorruptIndex, IndexNotFound, Locked, StoreError
from crosshead.store.lance.inspection import checksums
from crosshead.store.lance.inspection.checksums import CHECKSUMS_FILE
from crosshead.store.lance.inspection.findings import inspect_files
from crosshead.store.lance.location.base import (
    BUSY,
    FIRST_VERSION,
    LOCK_FILE,
    NEXT_FILE,
    SCHEMA_VERSION,
    TABLE,
    StoredSettings,
    TableLocation,
    new_table_name,
    thread_lock,
)
from crosshead.store.settings import FILE_HASHES, QUESTIONS_FILE, SCHEMA_SETTING, SETTINGS_FILE
from crosshead.types import Finding

if TYPE_CHECKING:
    import pyarrow as pa

CREATION_SECONDS: Final = 2.0
"""How long to wait for another process that is creating the same index."""
GIT_IGNORE: Final = ".gitignore"
"""Keeps the index out of Git."""
OWN_NAMES: Final = (
    *(SETTINGS_FILE, NEXT_FILE, TABLE, "rows-", LOCK_FILE, CHECKSUMS_FILE),
    *(FILE_HASHES, QUESTIONS_FILE, GIT_IGNORE),
)
"""How the names of files in the folder of an index begin."""


class Folder(TableLocation):
    """A folder that holds nothing but the index."""

    _itself = "this folder"
    _first_table = TABLE

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self.path = path

    @property
    def table(self) -> str:
        """Its path."""
        return str(self.path / self.table_name)

    def exists(self) -> bool:
        """Return whether there is an index."""
        return (self.path / self.settings_file).exists()

    def create(self, settings: Mapping[str, Any], schema: pa.Schema) -> None:
        """Create an empty index, unless another process was faster."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            if not all(each.name.startswith(OWN_NAMES) for each in self.path.iterdir()):
                raise StoreError(f"{self.path}: no index can be made among other files: name a new or an empty folder")
            with self.write_lock(CREATION_SECONDS), self._whole_or_nothing():
                if self.exists():
                    return
                (self.path / GIT_IGNORE).write_text("*\n")
                self.table_name = TABLE
                self.make_table(self.table, schema, "overwrite")
                self._write({**settings, SCHEMA_SETTING: FIRST_VERSION})
        except Locked:
            if not self.exists():  # else the process that was faster writes to it already
                raise
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
        path = self.path / self.settings_file
        before = self.identity()
        try:
            data = path.read_bytes()
        except (FileNotFoundError, NotADirectoryError) as error:
            raise self.not_found() from error
        except OSError as error:
            raise StoreError(f"{path}: {error.strerror or error}") from error
        identity = before or self.identity() or ""  # it may have been made a moment ago
        return StoredSettings(self.parse_settings(data), identity)

    def write_settings(self, settings: Mapping[str, Any], replaced: str) -> str:
        """Replace the settings; the lock is held, so no other process writes them."""
        self._write(settings)
        return self.identity() or ""

    def _write(self, settings: Mapping[str, Any]) -> None:
        self._replace(settings)
        checksums.record(self.path, self._checked, rewritten=self.settings_file)

    def _replace(self, settings: Mapping[str, Any]) -> None:
        draft = self.path / f"{self.settings_file}.draft"  # if this writer is killed, the next one overwrites the draft
        draft.write_bytes(self.encoded(settings))
        os.replace(draft, self.path / self.settings_file)

    def identity(self) -> str | None:
        """Return inode and modification time of the settings file, or None."""
        try:
            found = (self.path / self.settings_file).stat()
        except OSError:
            return None
        return f"{found.st_ino}-{found.st_mtime_ns}"

    def again(self) -> Folder:
        """Return the same location, of which nothing was read yet."""
        return Folder(self.path)

    def next(self) -> Folder:
        """Return the location of the rows that a change of the settings makes."""
        return NextFolder(self.path)

    def discard_next(self) -> None:
        """Remove what an unfinished change made."""
        (self.path / NEXT_FILE).unlink(missing_ok=True)
        self.sweep()

    def sweep(self) -> None:
        """Remove tables that no settings name."""
        kept = {self.table_name}
        with suppress(CorruptIndex, IndexNotFound):  # there is no change, or none that can be continued
            kept.add(self.next().read_table_name())
        for path in self.path.glob("rows*.lance"):
            if path.name not in kept:
                shutil.rmtree(path, ignore_errors=True)

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
        checksums.record(self.path, self._checked)

    def inspect(self) -> Iterator[Finding]:
        """Compare the files with their checksums."""
        return inspect_files(self.path, self._checked)

    @property
    def _checked(self) -> tuple[str, ...]:
        """The files and folders that have checksums."""
        return self.settings_file, self.table_name


class NextFolder(Folder):
    """The rows that a change of the settings makes, in the folder of the index, whose lock the caller holds."""

    settings_file = NEXT_FILE
    _first_table = ""

    def create(self, settings: Mapping[str, Any], schema: pa.Schema) -> None:
        """Create an empty table."""
        self.table_name = new_table_name()
        self.make_table(self.table, schema, "create")
        self._replace({**settings, SCHEMA_SETTING: SCHEMA_VERSION})

    def record(self) -> None:
        """Do nothing: the files get checksums when they take the place of the others."""
