"""What all requests of a server share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Final, cast

from fastapi import Depends
from starlette.requests import Request

from crosshead.index import Index, JoinedIndex
from crosshead.server import MEBIBYTE
from crosshead.server.bounded_cache import BoundedCache
from crosshead.server.errors import Refusal
from crosshead.server.jobs.files import JobFiles
from crosshead.server.jobs.queue import Jobs, NoJobs
from crosshead.server.jobs.uploads import Uploads
from crosshead.server.jobs.writing import IndexWriter
from crosshead.server.middleware.limits import Gate
from crosshead.server.settings import ServerSettings
from crosshead.server.work import Workers

PAGE_BYTES: Final = 64 * MEBIBYTE
"""How much of pages to keep in memory."""


@dataclass
class Shared:
    """One index and its workers. Any number of threads may read the index; only jobs write."""

    index: Index | JoinedIndex
    settings: ServerSettings
    workers: Workers = field(init=False)
    jobs: Jobs | NoJobs = field(init=False)
    uploads: Uploads = field(init=False)
    job_files: JobFiles = field(init=False)
    bodies: Gate = field(init=False)
    answers: Gate = field(init=False)
    pages: BoundedCache = field(init=False)
    """Pictures and rectangles of pages."""

    def __post_init__(self) -> None:
        self.workers = Workers(self.settings)
        self.jobs = NoJobs()
        if isinstance(self.index, Index):
            self.uploads = Uploads(self.index.root)
            self.job_files = JobFiles(self.uploads.incoming)
            self.jobs = Jobs(self.job_files, IndexWriter(self.index, self.uploads, self.job_files))
        self.bodies = Gate(self.settings.max_bodies)
        self.answers = Gate(self.settings.max_answers)
        self.pages = BoundedCache(PAGE_BYTES)

    def one_index(self) -> Index:
        """Return the index, if it is only one: several are searched, and nothing else."""
        if isinstance(self.index, Index):
            return self.index
        raise Refusal(
            409, "several-indexes", "this server searches several indexes; for this, serve one: crosshead serve --index"
        )

    def close(self) -> None:
        """Stop all work where it is; the index stays open."""
        self.jobs.close()
        self.workers.close()


def _shared(request: Request) -> Shared:
    return cast(Shared, request.app.state.shared)


Server = Annotated[Shared, Depends(_shared)]
