"""GET /healthz and /v1/status: is the server there, and what does the index hold?"""

from __future__ import annotations

from dataclasses import asdict
from importlib.metadata import version

from fastapi import APIRouter
from starlette.responses import Response

from crosshead.formats import known_formats
from crosshead.server.schema import RouteAnswer, StatusJson, answers
from crosshead.server.state import Server

health_router = APIRouter(tags=["status"])
router = APIRouter(tags=["status"])


class Health(RouteAnswer):
    """The server is there, and its index can be read."""

    status: str
    version: str


@health_router.get("/healthz", responses=answers(Health))
async def healthz(server: Server) -> Response:
    """Tell whether questions can be answered."""

    def work() -> object:
        server.index.chunk("0" * 16)  # raises if the store does not answer
        return {"status": "ok", "version": version("crosshead")}

    return await server.workers.search(work)


@router.get("/status", responses=answers(StatusJson))
async def status(server: Server) -> Response:
    """Tell what the index holds and what it was made with, which formats are read, and how large a body may be."""

    def work() -> object:
        return {
            **asdict(server.index.status()),
            "version": version("crosshead"),
            "formats": [each.name for each in known_formats()],
            "max_body_bytes": server.settings.max_body_bytes,
        }

    return await server.workers.search(work)
