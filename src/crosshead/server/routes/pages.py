"""GET /v1/documents/{id}/pages/{page}: the pages of a document, with marks where they show a text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from hashlib import sha256
from typing import Annotated, Any, Final

import fastapi
from fastapi import APIRouter
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from crosshead.formats import PDF
from crosshead.indexing import PagedFile
from crosshead.runtime.json_output import json_bytes
from crosshead.server.errors import not_found
from crosshead.server.openapi.examples import Example
from crosshead.server.openapi.schema import PageJson, QueryParams, answers
from crosshead.server.routes.lookup import Id
from crosshead.server.routes.originals import SAFE_HEADERS
from crosshead.server.state import Server, Shared
from crosshead.types import PageBox, PageView, PictureSize, TextSpan

router = APIRouter(prefix="/documents", tags=["documents"])

EXAMPLES: Final[Mapping[str, Example]] = {
    "/v1/documents/{id}/pages/{page}": lambda _: PageView(
        3, 595.0, 842.0, (PageBox(72.0, 96.5, 310.2, 12.1),), pages=12, start=4810, end=7204, share=1.0
    ).to_json(),
}
PICTURE: Final[dict[Any, Any]] = {
    200: {
        "description": "The picture of the page",
        "content": {"image/png": {"schema": {"type": "string", "format": "binary"}}},
    },
    304: {"description": "The client has it: its `If-None-Match` names it"},
}
Number = Annotated[int, fastapi.Path(ge=0, le=1_000_000, examples=[3])]


class HighlightParams(QueryParams):
    """Which text to look for on a page."""

    highlight: str | None = Field(None, pattern=r"^\d{1,10}-\d{1,10}$", examples=["5010-5182"])
    """The part of the document's text to mark: `start` and `end` of a hit, a chunk or a section."""

    def span(self, document_id: str) -> TextSpan | None:
        """Return the part of the text."""
        return TextSpan(document_id, *map(int, self.highlight.split("-"))) if self.highlight else None


class PictureParams(HighlightParams):
    """Which text to mark, and how large the picture is."""

    scale: float = Field(1.5, ge=0.1, le=4.0)
    """Pixels per point; 1 shows a page in its size on paper at 72 dots per inch. Very large pages become smaller."""
    width: int | None = Field(None, ge=16, le=4096)
    """The width in pixels, instead of `scale`."""


@router.get("/{id}/pages/{page}.png", responses=PICTURE, response_class=Response)
async def picture(
    request: Request, server: Server, id: Id, page: Number, params: Annotated[PictureParams, fastapi.Query()]
) -> Response:
    """Return the picture of a page as PNG, with marks where it shows `highlight`; page 0 is the first one that does."""
    file = await server.workers.fetch(partial(_open, server, id))
    size = PictureSize(params.scale, params.width or 0)
    work = partial(PagedFile.draw, page=page, size=size, span=params.span(id))
    return await _answer(request, server, file, f"{page} {size} {params.highlight}", work, "image/png")


@router.get("/{id}/pages/{page}", responses=answers(PageJson))
async def view(
    request: Request, server: Server, id: Id, page: Number, params: Annotated[HighlightParams, fastapi.Query()]
) -> Response:
    """Return the size of a page, the rectangles where it shows `highlight`, and where its text is in the document."""
    file = await server.workers.fetch(partial(_open, server, id))
    work = partial(_view, page=page, span=params.span(id))
    return await _answer(request, server, file, f"{page} {params.highlight}", work, "application/json")


def _open(server: Shared, id: str) -> PagedFile:
    file = server.index.pages(id, below_root=True)
    if file is None:
        raise not_found(f"document {id}")
    return file


def _view(file: PagedFile, page: int, span: TextSpan | None) -> bytes:
    return json_bytes(file.view(page, span).to_json())


async def _answer(
    request: Request, server: Shared, file: PagedFile, wanted: str, work: Callable[[PagedFile], bytes], type: str
) -> Response:
    """Return what work makes of a file, unless the client or the cache has it."""
    made_of = f"{file.original.digest} {file.document.content_hash} {type} {wanted}"
    tag = f'"{sha256(made_of.encode()).hexdigest()[:32]}"'
    headers = {**SAFE_HEADERS, "ETag": tag}
    if tag in request.headers.get("If-None-Match", ""):
        return Response(status_code=304, headers=headers)
    body = server.pages.get(tag)
    if body is None:
        printed = file if file.original.format == PDF else await server.workers.print(file.printed)
        body = await server.workers.isolate(partial(work, printed))
        server.pages.put(tag, body)
    return Response(body, headers=headers, media_type=type)
