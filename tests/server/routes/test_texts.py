"""What becomes of documents that are not indexed."""

from __future__ import annotations

import httpx
import pytest
from tests.formats.pictures import draw_line
from tests.server.running import GUIDE

import crosshead
from crosshead import ids


def test_extract_returns_markdown_and_the_outline(client: httpx.Client) -> None:
    page = "<html><body><main><h1>Keys</h1><p>Rotate <b>them</b>.</p></main></body></html>"
    found = client.post("/v1/extract", content=page).json()
    assert (found["format"], found["text"]) == ("html", "# Keys\n\nRotate **them**.\n")
    assert found["outline"]["children"][0]["title"] == "Keys"


def test_chunks_are_those_of_the_library(client: httpx.Client) -> None:
    params = {"max_tokens": 40, "source": "guide.md", "explain": True}
    found = client.post("/v1/chunk", params=params, content=GUIDE).json()
    document = crosshead.read(GUIDE.encode(), source="guide.md")
    chunks = crosshead.chunk(document, max_tokens=40, explain=True)
    assert [crosshead.Chunk.from_json(each) for each in found["chunks"]] == chunks
    assert found["options"]["max_tokens"] == 40
    assert all(each["notes"] for each in found["chunks"])


def test_unclosed_fence_is_a_warning(client: httpx.Client) -> None:
    for route in ("extract", "chunk"):
        found = client.post(f"/v1/{route}", content="# A\n\n```\nx = 1\n").json()
        assert found["warnings"] == ["the fence that line 3 opens is never closed: the rest is read as code"]
        assert client.post(f"/v1/{route}", content=GUIDE).json()["warnings"] == []
    found = client.post("/v1/check", content="# A\n\n```\nx = 1\n").json()
    assert [each["rule"] for each in found["violations"]] == ["unclosed_fence"]


def test_image_is_recognized(client: httpx.Client) -> None:
    pytest.importorskip("rapidocr", reason="rapidocr is missing: pip install 'crosshead[ocr]'")
    picture = draw_line("Rotate the keys once a year.")
    found = client.post("/v1/extract", content=picture, timeout=120).json()
    assert (found["format"], found["text"]) == ("image", "Rotate the keys once a year.\n")
    assert client.post("/v1/extract", params={"ocr": "never"}, content=picture).status_code == 415
    assert client.post("/v1/extract", params={"ocr": "touch found"}, content=picture).status_code == 422


def test_check_returns_the_report(client: httpx.Client) -> None:
    found = client.post("/v1/check", params={"max_tokens": 40}, content=GUIDE).json()
    assert (found["ok"], found["coverage"]) == (True, 1.0)


def test_indexed_document_is_cut_again(client: httpx.Client) -> None:
    params = {"document_id": ids.document_id("docs/guide.md"), "max_tokens": 40}
    found = client.post("/v1/chunk", params=params).json()
    assert found["source"] == "docs/guide.md"
    assert len(found["chunks"]) == len(crosshead.chunk(GUIDE, max_tokens=40))
    assert client.post("/v1/check", params=params).json()["ok"]
    assert client.post("/v1/chunk", params={"document_id": "0" * 16}).status_code == 404


def test_empty_body_is_an_empty_document(client: httpx.Client) -> None:
    assert client.post("/v1/chunk").json()["chunks"] == []


@pytest.mark.parametrize(
    ("params", "content", "status", "name"),
    [
        ({"max_tokens": 0}, "# A", 400, "options-error"),
        ({"max_tokens": "many"}, "# A", 422, "invalid-request"),
        ({"max_token": 9}, "# A", 422, "invalid-request"),
        ({"format": "wav"}, "# A", 415, "unsupported-format"),
        ({"source": "a.wav"}, "# A", 415, "unsupported-format"),
        ({"format": "docx"}, b"PK\x03\x04 no archive", 422, "corrupt-file"),
    ],
)
def test_errors_are_problems(
    client: httpx.Client, params: dict[str, str], content: str | bytes, status: int, name: str
) -> None:
    response = client.post("/v1/chunk", params=params, content=content)
    assert response.status_code == status
    problem = response.json()
    assert problem["type"] == f"urn:crosshead:{name}"
    assert problem["request_id"] == response.headers["x-request-id"]
    assert problem["detail"]


def test_form_is_told_to_be_none(client: httpx.Client) -> None:
    response = client.post("/v1/chunk", files={"file": ("a.md", b"# A")})
    assert response.status_code == 415
    assert "--data-binary" in response.json()["detail"]


def test_texts_can_be_left_out(client: httpx.Client) -> None:
    found = client.post("/v1/chunk", params={"max_tokens": 40, "texts": False}, content=GUIDE).json()["chunks"]
    assert not {"content", "overlap", "metadata"} & found[0].keys()
    slices = [GUIDE[each["start"] : each["end"]] for each in found]
    assert slices == [each.content for each in crosshead.chunk(GUIDE, max_tokens=40)]
