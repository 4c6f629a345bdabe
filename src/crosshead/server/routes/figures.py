"""GET /v1/documents/{id}/figures: the pictures of a document, read from its file when they are asked for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from hashlib import sha256
from typing import Annotated, Any, Final

import fastapi
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from crosshead.formats import image_type
from crosshead.indexing import FigureFile
from crosshead.server.errors import not_found
from crosshead.server.openapi.examples import Example
from crosshead.server.openapi.schema import FigureJson, RouteAnswer, answers
from crosshead.server.routes.lookup import Id
from crosshead.server.routes.originals import SAFE_HEADERS
from crosshead.server.state import Server, Shared
from crosshead.types import Figure

router = APIRouter(prefix="/documents", tags=["documents"])

_EXAMPLE: Final = Figure(
    1, "A gauge above a valve", "Figure 3: Pressure in the valve", 4810, 4857, 212, "docs/valves.md:212"
)
EXAMPLES: Final[Mapping[str, Example]] = {
    "/v1/documents/{id}/figures": lambda _: {"figures": [_EXAMPLE.to_json()]},
}
_TYPES: Final = ("image/png", "image/jpeg", "image/gif", "image/webp")
PICTURE: Final[dict[Any, Any]] = {
    200: {
        "description": "The picture",
        "content": {each: {"schema": {"type": "string", "format": "binary"}} for each in _TYPES},
    },
    304: {"description": "The client has it: its `If-None-Match` names it"},
}
Number = Annotated[int, fastapi.Path(ge=1, le=1_000_000, examples=[1])]


class DocumentFigures(RouteAnswer):
    """The pictures of a document in order."""

    figures: list[FigureJson]  # type: ignore[valid-type]


@router.get("/{id}/figures", responses=answers(DocumentFigures))
async def figures(server: Server, id: Id) -> Response:
    """Return the pictures of a document, with their captions, alternative texts and places."""
    file = await server.workers.fetch(partial(_open, server, id))
    return await server.workers.read(partial(_list, file))


@router.get("/{id}/figures/{number}", responses=PICTURE, response_class=Response)
async def figure(request: Request, server: Server, id: Id, number: Number) -> Response:
    """Return a picture of a document by its number: PNG, JPEG, GIF or WebP; others are refused."""
    async with server.bodies.passing():
        file = await server.workers.fetch(partial(_open, server, id))
        data = await server.workers.isolate(partial(_read, file, number))
    tag = f'"{sha256(data).hexdigest()[:32]}"'
    headers = {**SAFE_HEADERS, "ETag": tag}
    if tag in request.headers.get("If-None-Match", ""):
        return Response(status_code=304, headers=headers)
    return Response(data, headers=headers, media_type=image_type(data))


def _open(server: Shared, id: str) -> FigureFile:
    file = server.index.figures(id, below_root=True)
    if file is None:
        raise not_found(f"document {id}")
    return file


def _list(file: FigureFile) -> object:
    return {"figures": [each.to_json() for each in file.list()]}


def _read(file: FigureFile, number: int) -> bytes:
    return file.read(number).data
