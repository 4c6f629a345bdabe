"""GET /v1/titles: what a section filter can name."""

from __future__ import annotations

from typing import Annotated, Final

import fastapi
from fastapi import APIRouter
from pydantic import Field
from starlette.responses import Response

from crosshead.server.schema import QueryParams, RouteAnswer, answers
from crosshead.server.state import Server

router = APIRouter(tags=["search"])

MOST_TITLES: Final = 100


class TitlesAsked(QueryParams):
    """Which titles are meant."""

    beginning: str = Field(min_length=1, max_length=200, examples=["inst"])
    """How a word of the title begins, without case."""
    limit: int = Field(20, ge=1, le=MOST_TITLES)


class Titles(RouteAnswer):
    """Titles of sections, each once; first those that begin so themselves."""

    titles: list[str]


@router.get("/titles", responses=answers(Titles))
async def titles(server: Server, asked: Annotated[TitlesAsked, fastapi.Query()]) -> Response:
    """Find titles of sections in all documents, to be used as `section_filter`."""
    return await server.workers.search(lambda: {"titles": server.index.titles(asked.beginning, asked.limit)})
