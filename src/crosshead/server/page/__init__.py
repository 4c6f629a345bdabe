"""The page, and the description of the API at `/docs`: static files, and the policy that a browser applies to them.

They contain nothing from documents, so they need no token. The policy allows scripts and styles from this server only,
forbids turning text into markup, and forbids sending data elsewhere. Pictures are fetched by the page, because they may
need the token, and shown from its memory (`blob:`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from fastapi import FastAPI
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

FOLDER: Final = Path(__file__).parent
PAGE_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
        "trusted-types 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache",
}
SERVED: Final = (".css", ".js", ".svg")


class PageFiles(StaticFiles):
    """Serves the files of the page only."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file with the headers of the policy."""
        response = await super().get_response(path if path.endswith(SERVED) else "none", scope)
        response.headers.update(PAGE_HEADERS)
        return response


def mount(app: FastAPI) -> None:
    """Serve the page at the root, and the description of the API at `/docs`."""

    @app.get("/", include_in_schema=False)
    async def index() -> Response:
        return FileResponse(FOLDER / "index.html", headers=PAGE_HEADERS)

    @app.get("/docs", include_in_schema=False)
    async def docs() -> Response:
        return FileResponse(FOLDER / "docs/docs.html", headers=PAGE_HEADERS)

    @app.get("/favicon.ico", include_in_schema=False)
    async def icon() -> Response:
        return FileResponse(FOLDER / "icon.svg", headers=PAGE_HEADERS)

    app.mount("/page", PageFiles(directory=FOLDER), name="page")
