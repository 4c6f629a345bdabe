"""GET /v1/search and /v1/passages: questions to the index."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Final, Literal

import fastapi
from fastapi import APIRouter
from pydantic import Field
from starlette.responses import Response

from crosshead.errors import OptionsError
from crosshead.options import SearchMode
from crosshead.server.schema import Answer, HitJson, PassageJson, Query, answers
from crosshead.server.state import Server

router = APIRouter(tags=["search"])

MOST_HITS: Final = 100
MOST_TOKENS: Final = 100_000


class Asked(Query):
    """A question, and what it is limited to."""

    q: str = Field(min_length=1, max_length=2000, examples=["how do I rotate keys"])
    """A question, or words; `-word`, `"a phrase"` and `a OR b` are understood."""
    mode: SearchMode = "hybrid"
    """`lexical` compares words, `dense` vectors, `hybrid` both."""
    section_filter: str | None = Field(None, max_length=500, examples=["Install*"])
    """Only sections with such a title or breadcrumb: a glob without case."""
    source: str | None = Field(None, max_length=500, examples=["docs/*.md"])
    """Only documents with such a source: a glob."""
    format: str | None = Field(None, max_length=50)
    """Only documents of this format."""
    metadata: list[str] = Field([], max_length=20, examples=[["team=infra"]])
    """Only documents whose metadata says so, as KEY=VALUE; may be repeated."""
    since: date | None = None
    """Only documents of this day or later."""
    until: date | None = None
    """Only documents of this day or earlier."""
    per_document: int | None = Field(None, ge=1, le=MOST_HITS)
    """Most hits of one document."""
    min_score: float = Field(0.0, ge=0, le=1)
    """Leave out what scores less."""
    rerank: Literal["maxsim", "none"] | None = None
    """Let this reranker judge the first hits anew; an index that keeps tokens compares them unless this is `none`."""

    def to_index(self) -> dict[str, Any]:
        """Return the question as the index takes it."""
        return {**self.given("q"), "metadata": dict(map(_pair, self.metadata))}


class HitsAsked(Asked):
    """A question whose answer is a list of hits."""

    limit: int = Field(10, ge=1, le=MOST_HITS)
    expand_context: bool = False
    """Add the chunks above and beside each hit."""
    enriched: bool = False
    """Add to each hit `enriched_content`: its path, its heading and its content as one text."""


class PassagesAsked(Asked):
    """A question whose answer is text to read."""

    budget_tokens: int = Field(2000, ge=1, le=MOST_TOKENS)
    """Tokens that the passages may have in all."""
    limit: int = Field(30, ge=1, le=MOST_HITS)
    """Hits that passages are put together from."""


class Hits(Answer):
    """The best chunks for a question, best first."""

    query: str
    hits: list[HitJson]  # type: ignore[valid-type]


class Passages(Answer):
    """Text to give to a reader or a language model, best first."""

    query: str
    budget_tokens: int
    token_count: int
    passages: list[PassageJson]  # type: ignore[valid-type]


@router.get("/search", responses=answers(Hits))
async def search(server: Server, asked: Annotated[HitsAsked, fastapi.Query()]) -> Response:
    """Find the best chunks for a question."""

    def work() -> object:
        given = asked.to_index()
        enriched = given.pop("enriched", False)
        hits = server.index.search(asked.q, **given)
        return {"query": asked.q, "hits": [hit.to_json(enriched=enriched) for hit in hits]}

    return await server.workers.search(work)


@router.get("/passages", responses=answers(Passages))
async def passages(server: Server, asked: Annotated[PassagesAsked, fastapi.Query()]) -> Response:
    """Find whole, cited text for a question, within a budget of tokens."""

    def work() -> object:
        found = server.index.passages(asked.q, **asked.to_index())
        return {
            "query": asked.q,
            "budget_tokens": asked.budget_tokens,
            "token_count": sum(each.token_count for each in found),
            "passages": [each.to_json() for each in found],
        }

    return await server.workers.search(work)


def _pair(pair: str) -> tuple[str, Any]:
    key, equals, value = pair.partition("=")
    if not equals or not key.strip():
        raise OptionsError(f"metadata={pair!r} says nothing: write KEY=VALUE, as in team=infra")
    return key.strip(), value
