"""The table of an index as it is now: read its newest version, commit changes, keep its indexes up to date.

Every write is one commit, which readers see whole or not at all. New documents are appended; for others the whole table
is compared with what is written. Commits leave rows outside the indexes, small files and old versions behind. Rows are
taken into the indexes when they are many and when the lock is released; `maintain` does the rest at the end of longer
work. A version is dropped seconds after the next one is committed, so that a long run does not fill the disk; a reader
that was using it reads again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from crosshead.errors import CorruptIndex, IndexChanged, IndexReplaced
from crosshead.store.lance import compaction, indexes, rows
from crosshead.store.lance.candidates.filters import one_of
from crosshead.store.lance.location.base import TableLocation, check_process
from crosshead.store.lance.memory import free_memory
from crosshead.store.lance.table_version import TableVersion
from crosshead.store.settings import changed
from crosshead.types import OF_SEARCHES, IndexVectors

if TYPE_CHECKING:
    import pyarrow as pa

READINGS: Final = 5
"""How often to read before missing files count as damage."""
PAUSE_SECONDS: Final = 0.02
"""Before the second reading; it doubles before each further one."""
UPKEEP_CACHES: Final = {"index_cache_size_bytes": 16 << 20, "metadata_cache_size_bytes": 16 << 20}
"""Upkeep reads everything once, so that large caches would be of no use."""


def tries() -> Iterator[None]:
    """Yield for every reading but the last, which may fail; a writer drops several versions in a moment."""
    for number in range(READINGS - 1):
        yield
        time.sleep(PAUSE_SECONDS * 2**number)


class LiveTable:
    """The table at a location, with the settings of its index."""

    def __init__(self, location: TableLocation, create: Mapping[str, Any] | None = None) -> None:
        """Open a table; `create` are the settings of a new index, used if there is none."""
        self.location = location
        if create is not None and not location.exists():
            location.create(create, rows.schema(create))
        self._version = self._open()
        self._index_vectors: IndexVectors | None = None
        self._is_replaced = False

    def _open(self) -> TableVersion:
        """Read the settings and open their table; again if a change of the settings replaces it meanwhile."""
        while True:
            self.settings, self._identity = self.location.read_settings()
            self._identity_seen = time.monotonic()
            try:
                return self._open_newest()
            except CorruptIndex:
                if self.location.identity() == self._identity:
                    raise

    def _open_newest(self, before: TableVersion | None = None) -> TableVersion:
        """Open the newest version; again if a writer drops it before it is read, because there is a newer one."""
        for _ in tries():
            with suppress(CorruptIndex):
                return TableVersion(self.location.open_table(), before)
        return TableVersion(self.location.open_table(), before)

    def latest(self) -> TableVersion:
        """Return the newest version: this or another process may have written.

        It shares the caches of the version before, which a newly opened table would have to fill again.
        """
        if time.monotonic() >= self._identity_seen + self.location.identity_seconds:
            self.check_identity()
        check_process(self.location.name)
        try:
            return self._newest()
        except CorruptIndex:  # a change may have replaced the table a moment ago
            self.check_identity()
            raise

    def _newest(self) -> TableVersion:
        version = self._version
        with self.location.translate_errors():
            newest = version.table.latest_version
            if newest != version.table.version:
                version = self._version = TableVersion(version.table.checkout_version(newest), version)
        return version

    @property
    def last_read(self) -> TableVersion:
        """The version that was read last; it may not be the newest."""
        return self._version

    # ------------------------------------------------------------------ writing

    @contextmanager
    def lock(self, wait_seconds: float, index_vectors: IndexVectors | None) -> Iterator[None]:
        """Take the write lock, or raise `Locked` after `wait_seconds`; first finish what a killed writer left."""
        self.check_identity()
        with self.location.write_lock(wait_seconds):
            self.check_identity()
            self._index_vectors = index_vectors
            if not self.is_indexed():
                self.maintain()
            before = self.latest().table.version
            try:
                yield
                if self._version.table.version != before:
                    self._index_rows(most_outside=0)
            except CorruptIndex:  # another process took the lock over, and dropped the version that this one reads
                self.location.check_writer()
                raise
            finally:
                self._index_vectors = None
                if self._version.table.version != before:
                    self.location.record()
        if not self._is_replaced:
            self._reopen()

    def change_setting(self, name: str, value: Any) -> None:
        """Store a setting; None removes it. Others take it over, or open the index again if it changes the rows."""
        self.check_identity()
        settings = changed(self.settings, name, value)
        self.location.replaced = (*self.location.replaced, self._identity)
        self._identity = self.location.write_settings(settings, self._identity)
        self.settings = settings

    def replace_by(self, successor: LiveTable, settings: Mapping[str, Any]) -> None:
        """Let another table take the place of this one, with other settings, in one commit."""
        self.location.check_writer()
        self.location.replace_by(successor.location.table_name, settings, self._identity)
        self._is_replaced = True

    def append(self, table: pa.Table) -> None:
        """Commit new rows; takes no longer if there are many others."""
        with self.location.translate_errors():
            compaction.append(self.writable(), table)
        self._after_commit()

    def replace(self, table: pa.Table, replaced: str) -> None:
        """Commit rows by their keys, and delete the other rows that meet a condition, in one step."""
        with self.location.translate_errors():
            merge = self.writable().merge_insert("key").when_matched_update_all().when_not_matched_insert_all()
            merge.when_not_matched_by_source_delete(replaced).execute(table)
        self._after_commit()

    def delete(self, column: str, values: list[str]) -> None:
        """Delete the rows that have one of some values in a column."""
        with self.location.translate_errors():
            self.writable().delete(one_of(column, values))
        self._after_commit()

    def writable(self) -> Any:
        """Return the table as a new object, because a write moves the object to the next version."""
        table = self.latest().table
        self.location.check_writer()
        return table.checkout_version(table.version)

    # ------------------------------------------------------------------ upkeep

    def is_indexed(self) -> bool:
        """Return whether the table has all its indexes but that of vectors."""
        version = self.latest()
        with self.location.translate_errors():
            return indexes.are_made(version.table)

    def maintain(self, *, thoroughly: bool = False) -> None:
        """Build and refresh indexes, merge small files where they are many, and drop old versions."""
        self._upkeep(partial(indexes.maintain, thoroughly=thoroughly, elsewhere=self._index_vectors))
        if thoroughly:
            self.location.sweep()
        with self.location.translate_errors():
            self.location.record()

    def _after_commit(self) -> None:
        version = self.latest()
        with self.location.translate_errors():
            has_many_files = indexes.is_due(version.table)
        if has_many_files or not self.is_indexed():
            self.maintain()
        else:
            self._index_rows(indexes.ROWS_OUTSIDE)

    def _index_rows(self, most_outside: int) -> None:
        """Take new rows into the indexes if more than `most_outside` are outside."""
        version = self.latest()
        with self.location.translate_errors():
            is_due = indexes.are_made(version.table) and indexes.rows_outside(version.table) > most_outside
        if is_due:
            self._upkeep(indexes.index_rows)

    def _upkeep(self, work: Callable[[Any], None]) -> None:
        self._reopen()
        with self.location.translate_errors():
            table = self.location.open_table(**UPKEEP_CACHES)
            self.location.check_writer()
            work(table)
        self._reopen()

    def _reopen(self) -> None:
        """Open the table again, to free what Lance has cached of indexes that were replaced."""
        self._version = self._open_newest(self._version)
        free_memory()

    def check_identity(self) -> None:
        """Raise an error if another index took the place of this one: what was read and cached is not of that one.

        Settings that concern searches alone are taken over.
        """
        found = self.location.identity()
        if found is None:
            raise self.location.not_found()
        if found != self._identity:
            now = self.location.again()
            stored = now.read_settings()
            if self._identity not in now.replaced:
                raise IndexReplaced(
                    f"{self.location.name}: another index replaced it since it was opened; open it again"
                )
            if now.table_name != self.location.table_name or _of_rows(stored.settings) != _of_rows(self.settings):
                raise IndexChanged(
                    f"{self.location.name}: its settings were changed since it was opened; open it again"
                )
            self.location.replaced, self.settings, self._identity = now.replaced, *stored
        self._identity_seen = time.monotonic()


def _of_rows(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that say how rows are made."""
    return {name: value for name, value in settings.items() if name not in OF_SEARCHES}
