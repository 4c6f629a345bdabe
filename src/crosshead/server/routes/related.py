"""GET /v1/related: the sections of other documents that are nearest to a text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final

import fastapi
from fastapi import APIRouter
from pydantic import Field
from starlette.responses import Response

from crosshead.server.errors import not_found
from crosshead.server.openapi.examples import SCORE, Example
from crosshead.server.openapi.schema import QueryParams, RelatedJson, RouteAnswer, answers
from crosshead.server.state import Server
from crosshead.types import RelatedSection

router = APIRouter(tags=["search"])

MOST: Final = 100
EXAMPLES: Final[Mapping[str, Example]] = {
    "/v1/related": lambda sample: {"sections": [RelatedSection(sample.chunk, SCORE, "vectors", 0.0, False).to_json()]},
}


class RelatedParams(QueryParams):
    """What to compare."""

    text: str = Field(min_length=1, max_length=1000, examples=["docs/guide.md:8-16"])
    """A citation, a source, or the id of a section or chunk."""
    limit: int = Field(10, ge=1, le=MOST)


class Related(RouteAnswer):
    """Sections of other documents, nearest first."""

    sections: list[RelatedJson]  # type: ignore[valid-type]


@router.get("/related", responses=answers(Related))
async def related(server: Server, params: Annotated[RelatedParams, fastapi.Query()]) -> Response:
    """Find the sections of other documents that are nearest to a text of the index, by stored vectors; mark copies."""

    def work() -> object:
        found = server.index.related(params.text, params.limit)
        if found is None:
            raise not_found(f"text at {params.text!r}")
        return {"sections": [each.to_json() for each in found]}

    return await server.workers.search(work)
