"""GET /v1/links."""

from __future__ import annotations

from pathlib import Path

import httpx

from crosshead.index import Index


def test_links_of_a_document_and_of_a_section(client: httpx.Client, index: Index, root: Path) -> None:
    (root / "docs/more.md").write_text("# More\n\nSee [keys](guide.md#rotate-keys) and [gone](none.md).\n")
    index.add(root / "docs")
    found = client.get("/v1/links", params={"address": "docs/more.md"}).json()
    assert [(each["citation"], each["state"], each["to_source"]) for each in found["out"]] == [
        ("docs/more.md:3", "section", "docs/guide.md"),
        ("docs/more.md:3", "no_document", "docs/none.md"),
    ]
    assert found["out"][1]["problem"] == "docs/none.md does not exist"
    section = client.get("/v1/links", params={"address": found["out"][0]["to_section_id"]}).json()
    assert [each["text"] for each in section["into"]] == ["keys"]
    by_anchor = client.get("/v1/links", params={"address": "docs/guide.md#rotate-keys"}).json()
    assert by_anchor == section


def test_an_unknown_address_is_not_found(client: httpx.Client) -> None:
    for address in ("docs/none.md", "docs/guide.md#none", "0" * 16):
        assert client.get("/v1/links", params={"address": address}).status_code == 404
    assert client.get("/v1/links").status_code == 422
