"""Hashes of files as they were last read, so that an unchanged file is not read again.

A hash counts as long as size, modification time, change time and inode of the file are the same. Change time and inode
give away a file that was replaced by one with an old modification time, as `cp -p`, rsync and Git do. A clock may tick
only every two seconds, as that of FAT: a file that had just changed when its hash was taken is read again, because
another change within the same tick would leave no trace.

The hashes are a cache. The index compares revisions, which are computed from them, so hashes may be lost, or be those
of another machine or another index: then the file is read. They are in the folder of the index; for an index behind a
URL, in the user's cache.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Container
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from crosshead.runtime.cache import cache_folder
from crosshead.store import FILE_HASHES, is_folder

TICK_NS: Final = 2_000_000_000
"""The longest time between two ticks of the clock of a file system."""


class FileStat(NamedTuple):
    """What changes together with the content of a file."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int

    @classmethod
    def of(cls, found: os.stat_result) -> FileStat:
        """Return these fields of what the system knows about a file."""
        return cls(found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)


class _HashedFile(NamedTuple):
    stat: FileStat
    time_ns: int
    """Before the file was read."""
    digest: str


class FileHashes:
    """The hashes of the files of one index, by source."""

    def __init__(self, path: Path, *, trusted: bool = True) -> None:
        """Load them; if they are not `trusted`, every file is read, and its hash is stored again."""
        self._path = path
        self._trusted = trusted
        self._time_ns = time.time_ns()
        self._entries = _load(path)
        self._is_changed = False

    def digest_of(self, source: str, stat: FileStat | None) -> str:
        """Return the hash of a file, "" if the file may have changed since it was read."""
        entry = self._entries.get(source)
        if not self._trusted or entry is None or entry.stat != stat:
            return ""
        is_settled = max(entry.stat.mtime_ns, entry.stat.ctime_ns) + TICK_NS < entry.time_ns
        return entry.digest if is_settled else ""

    def has_other_size(self, source: str, stat: FileStat | None) -> bool:
        """Return whether a file has surely changed since it was read."""
        entry = self._entries.get(source)
        return self._trusted and entry is not None and stat is not None and entry.stat.size != stat.size

    def remember(self, source: str, stat: FileStat | None, digest: str) -> None:
        """Store the hash of a file that was read after its `stat` was taken; an empty one forgets the file."""
        if stat and digest:
            self._entries[source] = _HashedFile(stat, self._time_ns, digest)
            self._is_changed = True
        elif self._entries.pop(source, None):
            self._is_changed = True

    def save(self, known: Container[str]) -> None:
        """Write the hashes of sources that the index knows, if any has changed; without them, the next run reads."""
        if not self._is_changed:
            return
        draft = self._path.with_name(f"{FILE_HASHES}.{os.getpid()}")
        entries = {source: entry for source, entry in self._entries.items() if source in known}
        with suppress(OSError):
            draft.write_text(json.dumps(entries), encoding="utf-8")
            os.replace(draft, self._path)
            self._is_changed = False


def indexed_files(location: str) -> list[str]:
    """Return the sources of the files that an index was made from, without opening the index."""
    return sorted(_load(hashes_path(location)))


def hashes_path(location: str) -> Path:
    """Return where the hashes of the files of an index are kept."""
    if is_folder(location):
        return Path(location) / FILE_HASHES
    folder = cache_folder() / "files" / sha256(location.encode()).hexdigest()[:32]
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    return folder / FILE_HASHES


def _load(path: Path) -> dict[str, _HashedFile]:
    """Read the hashes; a file that is missing or damaged holds none."""
    try:
        entries = json.loads(path.read_bytes())
        return {
            source: _HashedFile(FileStat(*map(int, stat)), int(time_ns), str(digest))
            for source, (stat, time_ns, digest) in entries.items()
        }
    except (OSError, ValueError, OverflowError, TypeError, AttributeError, RecursionError):
        return {}
