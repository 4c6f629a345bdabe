"""One line for every request."""

from __future__ import annotations

import json
import logging
import re
import sys
import time
from typing import Any

import httpx
import pytest

from crosshead.server.middleware.logs import JsonFormatter, PlainFormatter


def record(**fields: object) -> logging.LogRecord:
    made = logging.LogRecord("crosshead.server", logging.INFO, __file__, 1, "request", (), None)
    made.fields = fields
    return made


def wait_for_requests(caplog: pytest.LogCaptureFixture) -> list[Any]:
    """A request is logged when its answer has gone out, which the client may know first."""
    give_up = time.monotonic() + 30
    while time.monotonic() < give_up:
        if logged := [vars(each)["fields"] for each in caplog.records if each.getMessage() == "request"]:
            return logged
        time.sleep(0.01)
    return []


def test_requests_are_logged_without_their_query(client: httpx.Client, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "crosshead.server"):
        response = client.get("/v1/search", params={"q": "my secret plan"})
        (logged,) = wait_for_requests(caplog)
    assert (logged["method"], logged["path"], logged["status"]) == ("GET", "/v1/search", 200)
    assert logged["request_id"] == response.headers["x-request-id"]
    assert "secret" not in caplog.text


@pytest.mark.parametrize("given", ["a" * 65, "no spaces", "<b>", ""])
def test_id_that_is_none_is_replaced(client: httpx.Client, given: str) -> None:
    answered = client.get("/healthz", headers={"X-Request-ID": given}).headers["x-request-id"]
    assert re.fullmatch("[0-9a-f]{32}", answered)


def test_lines_for_programs_are_json() -> None:
    line = json.loads(JsonFormatter().format(record(path="/a", status=200)))
    assert (line["event"], line["level"], line["path"], line["status"]) == ("request", "info", "/a", 200)


def test_faults_have_a_traceback() -> None:
    try:
        raise RuntimeError("oh")
    except RuntimeError:
        made = record()
        made.exc_info = sys.exc_info()
    assert "RuntimeError: oh" in json.loads(JsonFormatter().format(made))["traceback"]


def test_path_cannot_steer_the_terminal() -> None:
    line = PlainFormatter().format(record(method="GET", path="/\x1b[31m\n", status=404, milliseconds=1.5))
    assert line.isprintable()
    assert line.endswith(" 404 1.5 ms")
