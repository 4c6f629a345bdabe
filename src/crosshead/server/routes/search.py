"""/v1/search and /v1/passages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final

import fastapi
from fastapi import APIRouter
from pydantic import Field, create_model
from starlette.requests import Request
from starlette.responses import Response

from crosshead.index import Index
from crosshead.search import TRIED_FIRST, read_metadata
from crosshead.server.json_body import describe_json, read_json
from crosshead.server.openapi.examples import QUESTION, Example
from crosshead.server.openapi.schema import (
    HitJson,
    MissingJson,
    PassageJson,
    QueryParams,
    RouteAnswer,
    answers,
    search_parameters,
)
from crosshead.server.state import Server, Shared
from crosshead.types import MissingIndex, PassageRequest, SearchRequest

router = APIRouter(tags=["search"])

EXAMPLES: Final[Mapping[str, Example]] = {
    "/v1/search": lambda sample: {"query": QUESTION, "hits": [sample.hit.to_json()]},
    "/v1/passages": lambda sample: {
        "query": QUESTION,
        "budget_tokens": 2000,
        "token_count": sample.passage.token_count,
        "passages": [sample.passage.to_json()],
    },
}

EXAMPLE_BODY: Final = {"q": QUESTION, "limit": 3, "metadata": {"team": "infra"}}


class SearchParams(QueryParams):
    """A query; the other parameters are derived from the fields of `SearchRequest`."""

    OTHER_NAMES: ClassVar = {"query": "q", **TRIED_FIRST}

    q: str = Field(min_length=1, max_length=2000, examples=["how do I rotate keys"])
    """A question, or words. `-word` excludes; `"a phrase"` is required; `a OR b` requires one of them."""

    def keywords(self) -> dict[str, Any]:
        """Return the parameters as keywords of `Index.search`."""
        keywords = self.given("q", "enriched")
        return {**keywords, "metadata": read_metadata(keywords.get("metadata", []))}


class EnrichedParams(SearchParams):
    """A query for hits."""

    enriched: bool = False
    """Add `enriched_content` to each hit: its path, its heading and its content as one text."""


if TYPE_CHECKING:  # the other parameters are derived from SearchRequest

    class HitParams(EnrichedParams): ...

    class HitBody(HitParams): ...

    class PassageParams(SearchParams):
        budget_tokens: int

else:
    HitParams = create_model("HitParams", __base__=EnrichedParams, **search_parameters(SearchRequest))
    HitBody = create_model("HitBody", __base__=HitParams, **search_parameters(SearchRequest, as_json=True))
    PassageParams = create_model("PassageParams", __base__=SearchParams, **search_parameters(PassageRequest))


class Hits(RouteAnswer):
    """The best sections for a query, best first."""

    query: str
    hits: list[HitJson]  # type: ignore[valid-type]
    note: str = ""
    """Only if nothing was found: no document can meet the filters, with the values known, or all matches are weak."""
    complete: bool = True
    """Only if several indexes are searched: false if one of them could not be."""
    missing: list[MissingJson] = Field([])  # type: ignore[valid-type]
    """Only if several indexes are searched: those that could not be, and why."""


class FoundPassages(RouteAnswer):
    """Passages for a reader or a language model, best first."""

    query: str
    budget_tokens: int
    token_count: int
    passages: list[PassageJson]  # type: ignore[valid-type]
    note: str = ""
    """As in the answer of a search, like the next two."""
    complete: bool = True
    missing: list[MissingJson] = Field([])  # type: ignore[valid-type]


@router.get("/search", responses=answers(Hits))
async def search(server: Server, params: Annotated[HitParams, fastapi.Query()]) -> Response:
    """Find the sections that answer a query best."""

    def work() -> object:
        hits = server.index.search(params.q, **params.keywords())
        note = {} if hits else _note(server, params)
        shown = [hit.to_json(enriched=params.enriched) for hit in hits]
        return {"query": params.q, "hits": shown, **note, **_completeness(server, hits.missing)}

    return await server.workers.search(work)


@router.post("/search", responses=answers(Hits), openapi_extra=describe_json(HitBody, EXAMPLE_BODY))
async def search_json(server: Server, request: Request) -> Response:
    """Find the sections that answer a query best; the body has the parameters of GET as JSON."""
    params = await read_json(server, request, HitBody)
    return await search(server, params)


@router.get("/passages", responses=answers(FoundPassages))
async def passages(server: Server, params: Annotated[PassageParams, fastapi.Query()]) -> Response:
    """Find whole, cited passages for a query, within a token budget."""

    def work() -> object:
        passages = server.index.passages(params.q, **params.keywords())
        return {
            "query": params.q,
            "budget_tokens": params.budget_tokens,
            "token_count": sum(each.token_count for each in passages),
            "passages": [each.to_json() for each in passages],
            **({} if passages else _note(server, params)),
            **_completeness(server, passages.missing),
        }

    return await server.workers.search(work)


def _completeness(server: Shared, missing: Sequence[MissingIndex]) -> dict[str, Any]:
    """Return whether all of several indexes were searched."""
    if isinstance(server.index, Index):
        return {}
    return {"complete": not missing, "missing": [asdict(each) for each in missing]}


def _note(server: Shared, params: SearchParams) -> dict[str, str]:
    """Return why nothing was found, if that is known."""
    reason = server.index.why_nothing(params.q, show_all="all=true", **params.keywords())
    return {"note": reason} if reason else {}
