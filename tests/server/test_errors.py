"""Every error has its problem."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from crosshead import errors
from crosshead.index import Index
from crosshead.server.errors import STATUSES, problem


def all_errors(kind: type[errors.CrossheadError] = errors.CrossheadError) -> Iterator[type[errors.CrossheadError]]:
    yield kind
    for each in kind.__subclasses__():
        yield from all_errors(each)


def test_every_error_of_the_library_has_a_status() -> None:
    assert {each for each in all_errors() if each.__module__ == errors.__name__} == set(STATUSES)


def test_types_are_the_names_of_the_errors() -> None:
    told = problem(errors.UnsupportedFormat("no reader"))
    assert told == {
        "type": "urn:crosshead:unsupported-format",
        "title": "Unsupported format",
        "status": 415,
        "detail": "no reader",
    }
    assert problem(errors.MissingExtra("server", "Serving"))["status"] == 501


def test_own_error_of_a_user_is_that_of_its_parent() -> None:
    class Mine(errors.CorruptFile):
        pass

    assert problem(Mine("broken"))["type"] == "urn:crosshead:corrupt-file"


@pytest.mark.parametrize(("method", "path", "status"), [("GET", "/nowhere", 404), ("PUT", "/v1/search", 405)])
def test_unknown_routes_are_problems_too(client: httpx.Client, method: str, path: str, status: int) -> None:
    response = client.request(method, path)
    assert response.status_code == response.json()["status"] == status
    assert response.headers["content-type"] == "application/problem+json"


def test_fault_of_ours_tells_nothing_and_is_logged(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("the secret is 42")

    monkeypatch.setattr(Index, "search", fail)
    response = client.get("/v1/search", params={"q": "keys"}, headers={"X-Request-ID": "mine-1"})
    assert response.status_code == 500
    assert "42" not in response.text
    assert response.json()["request_id"] == "mine-1"
    [fault] = [record for record in caplog.records if record.exc_info]
    assert vars(fault)["fields"] == {"request_id": "mine-1"}


def test_locked_index_is_said_to_be_free_soon(client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise errors.Locked("another process writes")

    monkeypatch.setattr(Index, "search", fail)
    response = client.get("/v1/search", params={"q": "keys"})
    assert (response.status_code, response.headers["retry-after"]) == (409, "1")
