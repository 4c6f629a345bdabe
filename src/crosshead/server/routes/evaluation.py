"""POST /v1/evaluation: how well searches answer the questions that were rated, with one or two settings."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import Response

from crosshead.evaluation import (
    Difference,
    Evaluation,
    Evidence,
    Question,
    compare,
    evaluate,
    intervals,
    load_questions,
)
from crosshead.index import Index
from crosshead.options import SearchMode
from crosshead.server.json_body import describe_json, read_json
from crosshead.server.openapi.examples import QUESTION, Example
from crosshead.server.openapi.schema import QueryParams, RouteAnswer, answers
from crosshead.server.state import Server

router = APIRouter(tags=["evaluation"])

MOST_QUESTIONS: Final = 400
"""The last ones; more would take longer than a page can wait."""
MOST_WORST: Final = 20
RANK_FIGURE: Final = "mrr@10"
EXAMPLE_BODY: Final = {"settings": {}, "other": {"mode": "lexical"}}
_INTERVAL: Final = {"mean": 0.8, "low": 0.7, "high": 0.9}
EXAMPLES: Final[Mapping[str, Example]] = {
    "/v1/evaluation": lambda _: {
        "questions": 40,
        "left_out": 0,
        "figures": {RANK_FIGURE: _INTERVAL},
        "other": {RANK_FIGURE: {**_INTERVAL, "mean": 0.75}},
        "differences": {RANK_FIGURE: {"mean": 0.05, "low": 0.01, "high": 0.09}},
        "worst": [{"question": QUESTION, "rank": None, "other_rank": 4}],
    }
}


Weight = Annotated[float | None, Field(ge=0, le=10)]


class SettingsBody(BaseModel, extra="forbid", use_attribute_docstrings=True):
    """Search settings; those that are not set are the defaults of the index."""

    mode: SearchMode | None = None
    dense_weight: Weight = None
    heading_weight: Weight = None
    entity_weight: Weight = None
    rerank_weight: Weight = None
    rerank: Literal["maxsim", "none"] | None = None

    def keywords(self) -> dict[str, Any]:
        """Return them as keywords of `Index.search`."""
        return {name: value for name, value in self if value is not None}


class EvaluationBody(QueryParams):
    """Which settings to evaluate."""

    settings: SettingsBody = SettingsBody()
    other: SettingsBody | None = None
    """Settings to compare with."""


class Interval(BaseModel):
    """A mean, with its 95 % interval."""

    mean: float
    low: float
    high: float


class RankedQuestion(RouteAnswer):
    """How well one question is answered."""

    question: str
    rank: int | None
    """The rank of the first hit that answers; null if it is not within ten."""
    other_rank: int | None = None
    """The same with the other settings."""


class Evaluated(RouteAnswer):
    """Figures over all questions that were rated."""

    questions: int
    left_out: int
    """Questions whose documents are not in the index any more, or that are older than the last 400."""
    figures: dict[str, Interval]
    other: dict[str, Interval] | None = None
    differences: dict[str, Interval] | None = None
    """How much higher the figures of the first settings are."""
    worst: list[RankedQuestion]
    """Questions that are answered worst, with the first settings."""


@router.post("/evaluation", responses=answers(Evaluated), openapi_extra=describe_json(EvaluationBody, EXAMPLE_BODY))
async def evaluate_settings(server: Server, request: Request) -> Response:
    """Measure how well searches answer the questions that were rated, and compare two settings."""
    body = await read_json(server, request, EvaluationBody)
    return await server.workers.search(lambda: _evaluated(server.one_index(), body))


def _evaluated(index: Index, body: EvaluationBody) -> dict[str, Any]:
    rated = load_questions(index.questions_file) if index.questions_file.exists() else []
    questions = _answerable(rated, index.sources())[-MOST_QUESTIONS:]
    found: dict[str, Any] = {"questions": len(questions), "left_out": len(rated) - len(questions)}
    if not questions:
        return {**found, "figures": {}, "worst": []}
    first = evaluate(index, questions, **body.settings.keywords())
    found["figures"] = _as_json(intervals(first))
    other = evaluate(index, questions, **body.other.keywords()) if body.other else None
    if other:
        found["other"] = _as_json(intervals(other))
        found["differences"] = _as_json(compare(first, other))
    return {**found, "worst": _worst(first, other)}


def _answerable(questions: Sequence[Question], sources: Sequence[str]) -> list[Question]:
    """Return the questions that documents of the index answer, with these documents."""
    known = frozenset(sources)
    kept = (each._replace(required=tuple(_known_groups(each, known))) for each in questions)
    return [each for each in kept if each.required]


def _known_groups(question: Question, known: Collection[str]) -> Iterator[tuple[Evidence, ...]]:
    groups = (tuple(item for item in group if item.file in known) for group in question.required)
    return filter(None, groups)


def _as_json(figures: Mapping[str, Difference]) -> dict[str, Any]:
    return {name: each._asdict() for name, each in figures.items()}


def _worst(first: Evaluation, other: Evaluation | None) -> list[dict[str, Any]]:
    order = sorted(range(len(first.questions)), key=lambda at: first.figures[at][RANK_FIGURE])
    return [
        {
            "question": first.questions[at].text,
            "rank": _rank(first, at),
            **({"other_rank": _rank(other, at)} if other else {}),
        }
        for at in order[:MOST_WORST]
        if first.figures[at][RANK_FIGURE] < 1
    ]


def _rank(evaluation: Evaluation, at: int) -> int | None:
    reciprocal = evaluation.figures[at][RANK_FIGURE]
    return round(1 / reciprocal) if reciprocal else None
