"""Errors -> problem details (RFC 9457).

Every error of the library has a status, and a type made from its name: `TooLarge` is `urn:crosshead:too-large`.
A `Refusal` is an error that only a server has.
"""

from __future__ import annotations

import re
import reprlib
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from crosshead import errors
from crosshead.runtime.json_output import json_bytes

PROBLEM_TYPE: Final = "application/problem+json"

STATUSES: Final[Mapping[type[errors.CrossheadError], int]] = {
    errors.CrossheadError: 500,
    errors.OptionsError: 400,
    errors.ExtractError: 422,
    errors.UnsupportedFormat: 415,
    errors.CorruptFile: 422,
    errors.EncryptedFile: 422,
    errors.TooLarge: 413,
    errors.ReaderCrashed: 422,
    errors.ReadingTimedOut: 504,
    errors.InvariantViolated: 500,
    errors.MissingExtra: 501,
    errors.EmbedError: 502,
    errors.AnswerError: 502,
    errors.StoreError: 500,
    errors.IndexNotFound: 503,
    errors.ModelNotChosen: 503,
    errors.MigrationRequired: 503,
    errors.OptionsMismatch: 409,
    errors.Unstorable: 422,
    errors.Locked: 409,
    errors.IndexReplaced: 503,
    errors.IndexChanged: 503,
    errors.IncompleteIndex: 503,
    errors.CorruptIndex: 500,
    errors.Unreachable: 503,
    errors.AccessDenied: 503,
    errors.UnsuitableServer: 503,
    errors.IngestError: 422,
    errors.OriginalMissing: 404,
    errors.OriginalChanged: 409,
    errors.OutsideRoot: 403,
    errors.NoSuchPage: 404,
    errors.NoSuchFigure: 404,
}


_WORDS: Final = {
    "int": "must be a whole number",
    "float": "must be a number",
    "finite_number": "must be a number",
    "bool": "must be true or false",
    "literal_error": "is not one of {expected}",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "string_too_short": "must not be empty",
    "string_too_long": "must have at most {max_length} characters",
    "too_long": "must have at most {max_length} values",
    "string_pattern_mismatch": "must match {pattern}",
    "string": "must be a string",
}
"""What is wrong with a value, by the beginning of pydantic's name for it."""


class Refusal(Exception):
    """A request that the server refuses, with its HTTP status."""

    def __init__(self, status: int, name: str, detail: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status = status
        self.name = name
        self.headers = headers or {}


def not_found(what: str) -> Refusal:
    """Return the refusal for something that does not exist."""
    return Refusal(404, "not-found", f"{what} not found")


def problem(error: Exception) -> dict[str, Any]:
    """Return the problem details of an error; an unexpected one reveals nothing about itself."""
    if isinstance(error, Refusal):
        return _problem(error.status, error.name, str(error))
    if isinstance(error, errors.CrossheadError):
        return _problem(*problem_parts(error))
    if isinstance(error, HTTPException):
        status = HTTPStatus(error.status_code)
        return _problem(status, _kebab(status.phrase.title().replace(" ", "")), str(error.detail))
    return _problem(500, "internal-error", "an error in Crosshead; please report it with the server's log")


def problem_parts(error: errors.CrossheadError) -> tuple[int, str, str]:
    """Return the status, name and message of a library error."""
    kind = next(each for each in type(error).__mro__ if each in STATUSES)
    return STATUSES[kind], _kebab(kind.__name__), str(error)


def respond(error: Exception, request_id: str) -> Response:
    """Return an error as a response."""
    details = problem(error)
    headers = dict(getattr(error, "headers", None) or {})
    if isinstance(error, errors.Locked):
        headers["Retry-After"] = "1"
    body = json_bytes({**details, "request_id": request_id})
    return Response(body, details["status"], headers, media_type=PROBLEM_TYPE)


async def handle(request: Request, error: Exception) -> Response:
    """Answer a request that failed."""
    return respond(error, request.scope.get("request_id", ""))


async def handle_invalid(request: Request, error: Any) -> Response:
    """Answer a request whose parameters or body do not match the OpenAPI document."""
    detail = invalid_values(error.errors(), depth=1)
    return await handle(
        request, Refusal(422, "invalid-request", detail or "the request does not match its description")
    )


def invalid_values(errors: Iterable[Mapping[str, Any]], *, depth: int) -> str:
    """Return the errors of pydantic as one line, in the words of the library; `depth` is where they name the value."""
    wrong: dict[Any, str] = {}  # the first error of each value
    for each in errors:
        wrong.setdefault(each["loc"][: depth + 1], _describe(each, depth))
    return "; ".join(wrong.values())


def _describe(error: Mapping[str, Any], depth: int) -> str:
    cause, name = error.get("ctx", {}).get("error"), ".".join(map(str, error["loc"][depth : depth + 1]))
    if isinstance(cause, errors.OptionsError):
        return str(cause)
    if not name:
        return "the body must be a JSON object"
    if error["type"] == "missing":
        return f"{name} is missing"
    found = next((text for kind, text in _WORDS.items() if error["type"].startswith(kind)), error["msg"])
    limits = {each: str(value).replace("'", "") for each, value in error.get("ctx", {}).items()}
    return f"{name}={reprlib.repr(error['input'])} {found.format_map(limits)}"


def _problem(status: int, name: str, detail: str) -> dict[str, Any]:
    return {
        "type": f"urn:crosshead:{name}",
        "title": name.replace("-", " ").capitalize(),
        "status": int(status),
        "detail": detail,
    }


def _kebab(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()
