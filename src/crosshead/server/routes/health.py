"""GET /healthz and /v1/status: is the server there, and what does the index hold?"""

from __future__ import annotations

from dataclasses import asdict
from importlib.metadata import version

from fastapi import APIRouter
from starlette.responses import Response

from crosshead.formats import known_formats
from crosshead.server.openapi.schema import RouteAnswer, StatusJson, answers
from crosshead.server.state import Server

health_router = APIRouter(tags=["status"])
router = APIRouter(tags=["status"])


class Health(RouteAnswer):
    """The server is up, and its index can be read."""

    status: str
    version: str


@health_router.get("/healthz", responses=answers(Health))
async def healthz(server: Server) -> Response:
    """Check that the server can answer queries."""

    def work() -> object:
        server.index.chunk("0" * 16)  # raises if the store does not answer
        return {"status": "ok", "version": version("crosshead")}

    return await server.workers.search(work)


@router.get("/status", responses=answers(StatusJson))
async def status(server: Server) -> Response:
    """Return what the index holds, its settings, and what the server offers: formats, largest body, language model."""

    def work() -> object:
        return {
            **asdict(server.index.status()),
            "version": version("crosshead"),
            "formats": [each.name for each in known_formats()],
            "max_body_bytes": server.settings.max_body_bytes,
            "language_model": server.settings.llm,
        }

    return await server.workers.search(work)
