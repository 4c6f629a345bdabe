"""Jobs on disk, so that accepted jobs survive the server.

1. A server has a folder for its jobs, and a lock on it that the system releases when the process ends.
2. A job is one JSON file; the document of an upload is a file of the same name without `.json`. Both are synced.
3. A new server takes over the folders of servers that have ended, with their jobs. Uploads without a job were never
   accepted, and are removed.
"""

from __future__ import annotations

import json
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Final

from filelock import FileLock, Timeout

from crosshead.server.jobs.job import Job

LOCK: Final = ".lock"
JSON: Final = ".json"
DRAFT: Final = ".draft"
FORMER: Final = ".former"
"""The file that an upload replaces, until the upload is indexed."""


class JobFiles:
    """The jobs of one server; its folder is created with the first job."""

    def __init__(self, parent: Path) -> None:
        self._parent = parent
        self._folder = parent / uuid.uuid4().hex
        self._lock: FileLock | None = None
        self._making = Lock()

    def document(self, job_id: str) -> Path:
        """Return where the document of an upload is until it is indexed."""
        return self._own() / job_id

    def save(self, job: Job) -> None:
        """Write a job; after that it survives a power cut."""
        path = self._own() / f"{job.id}{JSON}"
        draft = path.with_suffix(DRAFT)
        with open(draft, "w", encoding="utf-8") as file:
            json.dump(job.to_json(), file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
        sync_folder(path.parent)

    def finish(self, job: Job) -> None:
        """Write how a job ended, and remove its document."""
        self.save(job)
        for suffix in ("", FORMER):
            (self._folder / f"{job.id}{suffix}").unlink(missing_ok=True)

    def forget(self, job: Job) -> None:
        """Remove a job that is finished."""
        with suppress(OSError):
            (self._folder / f"{job.id}{JSON}").unlink(missing_ok=True)

    def inherit(self) -> list[Job]:
        """Take over the jobs of servers that have ended, oldest first."""
        jobs = [job for folder in self._abandoned() for job in self._take(folder)]
        return sorted(jobs, key=lambda job: job.created)

    def close(self) -> None:
        """Let another server take over."""
        if self._lock:
            self._lock.release()
            self._lock = None

    def _own(self) -> Path:
        with self._making:
            if self._lock is None:
                self._folder.mkdir(parents=True, exist_ok=True)
                lock = FileLock(self._folder / LOCK, timeout=0, thread_local=False)
                lock.acquire()
                self._lock = lock
        return self._folder

    def _abandoned(self) -> Iterator[Path]:
        """Yield the folders of servers that have ended, each locked meanwhile."""
        folders = sorted(each for each in _children(self._parent) if each.is_dir() and each != self._folder)
        for folder in folders:
            lock = FileLock(folder / LOCK, timeout=0)
            try:
                with lock:
                    yield folder
            except (Timeout, OSError):
                continue
            shutil.rmtree(folder, ignore_errors=True)

    def _take(self, folder: Path) -> list[Job]:
        """Move jobs with their documents into the own folder."""
        jobs = [*filter(None, map(_read, _children(folder)))]
        for job in jobs:
            for suffix in ("", FORMER, JSON):
                with suppress(FileNotFoundError):
                    os.replace(folder / f"{job.id}{suffix}", self._own() / f"{job.id}{suffix}")
        return jobs


def sync_folder(folder: Path) -> None:
    """Sync a folder, so that new files in it survive a power cut, if the system supports it."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _children(folder: Path) -> list[Path]:
    try:
        return [*folder.iterdir()]
    except OSError:
        return []


def _read(path: Path) -> Job | None:
    """Return a job, or None if the file is damaged or something else."""
    if path.suffix != JSON:
        return None
    try:
        return Job.from_json(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
