"""Writing, one job after the other in the background, so that searches go on meanwhile."""

from __future__ import annotations

import itertools
import logging
import threading
import time
import uuid
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from queue import SimpleQueue
from typing import Any, Final, Literal

from crosshead.errors import CrossheadError, Locked
from crosshead.ingest.run import Progress
from crosshead.server.errors import Refusal, problem

logger = logging.getLogger("crosshead.server")

Kind = Literal["index", "remove"]
State = Literal["waiting", "running", "done", "failed"]
Tell = Callable[[Progress], None]
Work = Callable[[Tell], Mapping[str, Any]]
"""Does a job and returns its result; what is told on the way is its progress."""

MOST_KEPT: Final = 500
MOST_WAITING: Final = 1000
LOCKED_SECONDS: Final = 60.0
"""How long a job waits for another process that writes."""
STOP_SECONDS: Final = 10.0


@dataclass(slots=True)
class Job:
    """Something that is done in the background."""

    id: str
    kind: Kind
    target: str
    """The path, or the source, that it is about."""
    state: State = "waiting"
    created: str = ""
    started: str | None = None
    finished: str | None = None
    documents_done: int = 0
    documents_total: int = 0
    texts_embedded: int = 0
    texts_total: int = 0
    result: Mapping[str, Any] | None = None
    """How many documents were added, updated, unchanged and removed, and why others failed, once it is done."""
    error: Mapping[str, Any] | None = None
    """Problem details, if it failed."""

    def to_json(self) -> dict[str, Any]:
        """Return the job by names."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


class Jobs:
    """The jobs of one server, done by one thread."""

    def __init__(self) -> None:
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._queue: SimpleQueue[tuple[Job, Work, Callable[[], object]] | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="crosshead-jobs", daemon=True)
        self._thread.start()

    def submit(self, kind: Kind, target: str, work: Work, at_end: Callable[[], object] = bool) -> Job:
        """Have something done, and something else `at_end` in any case; the oldest jobs that are done are forgotten."""
        job = Job(uuid.uuid4().hex, kind, target, created=_now())
        with self._lock:
            if sum(each.state == "waiting" for each in self._jobs.values()) >= MOST_WAITING:
                raise Refusal(429, "too-many-requests", "too many jobs wait already", {"Retry-After": "10"})
            self._jobs[job.id] = job
            finished = (each.id for each in self._jobs.values() if each.finished)
            for old in list(itertools.islice(finished, max(0, len(self._jobs) - MOST_KEPT))):
                del self._jobs[old]
        self._queue.put((job, work, at_end))
        return job

    def get(self, job_id: str) -> Job | None:
        """Return a job by its id."""
        return self._jobs.get(job_id)

    def newest(self, limit: int) -> list[Job]:
        """Return jobs, the newest first."""
        with self._lock:
            return list(itertools.islice(reversed(self._jobs.values()), limit))

    def close(self) -> None:
        """Leave the job that is being done at its next step, and all others undone."""
        self._stopping.set()
        self._queue.put(None)
        self._thread.join(STOP_SECONDS)

    def _run(self) -> None:
        while waiting := self._queue.get():
            job, work, at_end = waiting
            job.started, job.state = _now(), "running"
            job.result, job.error = self._try(job, work)
            with suppress(OSError):  # what cannot be cleaned up must not keep others from being done
                at_end()
            job.finished, job.state = _now(), "failed" if job.error else "done"
            logger.info("job", extra={"fields": {"job": job.id, "kind": job.kind, "state": job.state}})

    def _try(self, job: Job, work: Work) -> tuple[Mapping[str, Any] | None, Mapping[str, Any] | None]:
        """Do a job and return its result, or what went wrong."""
        try:
            return self._do(job, work), None
        except Exception as error:
            if not isinstance(error, CrossheadError | Refusal):
                logger.exception("job failed", extra={"fields": {"job": job.id}})
            return None, problem(error)

    def _do(self, job: Job, work: Work) -> Mapping[str, Any]:
        """Do a job, as soon as no other process writes."""
        give_up = time.monotonic() + LOCKED_SECONDS

        def tell(progress: Progress) -> None:
            if self._stopping.is_set():
                raise _stopped()
            job.documents_done, job.documents_total, job.texts_embedded, job.texts_total = progress

        while not self._stopping.is_set():
            try:
                return work(tell)
            except Locked:
                if time.monotonic() > give_up:
                    raise
                self._stopping.wait(0.5)
        raise _stopped()


def _stopped() -> Refusal:
    """Return why a job is left where its last commit is."""
    return Refusal(503, "server-stopped", "the server ended before this was done; ask again")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
