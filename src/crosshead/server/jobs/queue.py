"""Writing in the background, one job at a time, so that searches continue meanwhile.

1. A job is on disk before it is accepted.
2. One thread runs the jobs in order.
3. A server that stops lets the running job finish if that is quick. If not, this job and all others stay waiting, and
   the next server continues with them, also after a kill.
"""

from __future__ import annotations

import itertools
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from queue import SimpleQueue
from typing import Any, Final

from crosshead.errors import CrossheadError, Locked
from crosshead.indexing import Progress
from crosshead.server.errors import Refusal, problem
from crosshead.server.jobs.files import JobFiles
from crosshead.server.jobs.job import Job, now

logger = logging.getLogger("crosshead.server")

OnProgress = Callable[[Progress], None]
Work = Callable[[Job, OnProgress], Mapping[str, Any]]
"""Runs a job, reports its progress, and returns its result."""

MOST_KEPT: Final = 500
MOST_WAITING: Final = 1000
LOCKED_SECONDS: Final = 60.0
"""How long a job waits for another process that is writing."""
STOP_SECONDS: Final = 10.0
"""How long a job may continue after the server was stopped."""


class Stopped(Exception):
    """The server stopped before a job was done."""


class Jobs:
    """The jobs of one server, done by one thread."""

    def __init__(self, files: JobFiles, work: Work) -> None:
        self._files = files
        self._work = work
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._queue: SimpleQueue[Job | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._stopping = threading.Event()
        for job in files.inherit():
            self._jobs[job.id] = job
            if job.state == "waiting":
                self._queue.put(job)
        self._thread = threading.Thread(target=self._run, name="crosshead-jobs", daemon=True)
        self._thread.start()

    def submit(self, job: Job) -> Job:
        """Accept a job, and forget the oldest finished ones."""
        with self._lock:
            if sum(each.state == "waiting" for each in self._jobs.values()) >= MOST_WAITING:
                raise Refusal(
                    429, "too-many-requests", "too many jobs are waiting; try again later", {"Retry-After": "10"}
                )
            self._save(job)
            self._jobs[job.id] = job
            finished = [each for each in self._jobs.values() if each.finished]
            for old in finished[: max(0, len(self._jobs) - MOST_KEPT)]:
                self._files.forget(self._jobs.pop(old.id))
        self._queue.put(job)
        return job

    def _save(self, job: Job) -> None:
        """Write a job; an upload must be on disk, any other job can be requested again."""
        try:
            self._files.save(job)
        except OSError as error:
            if job.is_upload:
                raise Refusal(
                    507, "insufficient-storage", f"the upload could not be stored: {error.strerror}"
                ) from error
            logger.warning("job could not be written to disk", extra={"fields": {"job": job.id, "reason": str(error)}})

    def get(self, job_id: str) -> Job | None:
        """Return a job by its id."""
        return self._jobs.get(job_id)

    def newest(self, limit: int) -> list[Job]:
        """Return jobs, newest first."""
        with self._lock:
            return list(itertools.islice(reversed(self._jobs.values()), limit))

    def close(self) -> None:
        """Give the running job time to finish, then stop it at its next step; all others stay waiting."""
        self._closing.set()
        self._queue.put(None)
        self._thread.join(STOP_SECONDS)
        self._stopping.set()
        self._thread.join(STOP_SECONDS)
        self._files.close()

    def _run(self) -> None:
        while (job := self._queue.get()) and not self._closing.is_set():
            job.started, job.state = now(), "running"
            try:
                job.result, job.error = self._try(job)
            except Stopped:
                job.started, job.state = None, "waiting"
                return
            job.finished, job.state = now(), "failed" if job.error else "done"
            self._record(job)
            logger.info("job", extra={"fields": {"job": job.id, "kind": job.kind, "state": job.state}})

    def _record(self, job: Job) -> None:
        """Write how a job ended; if that fails, it runs again after a restart, which is harmless."""
        try:
            self._files.finish(job)
        except OSError as error:
            logger.warning("job could not be written to disk", extra={"fields": {"job": job.id, "reason": str(error)}})

    def _try(self, job: Job) -> tuple[Mapping[str, Any] | None, Mapping[str, Any] | None]:
        """Run a job, and return its result or its error."""
        try:
            return self._do(job), None
        except Stopped:
            raise
        except Exception as error:
            if not isinstance(error, CrossheadError | Refusal):
                logger.exception("job failed", extra={"fields": {"job": job.id}})
            return None, problem(error)

    def _do(self, job: Job) -> Mapping[str, Any]:
        """Run a job as soon as no other process is writing."""
        give_up = time.monotonic() + LOCKED_SECONDS

        def report(progress: Progress) -> None:
            if self._stopping.is_set():
                raise Stopped
            job.documents_done, job.documents_total, job.texts_embedded, job.texts_total = progress

        while not self._stopping.is_set():
            try:
                return self._work(job, report)
            except Locked:
                if time.monotonic() > give_up:
                    raise
                self._stopping.wait(0.5)
        raise Stopped


class NoJobs:
    """The jobs of a server that only reads: none."""

    def submit(self, job: Job) -> Job:
        """Refuse a job."""
        raise Refusal(409, "read-only", "this server only reads")

    def get(self, job_id: str) -> None:
        """Return no job."""

    def newest(self, limit: int) -> list[Job]:
        """Return no jobs."""
        return []

    def close(self) -> None:
        """Do nothing."""
