"""POST /v1/answer: an answer of the server's language model, which cites passages."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AsyncExitStack
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from fastapi import APIRouter
from pydantic import create_model
from starlette.requests import Request
from starlette.responses import Response

from crosshead.answering import AnswerStream
from crosshead.runtime.json_output import json_bytes
from crosshead.server.answer_events import EVENTS, AnswerEvents, read_parts
from crosshead.server.errors import Refusal
from crosshead.server.json_body import describe_json, read_json
from crosshead.server.openapi.examples import QUESTION, Example
from crosshead.server.openapi.schema import ProvedAnswerJson, answers, search_parameters
from crosshead.server.routes.search import SearchParams
from crosshead.server.state import Server, Shared
from crosshead.types import AnswerRequest

router = APIRouter(tags=["search"])

EXAMPLES: Final[Mapping[str, Example]] = {"/v1/answer": lambda sample: sample.answer.to_json()}
EXAMPLE_BODY: Final = {"q": QUESTION, "budget_tokens": 1500}

if TYPE_CHECKING:  # the parameters are derived from AnswerRequest

    class AnswerBody(SearchParams): ...

else:
    AnswerBody = create_model("AnswerBody", __base__=SearchParams, **search_parameters(AnswerRequest, as_json=True))


@router.post("/answer", responses=answers(ProvedAnswerJson), openapi_extra=describe_json(AnswerBody, EXAMPLE_BODY))
async def answer(server: Server, request: Request) -> Response:
    """Answer a question from passages, which the answer cites, with the server's language model.

    With `Accept: text/event-stream` the answer comes as server-sent events: `sources` with the passages, `text` with
    each part of the text, then `answer` with all of it, or `error` with problem details. If no passage answers, no
    model is asked, and `note` says why.
    """
    model = server.settings.llm
    if not model:
        raise Refusal(501, "no-language-model", "this server has no language model: start it with --llm MODEL")
    params = await read_json(server, request, AnswerBody)

    def start() -> AnswerStream:
        return server.index.stream_answer(params.q, llm=model, show_all="all=true", **params.keywords())

    async with AsyncExitStack() as stack:
        await stack.enter_async_context(server.answers.passing())
        stream = await server.workers.ask(start)
        parts = read_parts(stream, request, server.workers.answering)
        describe = partial(server.workers.ask, partial(_describe, server, stream))
        if EVENTS in request.headers.get("accept", ""):
            return AnswerEvents(stream, parts, describe, stack.pop_all())
        async for _ in parts:
            pass
        return Response(json_bytes(await describe()), media_type="application/json")


def _describe(server: Shared, stream: AnswerStream) -> dict[str, Any]:
    """Return the whole answer with its proof."""
    answer = stream.answer
    return {**answer.to_json(), **({"proof": server.index.verify(answer).to_json()} if answer.text else {})}
