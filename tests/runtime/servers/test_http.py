from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.embedding.servers import running_server, with_status

from crosshead.errors import EmbedError
from crosshead.runtime.servers import http
from crosshead.runtime.servers.http import Endpoint, Retry, back_off, parse_retry_after, post_json

NOW = datetime(2024, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7", 7),
        (" 0 ", 0),
        ("Mon, 01 Jan 2024 00:01:00 GMT", 60),
        ("Mon, 01 Jan 2024 00:01:00 -0000", 60),
        ("Sun, 31 Dec 2023 00:00:00 GMT", 0),
        ("", None),
        ("soon", None),
        ("-1", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(value: str, seconds: float | None) -> None:
    assert parse_retry_after(value, NOW) == seconds


@given(st.integers(1, 60), st.floats(0, 1))
def test_waits_double_and_have_a_limit(attempt: int, chance: float) -> None:
    wait = back_off(Retry(first_wait_seconds=0.5, max_wait_seconds=60), attempt, chance)
    longest = min(0.5 * 2 ** (attempt - 1), 60)
    assert longest / 2 <= wait <= longest


def test_endless_answer_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "MAX_ANSWER_BYTES", 100)
    with running_server() as server:
        server.faults = [with_status(200, b"x" * 101)]
        with pytest.raises(EmbedError, match="not a model server"):
            post_json(Endpoint(server.url, "hint"), "/", {"input": []}, is_final=lambda _: False)


def test_proxy_of_the_environment_is_not_asked_for_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://proxy.invalid:1")
    monkeypatch.delenv("no_proxy", raising=False)
    with running_server() as server:
        answer = post_json(Endpoint(server.url, "hint"), "/", {"model": "m", "input": ["a"]}, is_final=lambda _: False)
    assert answer.status == 200
