"""/v1/documents: what is indexed, and how it gets in and out."""

from __future__ import annotations

from asyncio import to_thread
from bisect import bisect_right
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
from crosshead.server import reading
from crosshead.server.errors import Refusal
from crosshead.server.jobs.job import Job
from crosshead.server.limits import body_pieces
from crosshead.server.paths import path_inside
from crosshead.server.routes.jobs import respond_job
from crosshead.server.routes.lookup import Id
from crosshead.server.routes.texts import BODY, stored_document
from crosshead.server.schema import (
    DocumentJson,
    JobJson,
    OutlineJson,
    QueryParams,
    RouteAnswer,
    WholeDocumentJson,
    answers,
)
from crosshead.server.state import Server, Shared
from crosshead.types import StoredDocument

router = APIRouter(prefix="/documents", tags=["documents"])

MOST_LISTED: Final = 200


class ListAsked(QueryParams):
    """Which documents are listed."""

    source: str | None = Field(None, max_length=500, examples=["docs/*"])
    """Only those with such a source: a glob."""
    limit: int = Field(50, ge=1, le=MOST_LISTED)
    after: str = Field("", max_length=2000)
    """Only those whose source comes after this one: `next` of the answer before."""


class DocumentList(RouteAnswer):
    """Documents by their sources, in order."""

    total: int
    """How many there are, on all pages."""
    next: str | None
    """What to give as `after` to see more; null at the end."""
    documents: list[DocumentJson]  # type: ignore[valid-type]


class AddAsked(QueryParams):
    """What is to be indexed: an upload, or what lies on the server already."""

    source: str | None = Field(None, max_length=500, examples=["team/guide.docx"])
    """The body is an upload of this name; it is kept in the folder `uploads` below the root."""
    path: str | None = Field(None, min_length=1, max_length=1000, examples=["docs"])
    """A file or folder below the root of the index; there is no body."""


@router.get("", responses=answers(DocumentList))
async def list_documents(server: Server, asked: Annotated[ListAsked, fastapi.Query()]) -> Response:
    """List what is indexed, in the order of the sources."""

    def work() -> object:
        sources = [each for each in server.index.sources() if asked.source is None or fnmatchcase(each, asked.source)]
        first = bisect_right(sources, asked.after) if asked.after else 0
        listed = sources[first : first + asked.limit]
        found = server.index.whole_documents([ids.document_id(each) for each in listed])
        return {
            "total": len(sources),
            "next": listed[-1] if first + len(listed) < len(sources) else None,
            "documents": _to_json(server, found),
        }

    return await server.workers.search(work)


@router.post("", status_code=202, responses=answers(JobJson, 202, "What is done in the background"), openapi_extra=BODY)
async def add(server: Server, request: Request, asked: Annotated[AddAsked, fastapi.Query()]) -> Response:
    """Index an upload, or a file or folder on the server, in the background; `Location` is the job to follow."""
    if (asked.source is None) == (asked.path is None):
        raise Refusal(422, "invalid-request", "give either `source`, with the document as the body, or `path`")
    if asked.path is not None:
        path_inside(server.index.root, asked.path)
        return respond_job(await to_thread(server.jobs.submit, Job("index", asked.path)), 202)
    path = server.uploads.place(asked.source or "")
    job = Job("index", path.relative_to(server.index.root).as_posix(), is_upload=True)
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
        raise Refusal(507, "insufficient-storage", f"the upload cannot be kept: {error.strerror}") from error


@router.get("/{id}", responses=answers(WholeDocumentJson))
async def document(server: Server, id: Id) -> Response:
    """Return a document with its text as Markdown."""

    def work() -> object:
        found = stored_document(server, id)
        return {**_to_json(server, [found])[0], "text": found.text}

    return await server.workers.search(work)


@router.get("/{id}/outline", responses=answers(OutlineJson))
async def outline(server: Server, id: Id) -> Response:
    """Return the tree of a document's sections, with their lines and tokens."""
    stored = await server.workers.ask(partial(stored_document, server, id))
    return await server.workers.read(partial(reading.with_stored, stored, reading.outline))


@router.delete("/{id}", status_code=202, responses=answers(JobJson, 202, "What is done in the background"))
async def remove(server: Server, id: Id) -> Response:
    """Remove a document from the index, in the background. Its file stays, unless it was uploaded."""
    found = await server.workers.ask(partial(stored_document, server, id))
    return respond_job(await to_thread(server.jobs.submit, Job("remove", found.source)), 202)


def _to_json(server: Shared, documents: list[StoredDocument]) -> list[dict[str, Any]]:
    listed = {each.source: each for each in server.index.listed([each.id for each in documents])}
    return [
        {
            "id": each.id,
            "source": each.source,
            "format": each.format,
            "title": each.title,
            "content_hash": each.content_hash,
            "date": each.date,
            "metadata": each.metadata,
            "language": each.language,
            "characters": len(each.text),
            "chunks": listed[each.source].chunks,
            "pending": listed[each.source].pending,
        }
        for each in documents
        if each.source in listed  # else it was removed meanwhile
    ]
