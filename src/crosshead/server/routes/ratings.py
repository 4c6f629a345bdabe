"""POST /v1/ratings: thumbs on hits and answers, which become questions for an evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fastapi import APIRouter
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import Response

from crosshead.evaluation import Evidence, rate
from crosshead.server.json_body import describe_json, read_json
from crosshead.server.openapi.examples import QUESTION, Example
from crosshead.server.openapi.schema import QueryParams, RouteAnswer, answers
from crosshead.server.state import Server

router = APIRouter(tags=["evaluation"])

MOST_LINES: Final = 50
EXAMPLES: Final[Mapping[str, Example]] = {"/v1/ratings": lambda _: {"question": QUESTION, "good": True}}
EXAMPLE_BODY: Final = {"q": QUESTION, "good": True, "lines": [{"source": "guide.md", "start_line": 1, "end_line": 3}]}


class RatedLines(BaseModel, extra="forbid"):
    """Lines of a document, as hits, passages and the citations of an answer have them."""

    source: str = Field(min_length=1, max_length=4000)
    start_line: int = Field(ge=1)
    end_line: int = Field(ge=1)


class RatingBody(QueryParams):
    """What answers a question, or does not."""

    q: str = Field(min_length=1, max_length=2000)
    """The question."""
    good: bool
    """Whether the lines answer it."""
    lines: list[RatedLines] = Field(min_length=1, max_length=MOST_LINES)
    """The lines of a hit, or all that an answer cites."""


class Rated(RouteAnswer):
    """A rating that was kept."""

    question: str
    good: bool


@router.post("/ratings", responses=answers(Rated), openapi_extra=describe_json(RatingBody, EXAMPLE_BODY))
async def rate_lines(server: Server, request: Request) -> Response:
    """Keep what a person thinks of a hit or an answer; `crosshead eval` and `crosshead tune` use it as a question."""
    body = await read_json(server, request, RatingBody)
    rated = [Evidence(each.source, each.start_line, max(each.start_line, each.end_line)) for each in body.lines]

    def work() -> object:
        rate(server.one_index().questions_file, body.q, rated, good=body.good)
        return {"question": body.q, "good": body.good}

    return await server.workers.search(work)
