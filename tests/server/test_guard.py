"""Who may come in."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
from tests.server.running import serving

from crosshead.index import Index

TOKEN = "open-sesame"


@pytest.fixture
def guarded(index: Index) -> Iterator[httpx.Client]:
    """Asks a server that wants a token."""
    with serving(index, token=TOKEN) as url, httpx.Client(base_url=url, timeout=30) as client:
        yield client


def routes(client: httpx.Client) -> list[tuple[str, str]]:
    """All routes with some id, by method."""
    described = client.get("/openapi.json", headers={"Authorization": f"Bearer {TOKEN}"}).json()
    return [
        (method.upper(), path.replace("{id}", "0" * 16))
        for path, operations in described["paths"].items()
        for method in operations
    ]


def test_every_route_wants_the_token(guarded: httpx.Client) -> None:
    wrong = [
        None,
        "Bearer",
        "Bearer wrong",
        f"Basic {TOKEN}",
        f"Bearer {TOKEN}x",
        TOKEN,
        "Bearer \u00e4".encode("latin-1"),
    ]
    asked = [*routes(guarded), ("GET", "/openapi.json"), ("GET", "/nowhere"), ("PUT", "/v1/search")]
    assert len(asked) > 15
    for method, path in asked:
        for each in wrong:
            headers = {} if each is None else {"Authorization": each}
            response = guarded.request(method, path, headers=headers)
            assert (path, response.status_code) == (path, 401)
            assert response.headers["www-authenticate"] == "Bearer"
            assert response.headers["content-type"] == "application/problem+json"


def test_the_token_opens_every_route(guarded: httpx.Client) -> None:
    for method, path in routes(guarded):
        response = guarded.request(method, path, headers={"Authorization": f"Bearer {TOKEN}"})
        assert response.status_code in (200, 400, 404, 422, 501), path


def test_the_page_needs_no_token(guarded: httpx.Client) -> None:
    assert guarded.get("/").status_code == 200
    assert guarded.get("/page/icon.svg").status_code == 200
    assert guarded.get("/page/__init__.py").status_code == 404
    assert guarded.get("/page/../app.py").status_code in (401, 404)
    assert guarded.get("/page/%2e%2e/app.py").status_code == 404


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8377", "", "127.0.0.1.evil.example", "x@localhost"])
def test_foreign_hosts_are_refused(client: httpx.Client, host: str) -> None:
    for path in ("/", "/healthz", "/v1/search?q=keys"):
        assert client.get(path, headers={"Host": host}).status_code == 421


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "[::1]:8377", "127.0.0.1"])
def test_own_names_are_known(client: httpx.Client, host: str) -> None:
    assert client.get("/healthz", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://localhost:1", "file://"])
def test_foreign_origins_are_refused(client: httpx.Client, origin: str) -> None:
    response = client.post("/v1/documents", params={"path": "docs"}, headers={"Origin": origin})
    assert response.status_code == 403
    assert "access-control-allow-origin" not in response.headers


def test_own_origin_is_fine(client: httpx.Client) -> None:
    origin = str(client.base_url).rstrip("/")
    assert client.get("/healthz", headers={"Origin": origin}).status_code == 200


def test_names_and_origins_can_be_allowed(index: Index) -> None:
    origin = "https://wiki.example"
    with (
        serving(index, allowed_hosts=("Docs.Example",), cors_origins=(origin,)) as url,
        httpx.Client(base_url=url) as client,
    ):
        assert client.get("/healthz", headers={"Host": "docs.example"}).status_code == 200
        assert client.get("/healthz", headers={"Host": "evil.example"}).status_code == 421
        response = client.get("/healthz", headers={"Origin": origin})
        assert response.headers["access-control-allow-origin"] == origin
        asked = {"Origin": origin, "Access-Control-Request-Method": "POST"}
        assert client.options("/v1/chunk", headers=asked).status_code == 200
        assert client.get("/healthz", headers={"Origin": "https://evil.example"}).status_code == 403
