"""POST /v1/verify."""

from __future__ import annotations

import httpx
import pytest

from crosshead.index import Index

TEXT = "# Limits\n\nA queue holds 5 MB.\n"


@pytest.mark.parametrize(("size", "verdict"), [(5, "proved"), (6, "not found")])
def test_an_answer_is_checked(client: httpx.Client, index: Index, size: int, verdict: str) -> None:
    index.add_text(TEXT, source="wiki/limits.md")
    answer = {"text": f"A queue holds {size} MB [1].", "citations": [{"n": 1, "source": "wiki/limits.md"}]}
    proof = client.post("/v1/verify", json=answer).json()
    assert (proof["schema"], proof["ok"]) == ("crosshead.proof/1", verdict == "proved")
    assert [each["verdict"] for each in proof["sentences"]] == [verdict]


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        (b"{", "the body is not JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        (b"[]", "the body must be an answer as a JSON object"),
        (b'{"text": ""}', "the answer has no text"),
    ],
)
def test_a_body_that_is_no_answer_is_refused(client: httpx.Client, body: bytes, detail: str) -> None:
    response = client.post("/v1/verify", content=body)
    assert (response.status_code, response.json()["detail"]) == (400, detail)
