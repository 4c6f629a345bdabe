"""GET /v1/jobs: background jobs."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from crosshead.runtime.json_output import json_bytes
from crosshead.server.errors import not_found
from crosshead.server.jobs.job import Job
from crosshead.server.openapi.schema import JobJson, RouteAnswer, answers
from crosshead.server.state import Server

router = APIRouter(tags=["jobs"])


class JobList(RouteAnswer):
    """The last jobs, newest first."""

    jobs: list[JobJson]  # type: ignore[valid-type]


@router.get("/jobs", responses=answers(JobList))
async def jobs(server: Server, limit: Annotated[int, Query(ge=1, le=500)] = 50) -> Response:
    """List jobs, newest first."""
    found = [job.to_json() for job in server.jobs.newest(limit)]
    return Response(json_bytes({"jobs": found}), media_type="application/json")


@router.get("/jobs/{id}", responses=answers(JobJson))
async def job(server: Server, id: Annotated[str, Path(pattern="^[0-9a-f]{32}$")]) -> Response:
    """Return a job with its progress."""
    found = server.jobs.get(id)
    if found is None:
        raise not_found(f"job {id}")
    return respond_job(found)


def respond_job(job: Job, status: int = 200) -> Response:
    """Return a job, with its address in `Location`."""
    headers = {"Location": f"/v1/jobs/{job.id}"}
    return Response(json_bytes(job.to_json()), status, headers, media_type="application/json")
