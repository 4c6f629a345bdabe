"""A server of several indexes answers as one, and only reads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.server.running import serving

from crosshead.index import Index

TEXTS = {"team": "# Keys\n\nRotate the signing keys.\n", "notes": "# Keys\n\nThe spare keys are in the red safe.\n"}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[httpx.Client]:
    """Asks a server of two indexes, and of one that is missing."""
    for name, text in TEXTS.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "README.md").write_text(text)
        with Index(tmp_path / name / ".crosshead", embedder="static") as index:
            index.add(tmp_path / name / "README.md")
    locations = [tmp_path / name / ".crosshead" for name in (*TEXTS, "none")]
    with Index.join(locations) as joined, serving(joined) as url, httpx.Client(base_url=url, timeout=30) as client:
        yield client


def test_hits_name_their_index_and_answers_the_missing_one(client: httpx.Client, tmp_path: Path) -> None:
    found = client.get("/v1/search", params={"q": "keys"}).json()
    assert {each["index"] for each in found["hits"]} == {str(tmp_path / name / ".crosshead") for name in TEXTS}
    assert not found["complete"]
    assert [each["index"] for each in found["missing"]] == [str(tmp_path / "none" / ".crosshead")]
    passages = client.get("/v1/passages", params={"q": "keys", "all": "true"}).json()
    assert {each["index"] for each in passages["passages"]} == {each["index"] for each in found["hits"]}
    assert not passages["complete"]


def test_what_was_found_is_read(client: httpx.Client) -> None:
    for hit in client.get("/v1/search", params={"q": "keys"}).json()["hits"]:
        section = client.get(f"/v1/sections/{hit['section_id']}").json()
        assert (section["index"], section["content"]) == (hit["index"], hit["content"])
        assert client.get(f"/v1/chunks/{hit['chunk']['id']}").json()["content"] == hit["chunk"]["content"]
        document = client.get(f"/v1/documents/{hit['chunk']['document_id']}").json()
        assert hit["content"] in document["text"]
        assert hit["content"] in client.get(f"/v1/documents/{hit['chunk']['document_id']}/original").text
    assert client.get("/v1/documents").json()["total"] == 1
    assert client.get("/v1/status").json()["documents"] == 2
    assert client.get("/healthz").status_code == 200


@pytest.mark.parametrize(
    ("method", "path"),
    [("POST", "/v1/documents?path=x"), ("DELETE", "/v1/documents/0123456789abcdef"), ("POST", "/v1/ratings")],
)
def test_nothing_is_written(client: httpx.Client, method: str, path: str) -> None:
    body = {"q": "x", "good": True, "lines": [{"source": "README.md", "start_line": 1, "end_line": 1}]}
    refused = client.request(method, path, json=body if path.endswith("ratings") else None)
    assert refused.status_code == 409
    assert refused.json()["detail"].startswith("this server searches several indexes")
    assert client.get("/v1/jobs").json() == {"jobs": []}
