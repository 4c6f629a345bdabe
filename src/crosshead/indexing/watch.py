"""Files and folders -> their changes, as they happen.

The operating system reports each change; changes in quick succession are reported together. A file is watched through
its folder, because many programs save a file by replacing it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path, PurePath
from typing import Final

from crosshead.errors import MissingExtra
from crosshead.indexing.files.walk import IGNORE_FILES, is_wanted
from crosshead.runtime.settings_file import FILE_NAME

QUIET_MS: Final = 200
"""A burst of changes ends when nothing has changed for this long."""
LONGEST_BURST_MS: Final = 1_000
TICK_MS: Final = 500
ABOUT_FILES: Final = (*IGNORE_FILES, FILE_NAME)
"""Names of files that decide which others count, and give them metadata."""


def changes(paths: Sequence[str | Path], index_folder: Path, *, hidden: bool = False) -> Iterator[frozenset[str]]:
    """Yield sets of changed paths until the caller stops; an empty set means that nothing has changed for a while.

    Which paths are folders is decided when this is called. No change after the first set is missed, however long
    the caller takes.
    """
    if find_spec("watchfiles") is None:
        raise MissingExtra("index", "Watching files")
    return _follow(Watched(paths, index_folder, hidden=hidden))


def _follow(watched: Watched) -> Iterator[frozenset[str]]:
    import watchfiles

    replaced: frozenset[str] = frozenset()
    while True:
        followed, was_gone = watched.identities(), False
        with suppress(FileNotFoundError):  # a folder may be gone before it is watched
            for found in watchfiles.watch(
                *watched.folders,
                watch_filter=lambda _, path: watched.counts(path),
                debounce=LONGEST_BURST_MS,
                step=QUIET_MS,
                rust_timeout=TICK_MS,
                yield_on_timeout=True,
                recursive=watched.recursive,
            ):
                yield replaced.union(path for _, path in found)  # reported when the folders are watched again
                replaced = frozenset()
                now = watched.identities()
                itself = not watched.folders.isdisjoint(path for _, path in found)
                was_gone = was_gone or itself or not all(now)
                if all(now) and (was_gone or now != followed):  # replaced by a folder that is not watched
                    break
        if not all(watched.identities()):
            yield watched.folders
        while not all(watched.identities()):
            time.sleep(TICK_MS / 1000)
            yield frozenset()
        replaced = watched.folders


class Watched:
    """The watched folders, and which changes there count."""

    def __init__(self, paths: Sequence[str | Path], index_folder: Path, *, hidden: bool = False) -> None:
        self._hidden = hidden
        whole = [os.path.realpath(path) for path in paths]
        self.folders = frozenset(os.path.dirname(path) if os.path.isfile(path) else path for path in whole)
        self.recursive = not all(map(os.path.isfile, whole))
        self._paths = [PurePath(path) for path in whole]
        self._index = PurePath(os.path.realpath(index_folder))

    def identities(self) -> list[tuple[int, int] | None]:
        """Return the device and inode of each folder, which change if it is replaced; None if it is missing."""
        return [_identity(folder) for folder in self.folders]

    def counts(self, path: str) -> bool:
        """Return whether a change at a path may change the index: not if it is hidden, unless it is an ignore file."""
        changed = PurePath(path)
        if changed.is_relative_to(self._index):
            return False
        inner = [changed.relative_to(each).parts for each in self._paths if changed.is_relative_to(each)]
        return any(self._is_wanted(parts) for parts in inner)

    def _is_wanted(self, parts: tuple[str, ...]) -> bool:
        is_ignore_file = parts[-1:] and parts[-1] in IGNORE_FILES
        return all(is_wanted(part, self._hidden) for part in (parts[:-1] if is_ignore_file else parts))


@dataclass(frozen=True, slots=True)
class Touched:
    """Changed paths; a folder includes everything in it."""

    paths: frozenset[PurePath] = frozenset()
    everything: bool = False

    def and_also(self, paths: Iterable[str]) -> Touched:
        """Return these paths and others; a file that is about other files stands for everything."""
        also = frozenset(map(PurePath, paths))
        return Touched(self.paths | also, self.everything or any(path.name in ABOUT_FILES for path in also))

    def __bool__(self) -> bool:
        return self.everything or bool(self.paths)

    def __contains__(self, path: object) -> bool:
        if self.everything:
            return True
        whole = PurePath(os.path.realpath(str(path)))
        return not self.paths.isdisjoint((PurePath(os.path.abspath(str(path))), whole, *whole.parents))


def _identity(folder: str) -> tuple[int, int] | None:
    try:
        found = os.stat(folder)
    except OSError:
        return None
    return found.st_dev, found.st_ino
