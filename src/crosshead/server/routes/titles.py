"""GET /v1/titles: section titles, to be used as `section_filter`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final

import fastapi
from fastapi import APIRouter
from pydantic import Field
from starlette.responses import Response

from crosshead.server.openapi.examples import Example
from crosshead.server.openapi.schema import QueryParams, RouteAnswer, answers
from crosshead.server.state import Server

router = APIRouter(tags=["search"])

EXAMPLES: Final[Mapping[str, Example]] = {
    "/v1/titles": lambda sample: {"titles": list(sample.chunk.section_path)},
}

MOST_TITLES: Final = 100


class TitlesParams(QueryParams):
    """Which titles to find."""

    beginning: str = Field(min_length=1, max_length=200, examples=["inst"])
    """The beginning of a word of the title, ignoring case."""
    limit: int = Field(20, ge=1, le=MOST_TITLES)


class Titles(RouteAnswer):
    """Titles of sections, each once; those that begin with it come first."""

    titles: list[str]


@router.get("/titles", responses=answers(Titles))
async def titles(server: Server, params: Annotated[TitlesParams, fastapi.Query()]) -> Response:
    """Find titles of sections in all documents, for `section_filter`."""
    return await server.workers.search(lambda: {"titles": server.index.titles(params.beginning, params.limit)})
