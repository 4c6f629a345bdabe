"""GET /v1/links: what a document or section links to, and what links to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final

import fastapi
from fastapi import APIRouter
from pydantic import Field
from starlette.responses import Response

from crosshead.server.errors import not_found
from crosshead.server.openapi.examples import Example
from crosshead.server.openapi.schema import LinkJson, QueryParams, RouteAnswer, answers
from crosshead.server.state import Server
from crosshead.types import LinksAround, ResolvedLink

router = APIRouter(tags=["lookup"])

_EXAMPLE: Final = ResolvedLink(
    "docs/guide.md", "docs/guide.md:8", "0f3b2c4d5e6f7a81", 212, "how to rotate", "keys.md#rotation", "path", "section",
    "docs/keys.md", "1a2b3c4d5e6f7a8b", "9c8d7e6f5a4b3c2d", "rotation",
)  # fmt: skip
EXAMPLES: Final[Mapping[str, Example]] = {
    "/v1/links": lambda _: LinksAround("docs/guide.md", "", (_EXAMPLE,), ()).to_json(),
}


class LinksParams(QueryParams):
    """Whose links."""

    address: str = Field(min_length=1, max_length=1000, examples=["docs/guide.md#rotation"])
    """A source, `SOURCE#anchor`, or the id of a section."""


class LinksOfPlace(RouteAnswer):
    """The links out of a document or section, and into it."""

    source: str
    section_id: str
    """Empty for a whole document."""
    out: list[LinkJson]  # type: ignore[valid-type]
    into: list[LinkJson]  # type: ignore[valid-type]
    omitted: int
    """Links of the document that the index does not keep, because there are too many."""
    more_into: bool
    """Do further documents link here?"""


@router.get("/links", responses=answers(LinksOfPlace))
async def links(server: Server, params: Annotated[LinksParams, fastapi.Query()]) -> Response:
    """Return what a document or section links to, and what links to it."""

    def work() -> object:
        found = server.index.links(params.address)
        if found is None:
            raise not_found(f"links of {params.address!r}")
        return found.to_json()

    return await server.workers.search(work)
