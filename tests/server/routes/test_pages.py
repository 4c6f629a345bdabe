"""Pages of a PDF over HTTP: their pictures, and where they show a text."""

from __future__ import annotations

import os
import struct
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas
from tests.server.running import serving

from crosshead import ids
from crosshead.index import Index

SOURCE = "docs/report.pdf"
TEXTS = ("The turbine was inspected in the spring.", "Costs of the repair were shared by both owners.")
MARK = (255, 229, 84)


@pytest.fixture
def report(root: Path, index: Index) -> Path:
    """A PDF of two pages, indexed."""
    path = root / SOURCE
    canvas = Canvas(str(path), pagesize=(300, 200))
    for text in TEXTS:
        canvas.drawString(20, 150, text)
        canvas.showPage()
    canvas.save()
    index.add(root / "docs")
    return path


def url(page: int, suffix: str = "", source: str = SOURCE) -> str:
    return f"/v1/documents/{ids.document_id(source)}/pages/{page}{suffix}"


def span_of(index: Index, text: str) -> str:
    document = index.document(ids.document_id(SOURCE))
    assert document
    start = document.text.index(text)
    return f"{start}-{start + len(text)}"


def refusal(response: httpx.Response) -> tuple[int, str]:
    assert response.headers["content-type"] == "application/problem+json"
    return response.status_code, response.json()["detail"]


def pixels(png: bytes) -> tuple[int, int, set[tuple[int, ...]]]:
    """Return the width, the height and the colors of a picture."""
    width, height = struct.unpack(">II", png[16:24])
    at = png.index(b"IDAT")
    rows = zlib.decompress(png[at + 4 : at + 4 + struct.unpack(">I", png[at - 4 : at])[0]])
    stride = 3 * width + 1
    colors = {tuple(rows[y * stride + x : y * stride + x + 3]) for y in range(height) for x in range(1, stride, 3)}
    return width, height, colors


@pytest.mark.usefixtures("report")
def test_returns_the_size_of_a_page_and_where_it_shows_a_text(index: Index, client: httpx.Client) -> None:
    view = client.get(url(2), params={"highlight": span_of(index, "shared by both owners")}).json()
    document = index.document(ids.document_id(SOURCE))
    assert document
    assert (view["page"], view["pages"], view["width"], view["height"], view["share"]) == (2, 2, 300, 200, 1)
    assert document.text[view["start"] : view["end"]].strip() == TEXTS[1]
    (box,) = view["boxes"]
    left = 20 + stringWidth("Costs of the repair were ", "Helvetica", 12)
    assert box["left"] == pytest.approx(left, abs=1)
    assert 35 < box["top"] < 50 < box["top"] + box["height"] < 60


@pytest.mark.usefixtures("report")
def test_a_text_on_another_page_is_not_marked(index: Index, client: httpx.Client) -> None:
    view = client.get(url(1), params={"highlight": span_of(index, TEXTS[1])}).json()
    assert (view["boxes"], view["share"]) == ([], 0)
    assert client.get(url(1)).json()["share"] is None


@pytest.mark.usefixtures("report")
def test_draws_a_page_and_marks_the_text_on_it(index: Index, client: httpx.Client) -> None:
    plain, marked = (
        client.get(url(1, ".png"), params={"scale": 1, **more})
        for more in ({}, {"highlight": span_of(index, "turbine was inspected")})
    )
    assert marked.headers["content-type"] == "image/png"
    assert marked.headers["x-content-type-options"] == "nosniff"
    width, height, colors = pixels(plain.content)
    assert (width, height, MARK in colors, (255, 255, 255) in colors) == (300, 200, False, True)
    assert MARK in pixels(marked.content)[2]
    assert pixels(client.get(url(1, ".png"), params={"width": 150}).content)[:2] == (150, 100)


@pytest.mark.usefixtures("report")
def test_a_client_that_has_the_picture_gets_no_other(client: httpx.Client) -> None:
    first = client.get(url(1, ".png"))
    again = client.get(url(1, ".png"), headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get(url(2, ".png"), headers={"If-None-Match": first.headers["etag"]}).status_code == 200


@pytest.mark.usefixtures("report")
def test_says_what_is_wrong(index: Index, client: httpx.Client) -> None:
    assert refusal(client.get(url(3))) == (404, f"{SOURCE}: it has no page 3: it has 2 pages")
    assert refusal(client.get(url(3, ".png"))) == (404, f"{SOURCE}: it has no page 3: it has 2 pages")
    assert refusal(client.get(url(1, source="docs/notes.md"))) == (
        404,
        "docs/notes.md: markdown documents have no pages: read the text instead",
    )
    assert client.get(f"/v1/documents/{'0' * 16}/pages/1").status_code == 404
    assert client.get(url(0)).json()["page"] == 1
    assert client.get(url(-1)).status_code == 422
    assert client.get(url(1), params={"highlight": "2-x"}).status_code == 422
    assert client.get(url(1, ".png"), params={"scale": 9}).status_code == 422
    length = len(index.document(ids.document_id(SOURCE)).text)  # type: ignore[union-attr]
    assert refusal(client.get(url(1), params={"highlight": "9-99999"})) == (
        400,
        f"{SOURCE}: 9-99999 is not a part of its {length} characters",
    )


def test_a_file_that_has_changed_or_is_gone_is_not_shown(report: Path, client: httpx.Client) -> None:
    assert client.get(url(1, ".png")).status_code == 200
    data = report.read_bytes()
    report.write_bytes(data + b"%")
    assert refusal(client.get(url(1, ".png"))) == (
        409,
        f"{SOURCE}: its file has changed since it was indexed: index it again",
    )
    report.unlink()
    assert refusal(client.get(url(1))) == (404, f"{SOURCE}: its file is gone: index the folder again")


def test_a_file_outside_the_root_is_not_shown(report: Path, client: httpx.Client) -> None:
    outside = report.parents[2] / "outside.pdf"
    os.replace(report, outside)
    report.symlink_to(outside)
    assert client.get(url(1, ".png")).status_code == 403


@pytest.mark.usefixtures("report")
def test_a_token_is_required_as_for_a_search(index: Index) -> None:
    with serving(index, token="secret") as address, httpx.Client(base_url=address, timeout=30) as client:
        assert client.get(url(1, ".png")).status_code == 401
        assert client.get(url(1, ".png"), headers={"Authorization": "Bearer secret"}).status_code == 200


@pytest.mark.usefixtures("report")
def test_many_requests_at_once_are_answered_or_sent_away(client: httpx.Client) -> None:
    def ask(number: int) -> int:
        return client.get(url(1 + number % 2, ".png"), params={"width": 100 + number % 50}).status_code

    with ThreadPoolExecutor(40) as threads:
        answers = set(threads.map(ask, range(400)))
    assert 200 in answers
    assert answers <= {200, 429}
