"""/v1/documents: list, add, read and remove documents of the index."""

from __future__ import annotations

from asyncio import to_thread
from bisect import bisect_right
from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final

import fastapi
from fastapi import APIRouter
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from crosshead import ids
from crosshead.errors import OriginalMissing
from crosshead.server import reading
from crosshead.server.blocks import describe_blocks
from crosshead.server.errors import Refusal, not_found
from crosshead.server.jobs.job import Job
from crosshead.server.middleware.limits import body_pieces
from crosshead.server.openapi.examples import Example
from crosshead.server.openapi.schema import (
    DocumentJson,
    JobJson,
    OutlineJson,
    QueryParams,
    RouteAnswer,
    WholeDocumentJson,
    answers,
)
from crosshead.server.paths import path_inside
from crosshead.server.routes.jobs import respond_job
from crosshead.server.routes.lookup import Id
from crosshead.server.routes.texts import BODY, stored_document
from crosshead.server.state import Server, Shared
from crosshead.types import ListedDocument, parse_given

router = APIRouter(prefix="/documents", tags=["documents"])

EXAMPLES: Final[Mapping[str, Example]] = {
    "/v1/documents/{id}/outline": lambda sample: reading.outline(sample.document),
    "/v1/documents/{id}/blocks": lambda sample: describe_blocks(sample.document),
}

MOST_LISTED: Final = 200
_SHOWN: Final = (
    "source", "format", "title", "content_hash", "date", "metadata", "language", "characters", "chunks", "pending",
)  # fmt: skip


class ListParams(QueryParams):
    """Which documents to list."""

    source: str | None = Field(None, max_length=500, examples=["docs/*"])
    """Only documents whose source matches this glob, or contains this text, ignoring case."""
    limit: int = Field(50, ge=1, le=MOST_LISTED)
    after: str = Field("", max_length=2000)
    """Only documents whose source comes after this one: `next` of the previous page."""


class DocumentList(RouteAnswer):
    """A page of documents, in the order of their sources."""

    total: int
    """Documents on all pages."""
    next: str | None
    """The value of `after` for the next page; null on the last one."""
    documents: list[DocumentJson]  # type: ignore[valid-type]


class TextBlock(RouteAnswer):
    """A block of a document, or a part of a long one."""

    kind: str
    start: int
    """Offset of its first character in `text`."""
    end: int
    line: int
    """Its first line in `text`."""
    place: str
    """Where that line is in the file, as citations name it: `12`, `p. 3`; empty if they name only the section."""
    prefix: str
    """What makes a later part of a block of code readable alone: the line that opens its fence."""
    continues: bool
    """Is it a later part of a block?"""


class DocumentBlocks(RouteAnswer):
    """A document for reading."""

    id: str
    source: str
    format: str
    title: str
    content_hash: str
    characters: int
    text: str
    """Markdown."""
    no_original: str
    """Why its file cannot be returned, such as that it has changed since it was indexed; empty if it can."""
    has_pages: bool
    """Whether its pages can be shown: those of PDF, and those of office programs where LibreOffice is installed."""
    outline: OutlineJson
    blocks: list[TextBlock]


class AddParams(QueryParams):
    """What to index: an upload, or a path on the server."""

    source: str | None = Field(None, max_length=500, examples=["team/guide.docx"])
    """Name of the upload in the body; it is stored in the folder `uploads` below the root."""
    path: str | None = Field(None, min_length=1, max_length=1000, examples=["docs"])
    """A file or folder below the root of the index; the request has no body."""
    metadata: list[str] = Field([], max_length=20, examples=[["team=infra"]])
    """Metadata of the documents: `team=infra`, or `tags=a,b` for a list. Without it, they keep what they have."""


@router.get("", responses=answers(DocumentList))
async def list_documents(server: Server, params: Annotated[ListParams, fastapi.Query()]) -> Response:
    """List the documents of the index by source."""

    def work() -> object:
        sources = [each for each in server.index.sources() if not params.source or _matches(each, params.source)]
        first = bisect_right(sources, params.after) if params.after else 0
        listed = sources[first : first + params.limit]
        return {
            "total": len(sources),
            "next": listed[-1] if first + len(listed) < len(sources) else None,
            "documents": [_to_json(each) for each in server.index.documents(listed)],
        }

    return await server.workers.search(work)


def _matches(source: str, wanted: str) -> bool:
    source, wanted = source.casefold(), wanted.casefold()
    return fnmatchcase(source, wanted) if "*" in wanted or "?" in wanted else wanted in source


@router.post("", status_code=202, responses=answers(JobJson, 202, "The background job"), openapi_extra=BODY)
async def add(server: Server, request: Request, params: Annotated[AddParams, fastapi.Query()]) -> Response:
    """Index an upload, or a file or folder on the server, in the background; `Location` is the address of the job."""
    if (params.source is None) == (params.path is None):
        raise Refusal(422, "invalid-request", "set either `source`, with the document as the body, or `path`")
    metadata = parse_given(params.metadata) if params.metadata else None
    root = server.one_index().root
    if params.path is not None:
        path_inside(root, params.path)
        return respond_job(await to_thread(server.jobs.submit, Job("index", params.path, metadata)), 202)
    path = server.uploads.place(params.source or "")
    job = Job("index", path.relative_to(root).as_posix(), metadata, is_upload=True)
    document = _incoming(server, job)
    await server.uploads.receive(document, body_pieces(request, server.settings))
    try:
        return respond_job(await to_thread(server.jobs.submit, job), 202)
    except Refusal:
        document.unlink()
        raise


def _incoming(server: Shared, job: Job) -> Path:
    try:
        return server.job_files.document(job.id)
    except OSError as error:
        raise Refusal(507, "insufficient-storage", f"the upload could not be stored: {error.strerror}") from error


@router.get("/{id}", responses=answers(WholeDocumentJson))
async def document(server: Server, id: Id) -> Response:
    """Return a document with its text as Markdown."""

    def work() -> object:
        document = stored_document(server, id)
        for listed in server.index.documents([document.source]):
            return {**_to_json(listed), "text": document.text}
        raise not_found(f"document {id}")  # it was removed meanwhile

    return await server.workers.search(work)


@router.get("/{id}/outline", responses=answers(OutlineJson))
async def outline(server: Server, id: Id) -> Response:
    """Return the tree of a document's sections, with their lines and tokens."""
    stored = await server.workers.ask(partial(stored_document, server, id))
    return await server.workers.read(partial(reading.with_stored, stored, reading.outline))


@router.get("/{id}/blocks", responses=answers(DocumentBlocks))
async def blocks(server: Server, id: Id) -> Response:
    """Return a document for reading: its text, its blocks with their places in the file, and its outline."""
    stored = await server.workers.ask(partial(stored_document, server, id))
    no_original = await server.workers.fetch(partial(_why_no_original, server, id))
    step = partial(describe_blocks, no_original=no_original)
    return await server.workers.read(partial(reading.with_stored, stored, step))


def _why_no_original(server: Shared, id: str) -> str:
    try:
        server.index.original(id, below_root=True)
    except OriginalMissing as error:
        return error.reason
    return ""


@router.delete("/{id}", status_code=202, responses=answers(JobJson, 202, "The background job"))
async def remove(server: Server, id: Id) -> Response:
    """Remove a document from the index, in the background. Its file is kept, unless it was uploaded."""
    server.one_index()
    found = await server.workers.ask(partial(stored_document, server, id))
    return respond_job(await to_thread(server.jobs.submit, Job("remove", found.source)), 202)


def _to_json(document: ListedDocument) -> dict[str, Any]:
    return {"id": ids.document_id(document.source), **{name: getattr(document, name) for name in _SHOWN}}
