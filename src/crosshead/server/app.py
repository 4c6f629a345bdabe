"""One index -> the application: routes, page, and the middleware in front of them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any, Final

from fastapi import APIRouter, FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware

from crosshead.errors import CrossheadError
from crosshead.index import Index, JoinedIndex
from crosshead.server import page
from crosshead.server.errors import PROBLEM_TYPE, Refusal, handle, handle_invalid
from crosshead.server.middleware.guard import Guard
from crosshead.server.middleware.limits import RequestGate
from crosshead.server.middleware.logs import REQUEST_ID, RequestLog
from crosshead.server.openapi.examples import make_examples, make_problem
from crosshead.server.openapi.schema import ProblemJson
from crosshead.server.routes import (
    answers,
    documents,
    evaluation,
    figures,
    health,
    jobs,
    links,
    lookup,
    originals,
    pages,
    proofs,
    ratings,
    related,
    search,
    texts,
    titles,
)
from crosshead.server.settings import ServerSettings
from crosshead.server.state import Shared

DESCRIPTION: Final = """\
Documents in, whole cited sections out. Names are those of the Python library. A request body is the document itself;
everything else is a query parameter. Errors are problem details (RFC 9457) whose `type` names the error."""
ROUTES: Final = (
    texts, documents, originals, pages, figures, jobs,
    search, related, answers, proofs, ratings, evaluation, titles, lookup, links, health,
)  # fmt: skip
"""In the order of the OpenAPI document. A module has a `router`, and may have `EXAMPLES` of answers."""
PROBLEMS: Final = {
    400: "An option is invalid",
    401: "The token is missing or wrong",
    403: "The path or the origin is not allowed",
    404: "Not found",
    408: "The body took too long to arrive",
    409: "It conflicts with another write, or with what exists",
    413: "The document is too large",
    415: "The format is not supported",
    421: "The host is not this server",
    422: "The request or the document is invalid",
    429: "The server is busy",
    500: "An error in Crosshead",
    501: "An optional package is not installed, or the server has no language model",
    502: "The server of the embedder or of the language model failed",
    503: "The index cannot be read at the moment",
    504: "The answer took too long",
    507: "The upload could not be stored",
}


def create_app(index: Index | JoinedIndex, settings: ServerSettings | None = None) -> FastAPI:
    """Return the application for an index, or several; the caller closes the index."""
    settings = settings or ServerSettings()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.shared = Shared(index, settings)
        yield
        app.state.shared.close()

    app = FastAPI(
        title="Crosshead",
        version=version("crosshead"),
        description=DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,  # it loads scripts from other servers; the page has its own
        redoc_url=None,
        middleware=_middleware(settings),
        responses={status: {"description": text} for status, text in PROBLEMS.items()},
    )
    for error in (CrossheadError, Refusal, HTTPException):
        app.add_exception_handler(error, handle)
    app.add_exception_handler(RequestValidationError, handle_invalid)
    app.include_router(health.health_router)
    api = APIRouter(prefix="/v1")
    for route in ROUTES:
        api.include_router(route.router)
    app.include_router(api)
    page.mount(app)
    app.openapi = lambda: _describe(app, bearer=bool(settings.token))  # type: ignore[method-assign]
    return app


def _middleware(settings: ServerSettings) -> list[Middleware]:
    """Return the middleware, outermost first."""
    cors = Middleware(
        CORSMiddleware,
        allow_origins=settings.cors_origins,
        allow_methods=("GET", "POST", "DELETE"),
        allow_headers=("Authorization", "Content-Type", REQUEST_ID),
        expose_headers=("Location", REQUEST_ID),
    )
    return [
        Middleware(RequestLog),
        *([cors] if settings.cors_origins else []),
        Middleware(Guard, settings),
        Middleware(RequestGate, settings),
    ]


def _describe(app: FastAPI, *, bearer: bool) -> dict[str, Any]:
    """Return the OpenAPI document, in which all errors have the same schema."""
    if app.openapi_schema:
        return app.openapi_schema
    described = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
    problem = {"schema": {"$ref": "#/components/schemas/Problem"}, "example": make_problem()}
    examples = make_examples(getattr(route, "EXAMPLES", {}) for route in ROUTES)
    for path, operations in described["paths"].items():
        for operation in operations.values():
            for status, response in operation["responses"].items():
                if int(status) >= 400:
                    response["content"] = {PROBLEM_TYPE: problem}
                elif path in examples:
                    response["content"]["application/json"]["example"] = examples[path]
    schemas = described["components"]["schemas"]
    schemas["Problem"] = ProblemJson.model_json_schema()
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    if bearer:
        described["components"]["securitySchemes"] = {"bearer": {"type": "http", "scheme": "bearer"}}
        described["security"] = [{"bearer": []}]
    app.openapi_schema = described
    return described
