"""The parts of an index, each brought up to date by a task of a Ray cluster that reads, cuts, embeds and commits.

A task has one core. If its worker or node is lost, Ray starts it again, and it goes on from what was committed. Every
node must reach the parts, see the same files at the same paths, and have the same versions of Crosshead and its models.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any, Final, NamedTuple

from crosshead.errors import CrossheadError, IngestError, OptionsError
from crosshead.formats import own_formats
from crosshead.indexing.adding import AddRequest, add_files
from crosshead.indexing.engines.driver import RayCluster
from crosshead.indexing.opened import IndexSettings, OpenedIndex
from crosshead.indexing.parts.run import PartWork
from crosshead.indexing.recipe import PIPELINE_VERSION
from crosshead.indexing.steps.run import AddResult
from crosshead.indexing.steps.source_file import SourceFile

MOST_TRIES: Final = 3
LOST_LEASE_SECONDS: Final = 120
"""How long a repeated task waits for the lock of the one that was lost."""


class PartJob(NamedTuple):
    """What a task needs to know."""

    location: str
    settings: IndexSettings
    request: AddRequest
    files: Sequence[SourceFile]
    removed: Sequence[str]
    wait_seconds: float
    pipeline_version: int = PIPELINE_VERSION
    """Of the process that gives the job."""


def add_on_cluster(
    works: Sequence[PartWork], settings: IndexSettings, request: AddRequest
) -> Iterator[tuple[PartWork, AddResult | CrossheadError]]:
    """Yield the result of each part, or why it has none, as soon as it is there."""
    if own_formats() or (settings.extract and callable(settings.extract.ocr)):
        raise OptionsError(
            "Ray does not know formats and functions that you register in this process: use engine='local'"
        )
    here = replace(request, engine="local", ray_address=None, jobs=1)
    jobs = [
        PartJob(each.index.location, settings, here, each.files, each.removed, LOST_LEASE_SECONDS) for each in works
    ]
    with closing(RayCluster(request.ray_address, request.jobs)) as cluster:
        for packed in cluster.run(_in_tasks, jobs, request.jobs):
            number, result = pickle.loads(packed)
            yield works[number], result


def _in_tasks(ray: Any, jobs: Sequence[PartJob], most: int | None) -> Iterator[bytes]:
    """Yield the results of jobs; at most as many run at once."""
    task = ray.remote(num_cpus=1, max_retries=MOST_TRIES)(_add_part)
    left = [*enumerate(jobs)][::-1]
    running: dict[Any, int] = {}
    while left or running:
        while left and len(running) < (most or len(jobs)):
            number, job = left.pop()
            running[task.remote(job)] = number
        (done,), _ = ray.wait([*running])
        number = running.pop(done)
        try:
            yield pickle.dumps((number, ray.get(done)))
        except ray.exceptions.RayError as error:
            reason = str(error).strip().rpartition("\n")[2].rstrip(".")
            yield pickle.dumps((number, IngestError(f"{jobs[number].location}: {reason}")))


def _add_part(job: PartJob) -> AddResult | CrossheadError:
    """Bring a part up to date; an error is a result, because Ray would wrap it."""
    try:
        if job.pipeline_version != PIPELINE_VERSION:
            raise IngestError("another version of Crosshead is installed here: install the same everywhere")
        index = OpenedIndex(
            job.location,
            job.settings,
            create=False,
            may_differ=True,
            find_documents=lambda: (),
            wait_seconds=job.wait_seconds,
        )
        with closing(index):
            return add_files(index, job.request, job.files, job.removed)
    except CrossheadError as error:
        return IngestError(f"{job.location}: {error.reason}")
