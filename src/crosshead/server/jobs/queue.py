"""Writing, one job after the other in the background, so that searches go on meanwhile.

1. A job is on disk before it is accepted.
2. One thread does the jobs in the order in which they came.
3. A server that stops finishes the job that runs if that does not take long, and leaves it and all others waiting
   otherwise. The next server goes on with them, also after a kill.
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

Tell = Callable[[Progress], None]
Work = Callable[[Job, Tell], Mapping[str, Any]]
"""Does a job, reports its progress on the way, and returns its result."""

MOST_KEPT: Final = 500
MOST_WAITING: Final = 1000
LOCKED_SECONDS: Final = 60.0
"""How long a job waits for another process that writes."""
STOP_SECONDS: Final = 10.0
"""How long a job may go on when the server stops."""


class Stopped(Exception):
    """The server stops before a job is done."""


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
        """Accept a job; the oldest jobs that are finished are forgotten."""
        with self._lock:
            if sum(each.state == "waiting" for each in self._jobs.values()) >= MOST_WAITING:
                raise Refusal(429, "too-many-requests", "too many jobs wait already", {"Retry-After": "10"})
            self._save(job)
            self._jobs[job.id] = job
            finished = [each for each in self._jobs.values() if each.finished]
            for old in finished[: max(0, len(self._jobs) - MOST_KEPT)]:
                self._files.forget(self._jobs.pop(old.id))
        self._queue.put(job)
        return job

    def _save(self, job: Job) -> None:
        """An upload must be on disk; what the server finds on its own disk can be asked for again."""
        try:
            self._files.save(job)
        except OSError as error:
            if job.is_upload:
                raise Refusal(507, "insufficient-storage", f"the upload cannot be kept: {error.strerror}") from error
            logger.warning("job is not on disk", extra={"fields": {"job": job.id, "reason": str(error)}})

    def get(self, job_id: str) -> Job | None:
        """Return a job by its id."""
        return self._jobs.get(job_id)

    def newest(self, limit: int) -> list[Job]:
        """Return jobs, the newest first."""
        with self._lock:
            return list(itertools.islice(reversed(self._jobs.values()), limit))

    def close(self) -> None:
        """Let the running job finish for a while; leave it at its next step then, and all others waiting."""
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
        """Write how a job ended; if that fails, it is done once more after a restart, which changes nothing."""
        try:
            self._files.finish(job)
        except OSError as error:
            logger.warning("job is not on disk", extra={"fields": {"job": job.id, "reason": str(error)}})

    def _try(self, job: Job) -> tuple[Mapping[str, Any] | None, Mapping[str, Any] | None]:
        """Do a job and return its result, or what went wrong."""
        try:
            return self._do(job), None
        except Stopped:
            raise
        except Exception as error:
            if not isinstance(error, CrossheadError | Refusal):
                logger.exception("job failed", extra={"fields": {"job": job.id}})
            return None, problem(error)

    def _do(self, job: Job) -> Mapping[str, Any]:
        """Do a job, as soon as no other process writes."""
        give_up = time.monotonic() + LOCKED_SECONDS

        def tell(progress: Progress) -> None:
            if self._stopping.is_set():
                raise Stopped
            job.documents_done, job.documents_total, job.texts_embedded, job.texts_total = progress

        while not self._stopping.is_set():
            try:
                return self._work(job, tell)
            except Locked:
                if time.monotonic() > give_up:
                    raise
                self._stopping.wait(0.5)
        raise Stopped
