"""The OpenAPI document is true: requests made from it get the answers that it describes."""

from __future__ import annotations

from contextlib import nullcontext, suppress
from itertools import product
from typing import Any

import httpx
import jsonschema_rs
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from tests.support.effort import tries


def is_no_fault(_context: Any, response: Any, _case: Any) -> None:
    """Others from 501 on are described, as where a model is not installed."""
    assert response.status_code != 500, response.text


CHECKS = [
    is_no_fault,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


def test_requests_get_what_is_described(client: httpx.Client) -> None:
    base = str(client.base_url).rstrip("/")
    schema = schemathesis.openapi.from_url(f"{base}/openapi.json")
    operations = [found.ok() for found in schema.get_all_operations()]
    for operation, mode in product(operations, GenerationMode):

        @settings(
            max_examples=tries(8, 25),
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.explicit, Phase.generate],
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def ask(case: Any) -> None:
            case.call_and_validate(checks=CHECKS, base_url=base)

        with suppress(Unsatisfiable) if mode is GenerationMode.NEGATIVE else nullcontext():  # nothing can be wrong
            ask()
    assert len(operations) == 30


def test_names_are_those_of_the_contract(client: httpx.Client) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    assert {(path, *sorted(operations)) for path, operations in paths.items()} == {
        ("/healthz", "get"),
        ("/v1/extract", "post"),
        ("/v1/chunk", "post"),
        ("/v1/check", "post"),
        ("/v1/documents", "get", "post"),
        ("/v1/documents/{id}", "delete", "get"),
        ("/v1/documents/{id}/blocks", "get"),
        ("/v1/documents/{id}/figures", "get"),
        ("/v1/documents/{id}/figures/{number}", "get"),
        ("/v1/documents/{id}/original", "get"),
        ("/v1/documents/{id}/outline", "get"),
        ("/v1/documents/{id}/pages/{page}", "get"),
        ("/v1/documents/{id}/pages/{page}.png", "get"),
        ("/v1/jobs", "get"),
        ("/v1/jobs/{id}", "get"),
        ("/v1/search", "get", "post"),
        ("/v1/answer", "post"),
        ("/v1/verify", "post"),
        ("/v1/ratings", "post"),
        ("/v1/evaluation", "post"),
        ("/v1/passages", "get"),
        ("/v1/chunks/{id}", "get"),
        ("/v1/sections/{id}", "get"),
        ("/v1/status", "get"),
        ("/v1/titles", "get"),
        ("/v1/links", "get"),
        ("/v1/related", "get"),
    }


@pytest.mark.parametrize("name", ["max_tokens", "strategy", "oversize", "explain", "tokenizer", "source", "format"])
def test_parameters_are_explained(client: httpx.Client, name: str) -> None:
    described = client.get("/openapi.json").json()["paths"]["/v1/chunk"]["post"]["parameters"]
    [parameter] = [each for each in described if each["name"] == name]
    assert parameter["description"] or parameter["schema"]["description"]


def test_examples_are_what_their_schemas_say(client: httpx.Client) -> None:
    described, checked = client.get("/openapi.json").json(), 0
    for operations in described["paths"].values():
        for operation in operations.values():
            contents = [kind for each in operation["responses"].values() for kind in each.get("content", {}).values()]
            for content in contents:
                if "example" in content:
                    schema = {**content["schema"], "components": described["components"]}
                    jsonschema_rs.validator_for(schema).validate(content["example"])
                    checked += 1
    assert checked > 100


def test_all_errors_are_problems(client: httpx.Client) -> None:
    described = client.get("/openapi.json").json()
    for operations in described["paths"].values():
        for operation in operations.values():
            for status, response in operation["responses"].items():
                assert (int(status) < 400) == ("application/problem+json" not in response.get("content", {}))
