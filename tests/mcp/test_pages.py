"""An assistant looks at a page of a PDF."""

from __future__ import annotations

import struct
from base64 import b64decode
from pathlib import Path

import pytest
from tests.formats.pdf.building import Sheet, build
from tests.mcp.conftest import Connect, call, failure

pytestmark = pytest.mark.anyio


def costs(sheet: Sheet) -> None:
    sheet.heading("Costs")
    sheet.paragraph("The repair of the turbine was paid by both owners in equal parts, as agreed in the spring.")


def risks(sheet: Sheet) -> None:
    sheet.heading("Risks")
    sheet.paragraph("The bearing may fail again. Both owners inspect it every month, and keep a second one in store.")


async def test_a_page_is_a_picture_with_the_section_marked(connect: Connect, root: Path) -> None:
    (root / "docs/report.pdf").write_bytes(build(costs, risks))
    async with connect() as client:
        await call(client, "rag_index", path="docs")
        (hit,) = (await call(client, "rag_search", query="who paid the repair of the turbine", limit=1))["hits"]
        shown = await client.call_tool("rag_page", {"section_id": hit["section_id"]})
        text, picture = shown.content
        assert text.type == "text"
        assert text.text == "docs/report.pdf p. 1 | page 1 of 2: the section is marked"
        assert (picture.type, picture.mime_type) == ("image", "image/png")  # type: ignore[union-attr]
        data = b64decode(picture.data)  # type: ignore[union-attr]
        assert data.startswith(b"\x89PNG")
        assert struct.unpack(">I", data[16:20]) == (1000,)
        assert shown.structured_content == {
            "citation": "docs/report.pdf p. 1",
            "page": 1,
            "pages": 2,
            "section_pages": [1, 1],
            "share": 1,
        }
        other = await call(client, "rag_page", section_id=hit["section_id"], page=2)
        assert "nothing of it was found on this page" in other["text"]


async def test_what_cannot_be_shown_is_said_in_one_line(connect: Connect, root: Path) -> None:
    (root / "docs/report.pdf").write_bytes(build(costs))
    async with connect() as client:
        await call(client, "rag_index", path="docs")
        (guide,) = (await call(client, "rag_search", query="rotate keys", limit=1))["hits"]
        assert await failure(client, "rag_page", section_id=guide["section_id"]) == (
            "docs/guide.md: markdown documents have no pages: read the text instead"
        )
        (hit,) = (await call(client, "rag_search", query="repair of the turbine", limit=1))["hits"]
        assert await failure(client, "rag_page", section_id=hit["section_id"], page=7) == (
            "docs/report.pdf: it has no page 7: it has 1 page"
        )
        assert await failure(client, "rag_page", section_id="0" * 16) == f"section '{'0' * 16}' not found"
        (root / "docs/report.pdf").write_bytes(build(risks))
        assert await failure(client, "rag_page", section_id=hit["section_id"]) == (
            "docs/report.pdf: its file has changed since it was indexed: index it again"
        )
