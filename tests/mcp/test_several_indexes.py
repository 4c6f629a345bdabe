"""Assistants search several indexes as one, and write to none."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.mcp.conftest import call, connected, failure

from crosshead.index import Index

pytestmark = pytest.mark.anyio


async def test_several_indexes_are_searched_as_one(root: Path, environment: dict[str, str]) -> None:
    for name, text in (("team", "Rotate the signing keys."), ("notes", "The spare keys are in the red safe.")):
        with Index(root / name, embedder="static") as index:
            index.add_text(f"# Keys\n\n{text}\n", source="README.md")
    flags = [each for name in ("team", "notes", "none") for each in ("--index", str(root / name))]
    with connected("stdio", root, environment, *flags) as connect:
        async with connect() as client:
            found = await call(client, "rag_search", query="keys", all=True)
            assert {each["index"] for each in found["hits"]} == {str(root / "team"), str(root / "notes")}
            assert not found["complete"]
            assert found["missing"][0].startswith(f"{root / 'none'}: there is no index here")
            assert "Not searched: " in found["text"]
            for hit in found["hits"]:
                section = await call(client, "rag_section", section_id=hit["section_id"])
                assert hit["content"] in section["text"]
            refused = await failure(client, "rag_index", path=".")
            assert "only reads, because it searches several indexes" in refused
