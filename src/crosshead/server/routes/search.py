"""GET /v1/search and /v1/passages: questions to the index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import fastapi
from fastapi import APIRouter
from pydantic import Field, create_model
from starlette.responses import Response

from crosshead.search import parse_metadata
from crosshead.server.schema import HitJson, PassageJson, QueryParams, RouteAnswer, answers, search_parameters
from crosshead.server.state import Server
from crosshead.types import PassageRequest, SearchRequest

router = APIRouter(tags=["search"])


class SearchParams(QueryParams):
    """A question; its other parameters are the fields of a search that all doors offer."""

    q: str = Field(min_length=1, max_length=2000, examples=["how do I rotate keys"])
    """A question, or words; `-word`, `"a phrase"` and `a OR b` are understood."""

    def keywords(self) -> dict[str, Any]:
        """Return the parameters as the index takes them."""
        given = self.given("q", "enriched")
        return {**given, "metadata": parse_metadata(given.get("metadata", []))}


class EnrichedParams(SearchParams):
    """A question whose answer is a list of hits."""

    enriched: bool = False
    """Add to each hit `enriched_content`: its path, its heading and its content as one text."""


if TYPE_CHECKING:  # the other parameters are made from the fields of a search

    class HitParams(EnrichedParams): ...

    class PassageParams(SearchParams):
        budget_tokens: int

else:
    HitParams = create_model("HitParams", __base__=EnrichedParams, **search_parameters(SearchRequest))
    PassageParams = create_model("PassageParams", __base__=SearchParams, **search_parameters(PassageRequest))


class Hits(RouteAnswer):
    """The best chunks for a question, best first."""

    query: str
    hits: list[HitJson]  # type: ignore[valid-type]


class Passages(RouteAnswer):
    """Text to give to a reader or a language model, best first."""

    query: str
    budget_tokens: int
    token_count: int
    passages: list[PassageJson]  # type: ignore[valid-type]


@router.get("/search", responses=answers(Hits))
async def search(server: Server, asked: Annotated[HitParams, fastapi.Query()]) -> Response:
    """Find the best chunks for a question."""

    def work() -> object:
        hits = server.index.search(asked.q, **asked.keywords())
        return {"query": asked.q, "hits": [hit.to_json(enriched=asked.enriched) for hit in hits]}

    return await server.workers.search(work)


@router.get("/passages", responses=answers(Passages))
async def passages(server: Server, asked: Annotated[PassageParams, fastapi.Query()]) -> Response:
    """Find whole, cited text for a question, within a budget of tokens."""

    def work() -> object:
        found = server.index.passages(asked.q, **asked.keywords())
        return {
            "query": asked.q,
            "budget_tokens": asked.budget_tokens,
            "token_count": sum(each.token_count for each in found),
            "passages": [each.to_json() for each in found],
        }

    return await server.workers.search(work)
