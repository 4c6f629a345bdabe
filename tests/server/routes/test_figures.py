"""Pictures of documents over HTTP: listed, returned one by one, and refused where the original would be."""

from __future__ import annotations

import io
import os
from pathlib import Path

import httpx
import pytest
from PIL import Image
from tests.server.running import serving

from crosshead import ids
from crosshead.index import Index

SOURCE = "docs/valves.md"
TEXT = """# Valves

![A gauge](img/gauge.webp "Figure 3: Pressure in the valve")

![A drawing](img/plan.svg)

![Not a picture](img/page.png)
"""


@pytest.fixture
def valves(root: Path, index: Index) -> Path:
    """A document with pictures next to it, indexed."""
    (root / "docs/img").mkdir()
    Image.new("RGB", (40, 30), "red").save(root / "docs/img/gauge.webp")
    (root / "docs/img/plan.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>")
    (root / "docs/img/page.png").write_text("<html><script>alert(1)</script></html>")
    (root / SOURCE).write_text(TEXT)
    index.add(root / "docs")
    return root / SOURCE


def url(number: int | None = None, source: str = SOURCE) -> str:
    return f"/v1/documents/{ids.document_id(source)}/figures" + (f"/{number}" if number else "")


def refusal(response: httpx.Response) -> tuple[int, str]:
    assert response.headers["content-type"] == "application/problem+json"
    return response.status_code, response.json()["detail"]


@pytest.mark.usefixtures("valves")
def test_lists_the_pictures_of_a_document(client: httpx.Client) -> None:
    gauge, drawing, _ = client.get(url()).json()["figures"]
    assert TEXT[gauge.pop("start") : gauge.pop("end")].startswith("![A gauge]")
    assert gauge == {
        "number": 1, "alt": "A gauge", "caption": "Figure 3: Pressure in the valve", "line": 3,
        "citation": f"{SOURCE}:3", "problem": "",
    }  # fmt: skip
    assert "of the type SVG" in drawing["problem"]
    assert client.get(url(source="docs/guide.md")).json() == {"figures": []}


@pytest.mark.usefixtures("valves")
def test_returns_a_picture_once(client: httpx.Client) -> None:
    found = client.get(url(1))
    assert Image.open(io.BytesIO(found.content)).size == (40, 30)
    assert found.headers["content-type"] == "image/webp"
    assert found.headers["x-content-type-options"] == "nosniff"
    assert found.headers["cache-control"] == "private, no-cache"
    again = client.get(url(1), headers={"If-None-Match": found.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_refuses_what_could_run_and_what_is_not_there(root: Path, valves: Path, client: httpx.Client) -> None:
    for number, reason in ((2, "SVG"), (3, "another type"), (4, "it has no picture 4: it has 3 pictures")):
        status, detail = refusal(client.get(url(number)))
        assert (status, reason in detail) == (404, True), detail
    assert client.get(url(1, source="docs/nothing.md")).status_code == 404
    os.remove(root / "docs/img/gauge.webp")
    assert "not in a file below the root" in refusal(client.get(url(1)))[1]
    valves.write_text("# Other valves\n")
    assert refusal(client.get(url(1)))[0] == 409
    assert refusal(client.get(url()))[0] == 409


@pytest.mark.usefixtures("valves")
def test_needs_the_token_of_the_server(index: Index) -> None:
    with serving(index, token="a-long-token-of-a-server") as address, httpx.Client(base_url=address) as client:
        assert [client.get(url(number)).status_code for number in (None, 1)] == [401, 401]
        known = {"Authorization": "Bearer a-long-token-of-a-server"}
        assert client.get(url(1), headers=known).status_code == 200
