"""POST /v1/extract, /v1/chunk and /v1/check: documents that are not indexed.

The body is the document itself; `document_id` takes an indexed document instead.
"""

from __future__ import annotations

from collections.abc import Mapping
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
from crosshead.server.middleware.limits import read_body
from crosshead.server.openapi.examples import TEXT, Example
from crosshead.server.openapi.schema import (
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

EXAMPLES: Final[Mapping[str, Example]] = {
    "/v1/extract": lambda sample: reading.describe(sample.document),
    "/v1/chunk": lambda sample: reading.cut(sample.document, options=sample.options, texts=True),
    "/v1/check": lambda sample: reading.check(sample.document, options=sample.options),
}

BODY: Final = {
    "requestBody": {
        "description": "The document itself. Its content decides the format, then the name in `source`.",
        "content": {
            "application/octet-stream": {"schema": {"type": "string", "format": "binary"}},
            "text/plain": {"schema": {"type": "string"}, "example": TEXT},
        },
    }
}


class DocumentParams(QueryParams):
    """Which document to read."""

    source: str | None = Field(None, max_length=500, examples=["guide.md"])
    """The name of the document; its suffix decides the format if the content does not."""
    format: str | None = Field(None, max_length=50, examples=["markdown"])
    """The format, if content and name should not decide; Markdown if nothing does."""
    document_id: str | None = Field(None, pattern="^[0-9a-f]{16}(@[0-9a-f]{6})?$")
    """An indexed document to use instead of the body."""


class TextParams(DocumentParams):
    """How to turn the document into Markdown."""

    main_content: str | None = None
    """HTML: `auto` leaves out navigation and other text around the main content, `off` keeps the whole body."""
    comments: bool | None = None
    """DOCX, PPTX, XLSX: keep the reviewers' comments, as footnotes or quotes."""
    heading_numbers: bool | None = None
    """DOCX: write the numbers that a list style puts before headings into their text."""
    ocr: Literal["auto", "never"] | None = None
    """PDF pages without text, and images: `auto` recognizes their text if the server has the extra `ocr`."""


class ChunksParams(TextParams):
    """What to return about chunks."""

    texts: bool = True
    """False omits the texts, for clients that have the document and slice it by `start` and `end`."""


if TYPE_CHECKING:
    CheckParams = TextParams
    ChunkParams = ChunksParams
else:
    CheckParams = query_of(ChunkOptions, TextParams, "CheckParams")
    ChunkParams = query_of(ChunkOptions, ChunksParams, "ChunkParams")


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
async def extract(server: Server, request: Request, params: Annotated[TextParams, fastapi.Query()]) -> Response:
    """Turn a document of any format into structured Markdown."""
    return await _answer(server, request, params, reading.describe)


@router.post("/chunk", responses=answers(ChunkList), openapi_extra=BODY)
async def chunk(server: Server, request: Request, params: Annotated[ChunkParams, fastapi.Query()]) -> Response:
    """Cut a document into chunks; with `explain`, their notes say why each one begins and ends where it does."""
    options = chunk_options(**_options(params, ChunkOptions))
    return await _answer(server, request, params, partial(reading.cut, options=options, texts=params.texts))


@router.post("/check", responses=answers(ReportJson), openapi_extra=BODY)
async def check(server: Server, request: Request, params: Annotated[CheckParams, fastapi.Query()]) -> Response:
    """Cut a document into chunks, and check the guarantees on them."""
    options = chunk_options(**_options(params, ChunkOptions))
    return await _answer(server, request, params, partial(reading.check, options=options))


async def _answer(server: Shared, request: Request, params: TextParams, step: reading.Step) -> Response:
    options = extract_options(**_options(params, ExtractOptions))
    if request.headers.get("content-type", "").startswith("multipart/"):
        raise Refusal(
            415, "unsupported-media-type", "send the document itself as the body, not a form: --data-binary @FILE"
        )
    async with server.bodies.passing():
        data = await read_body(request, server.settings)
        if params.document_id:
            stored = await server.workers.ask(partial(stored_document, server, params.document_id))
            return await server.workers.read(partial(reading.with_stored, stored, step))
        return await server.workers.read(partial(reading.with_body, data, params.source, params.format, options, step))


def stored_document(server: Shared, document_id: str) -> StoredDocument:
    """Return an indexed document."""
    document = server.index.document(document_id)
    if document is None:
        raise not_found(f"document {document_id}")
    return document


def _options(params: BaseModel, kind: type[ChunkOptions] | type[ExtractOptions]) -> dict[str, Any]:
    names = {each.name for each in fields(kind)}
    return {name: value for name, value in params if name in names and value is not None}
