"""Temporary folders that a killed process does not leave for ever.

1. A folder is named `crosshead-PID-ID`. Its process holds the lock of a file in it, which the system releases when the
   process ends, however it ends; a process id alone may be that of another program by now.
2. Every process that is done with its folder also removes those whose lock is free.
3. Folders of other users, links, and names of another form are left alone.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

LOCK: Final = ".lock"
VARIABLE: Final = "TMPDIR"
"""Where native code puts its temporary files."""
_NAME: Final = re.compile(r"\.?crosshead-\d+-\w+", re.ASCII)


@contextmanager
def scratch_folder(parent: Path | None = None, *, hidden: bool = False) -> Iterator[Path]:
    """Make an empty folder in the system's temporary folder, or in another one; it is removed at the end."""
    parent = parent or Path(tempfile.gettempdir())
    folder, lock = _make(parent, f"{'.' * hidden}crosshead-{os.getpid()}-")
    try:
        yield folder
    finally:
        _remove(folder, lock)
        _sweep(parent)


@contextmanager
def native_scratch_folder() -> Iterator[None]:
    """Let native code, which asks for the temporary folder each time, put its files into one of these.

    Python does not notice, because it asks only once.
    """
    before = tempfile.gettempdir()
    with scratch_folder() as folder:
        os.environ[VARIABLE] = str(folder)
        try:
            yield
        finally:
            os.environ[VARIABLE] = before


def is_abandoned(name: str) -> bool:
    """Return whether the process of a folder in the system's temporary folder has ended; the folder is removed then."""
    return bool(_NAME.fullmatch(name)) and remove_abandoned(Path(tempfile.gettempdir()) / name)


def remove_abandoned(folder: Path) -> bool:
    """Remove a folder whose process has ended; return whether it had."""
    try:
        if not _is_ours(os.lstat(folder)):
            return False
        lock = os.open(folder / LOCK, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        with suppress(OSError):
            folder.rmdir()  # killed before there was a lock; where it is just being made, `_make` tries again
        return False
    if not _try_lock(lock):
        os.close(lock)
        return False
    _remove(folder, lock)
    return True


def _make(parent: Path, prefix: str) -> tuple[Path, int]:
    """Make a folder and lock it; where another process removes it before it is locked, make another one."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
        with suppress(FileNotFoundError):
            lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT)
            if _try_lock(lock) and (folder / LOCK).exists():
                return folder, lock
            os.close(lock)


def _remove(folder: Path, lock: int) -> None:
    """Remove a folder, its lock last: what other programs still hold open, a later process finds."""
    if sys.platform == "win32":  # which removes no open file
        os.close(lock)
    with suppress(OSError):
        for each in folder.iterdir():
            if each.is_dir() and not each.is_symlink():
                shutil.rmtree(each, ignore_errors=True)
            elif each.name != LOCK:
                each.unlink(missing_ok=True)
        if os.listdir(folder) == [LOCK]:
            (folder / LOCK).unlink()
            folder.rmdir()
    if sys.platform != "win32":
        os.close(lock)


def _sweep(parent: Path) -> None:
    with suppress(OSError), os.scandir(parent) as entries:
        for name in [each.name for each in entries if _NAME.fullmatch(each.name)]:
            remove_abandoned(parent / name)


def _is_ours(found: os.stat_result) -> bool:
    return stat.S_ISDIR(found.st_mode) and (sys.platform == "win32" or found.st_uid == os.geteuid())


def _try_lock(file: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
