"""Bodies that are JSON: how the OpenAPI document describes them, and how they are read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError
from starlette.requests import Request

from crosshead.server.middleware.limits import read_body
from crosshead.server.state import Shared

Params = TypeVar("Params", bound=BaseModel)


def describe_json(kind: type[BaseModel], example: Mapping[str, Any]) -> dict[str, Any]:
    """Return how the OpenAPI document describes a body."""
    content = {"application/json": {"schema": kind.model_json_schema(), "example": dict(example)}}
    return {"requestBody": {"required": True, "content": content}}


async def read_json(server: Shared, request: Request, kind: type[Params]) -> Params:
    """Return the body of a request, checked."""
    async with server.bodies.passing():
        data = await read_body(request, server.settings)
    try:
        return kind.model_validate_json(data)
    except ValidationError as error:
        raise RequestValidationError([{**each, "loc": ("body", *each["loc"])} for each in error.errors()]) from error
