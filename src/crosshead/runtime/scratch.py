"""Temporary folders that are removed even if their process is killed.

1. A folder is named `crosshead-PID-ID`. Its process holds the lock of a file in it, which the system releases when the
   process ends, however it ends; a process id alone may be that of another program by now.
2. A process that removes its folder also removes those whose lock is free.
3. Folders of other users, links, and folders with other names are not touched.
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
    """Make an empty folder in the system's temporary folder, or in `parent`, and remove it at the end."""
    parent = parent or Path(tempfile.gettempdir())
    folder, lock = _make(parent, f"{'.' * hidden}crosshead-{os.getpid()}-")
    try:
        yield folder
    finally:
        _remove(folder, lock)
        _sweep(parent)


@contextmanager
def native_scratch_folder() -> Iterator[None]:
    """Let native code put its temporary files into a scratch folder.

    Native code looks TMPDIR up each time, Python only once.
    """
    before = tempfile.gettempdir()
    with scratch_folder() as folder:
        os.environ[VARIABLE] = str(folder)
        try:
            yield
        finally:
            os.environ[VARIABLE] = before


def is_abandoned(name: str) -> bool:
    """Remove a folder in the system's temporary folder if its process has ended; return whether it had."""
    return bool(_NAME.fullmatch(name)) and remove_abandoned(Path(tempfile.gettempdir()) / name)


def remove_abandoned(folder: Path) -> bool:
    """Remove a folder whose process has ended; return whether it had."""
    try:
        if not _is_ours(os.lstat(folder)):
            return False
        lock = os.open(folder / LOCK, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        with suppress(OSError):
            folder.rmdir()  # its process was killed before it made the lock; if it is still at it, `_make` tries again
        return False
    if not _try_lock(lock):
        os.close(lock)
        return False
    _remove(folder, lock)
    return True


def _make(parent: Path, prefix: str) -> tuple[Path, int]:
    """Make a folder and lock it; if another process removes it before that, make another one."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
        with suppress(FileNotFoundError):
            lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT)
            if _try_lock(lock) and (folder / LOCK).exists():
                return folder, lock
            os.close(lock)


def _remove(folder: Path, lock: int) -> None:
    """Remove a folder, its lock last: a later process removes files that other programs still hold open."""
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
