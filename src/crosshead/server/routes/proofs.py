"""POST /v1/verify: is an answer in the spans that it cites?"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from crosshead.errors import OptionsError
from crosshead.proof import certify, verify
from crosshead.server.json_body import describe_json
from crosshead.server.middleware.limits import read_body
from crosshead.server.openapi.examples import QUESTION, Example, ExampleData
from crosshead.server.openapi.schema import AnswerJson, ProofJson, answers
from crosshead.server.state import Server, Shared
from crosshead.types import StoredDocument

router = APIRouter(tags=["answers"])


def _proved(sample: ExampleData) -> object:
    document = sample.document
    stored = StoredDocument(
        document.id, document.source, document.format, document.title, document.text, "", document.content_hash, "", {}
    )
    answer = certify("Once a year [1].", [sample.passage], {document.id: stored}, question=QUESTION)
    return verify(answer, {document.source: stored}, lambda citation: None).to_json()


EXAMPLES: Final[Mapping[str, Example]] = {"/v1/verify": _proved}
EXAMPLE_BODY: Final = {
    "text": "Rotate them once a year [1].",
    "citations": [{"n": 1, "source": "guide.md", "citation": "guide.md:1-3"}],
}


@router.post("/verify", responses=answers(ProofJson), openapi_extra=describe_json(AnswerJson, EXAMPLE_BODY))
async def verify_answer(server: Server, request: Request) -> Response:
    """Check an answer against the documents that it cites; the body is the answer as JSON."""
    async with server.bodies.passing():
        data = await read_body(request, server.settings)
    return await server.workers.search(partial(_verify, server, data))


def _verify(server: Shared, data: bytes) -> dict[str, Any]:
    try:
        value = json.loads(data)
    except ValueError as error:
        raise OptionsError(f"the body is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise OptionsError("the body must be an answer as a JSON object")
    return server.index.verify(value).to_json()
