"""POST /v1/extract, /v1/chunk and /v1/check: what becomes of a document.

The body is the document as it is; everything else is in the address. `document_id` takes an indexed one instead.
"""

from __future__ import annotations

from dataclasses import fields
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import fastapi
from fastapi import APIRouter
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import Response

from crosshead.options import ChunkOptions, ExtractOptions, chunk_options, extract_options
from crosshead.server import reading
from crosshead.server.errors import Refusal, not_found
from crosshead.server.examples import TEXT
from crosshead.server.limits import read_body
from crosshead.server.schema import (
    BriefChunkJson,
    ChunkJson,
    OptionsJson,
    OutlineJson,
    QueryParams,
    ReportJson,
    RouteAnswer,
    answers,
    query_of,
)
from crosshead.server.state import Server, Shared
from crosshead.types import StoredDocument

router = APIRouter(tags=["documents that are not indexed"])

BODY: Final = {
    "requestBody": {
        "description": "The document, as it is. Its content decides the format, then the name in `source`.",
        "content": {
            "application/octet-stream": {"schema": {"type": "string", "format": "binary"}},
            "text/plain": {"schema": {"type": "string"}, "example": TEXT},
        },
    }
}


class DocumentAsked(QueryParams):
    """Which document it is."""

    source: str | None = Field(None, max_length=500, examples=["guide.md"])
    """What the document is called; its suffix tells the format where the content does not."""
    format: str | None = Field(None, max_length=50, examples=["markdown"])
    """The format, whatever content and name say; without all three it is Markdown."""
    document_id: str | None = Field(None, pattern="^[0-9a-f]{16}$")
    """An indexed document to take instead of the body."""


class TextAsked(DocumentAsked):
    """How the document is turned into Markdown."""

    main_content: str | None = None
    """HTML: `auto` leaves out navigation and other text around the main content, `off` keeps the whole body."""
    comments: bool | None = None
    """DOCX, PPTX, XLSX: keep the reviewers' comments, as footnotes or quotes."""
    heading_numbers: bool | None = None
    """DOCX: write the numbers that a list style puts before headings into their text."""
    ocr: Literal["auto", "never"] | None = None
    """PDF pages without text, and images: `auto` recognizes their text if the server has the extra `ocr`."""


class ChunksAsked(TextAsked):
    """What is told about the chunks."""

    texts: bool = True
    """With false only what somebody needs who has the text, and cuts it by `start` and `end`."""


if TYPE_CHECKING:
    CheckAsked = TextAsked
    ChunkAsked = ChunksAsked
else:
    CheckAsked = query_of(ChunkOptions, TextAsked, "CheckAsked")
    ChunkAsked = query_of(ChunkOptions, ChunksAsked, "ChunkAsked")


class Text(RouteAnswer):
    """A document as Markdown, with its tree of sections."""

    id: str
    source: str
    format: str
    title: str
    text: str
    content_hash: str
    front_matter: dict[str, Any]
    warnings: list[str]
    """What is malformed in the text, such as a fence that is never closed."""
    outline: OutlineJson


class ChunkList(RouteAnswer):
    """The chunks of a document, in order."""

    source: str
    format: str
    title: str
    options: OptionsJson  # type: ignore[valid-type]
    warnings: list[str]
    """What is malformed in the text, such as a fence that is never closed."""
    chunks: list[ChunkJson | BriefChunkJson]  # type: ignore[valid-type]


@router.post("/extract", responses=answers(Text), openapi_extra=BODY)
async def extract(server: Server, request: Request, asked: Annotated[TextAsked, fastapi.Query()]) -> Response:
    """Turn a document of any format into Markdown that keeps its structure."""
    return await _answer(server, request, asked, reading.describe)


@router.post("/chunk", responses=answers(ChunkList), openapi_extra=BODY)
async def chunk(server: Server, request: Request, asked: Annotated[ChunkAsked, fastapi.Query()]) -> Response:
    """Cut a document into chunks; with `explain` their notes say why each begins and ends where it does."""
    options = chunk_options(**_options(asked, ChunkOptions))
    return await _answer(server, request, asked, partial(reading.cut, options=options, texts=asked.texts))


@router.post("/check", responses=answers(ReportJson), openapi_extra=BODY)
async def check(server: Server, request: Request, asked: Annotated[CheckAsked, fastapi.Query()]) -> Response:
    """Cut a document into chunks and test the guarantees of chunking on them."""
    options = chunk_options(**_options(asked, ChunkOptions))
    return await _answer(server, request, asked, partial(reading.check, options=options))


async def _answer(server: Shared, request: Request, asked: TextAsked, step: reading.Step) -> Response:
    options = extract_options(**_options(asked, ExtractOptions))
    if request.headers.get("content-type", "").startswith("multipart/"):
        raise Refusal(
            415, "unsupported-media-type", "send the document itself as the body, not a form: --data-binary @FILE"
        )
    async with server.bodies.passing():
        data = await read_body(request, server.settings)
        if asked.document_id:
            stored = await server.workers.ask(partial(stored_document, server, asked.document_id))
            return await server.workers.read(partial(reading.with_stored, stored, step))
        return await server.workers.read(partial(reading.with_body, data, asked.source, asked.format, options, step))


def stored_document(server: Shared, document_id: str) -> StoredDocument:
    """Return an indexed document."""
    found = server.index.whole_documents([document_id])
    if not found:
        raise not_found(f"document {document_id}")
    return found[0]


def _options(asked: BaseModel, kind: type[ChunkOptions] | type[ExtractOptions]) -> dict[str, Any]:
    names = {each.name for each in fields(kind)}
    return {name: value for name, value in asked if name in names and value is not None}
