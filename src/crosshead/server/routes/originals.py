"""GET /v1/documents/{id}/original: the file of a document, as it was indexed."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any, Final
from urllib.parse import quote

from fastapi import APIRouter
from starlette.responses import Response

from crosshead.server.errors import not_found
from crosshead.server.routes.lookup import Id
from crosshead.server.state import Server

router = APIRouter(prefix="/documents", tags=["documents"])

SHOWN: Final = {
    b"%PDF-": "application/pdf",
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF8": "image/gif",
}
"""Types that a browser may show, by the first bytes; it has to save all others, because they might be pages."""
SAVED: Final = "application/octet-stream"
SAFE_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "private, no-cache",
}
ANSWER: Final[dict[Any, Any]] = {
    200: {
        "description": "The file",
        "content": {each: {"schema": {"type": "string", "format": "binary"}} for each in (*SHOWN.values(), SAVED)},
    }
}


@router.get("/{id}/original", responses=ANSWER, response_class=Response)
async def original(server: Server, id: Id) -> Response:
    """Return the file of a document, if it is below the root and has not changed since it was indexed."""

    def read() -> tuple[bytes, str]:
        found = server.index.original(id, below_root=True)
        if found is None:
            raise not_found(f"document {id}")
        return found.read(), PurePosixPath(found.source).name

    async with server.bodies.passing():
        return respond_file(*await server.workers.fetch(read))


def respond_file(data: bytes, name: str) -> Response:
    """Return bytes that may come from anywhere, so that a browser shows only types that cannot run anything."""
    type = next((type for start, type in SHOWN.items() if data.startswith(start)), SAVED)
    how = "attachment" if type == SAVED else "inline"
    headers = {**SAFE_HEADERS, "Content-Disposition": f"{how}; filename*=UTF-8''{quote(name, safe='')}"}
    return Response(data, headers=headers, media_type=type)
