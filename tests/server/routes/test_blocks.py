"""A document in blocks, each with its place in the file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from crosshead import ids
from crosshead.index import Index

ROOT = Path(__file__).parents[3]
ROWS = 1000
LONG = {
    "code": "```py\n" + "".join(f"line {number}\n" for number in range(ROWS)) + "```\n",
    "list": "".join(f"- item {number}\n  goes on\n" for number in range(ROWS)),
    "table": "| a | b |\n|---|---|\n" + "".join(f"| {number} | 😀 |\n" for number in range(ROWS)),
    "paragraph": "word " * 10_000 + "\n",
}


def blocks_of(client: httpx.Client, source: str) -> dict[str, Any]:
    response = client.get(f"/v1/documents/{ids.document_id(source)}/blocks")
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


def test_blocks_hold_the_whole_text_in_order(client: httpx.Client) -> None:
    document = blocks_of(client, "docs/guide.md")
    text, blocks = document["text"], document["blocks"]
    assert [text[each["start"] : each["end"]] for each in blocks][:3] == [
        "# Guide",
        "Words before the first section.",
        "## Install",
    ]
    assert "".join(text[each["start"] : each["end"]] for each in blocks).split() == "".join(text.split("\n\n")).split()
    assert [(each["line"], each["place"]) for each in blocks][:3] == [(1, "1"), (3, "3"), (5, "5")]
    assert document["outline"]["children"][0]["title"] == "Guide"
    assert document["no_original"] == ""


@pytest.mark.parametrize("kind", LONG)
def test_long_blocks_are_cut_where_they_can_be_read(index: Index, client: httpx.Client, root: Path, kind: str) -> None:
    text = f"# Long 😀\n\n{LONG[kind]}\nThe end.\n"
    index.add_text(text, source="docs/long.md")
    document = blocks_of(client, "docs/long.md")
    parts = [each for each in document["blocks"] if each["kind"] == kind and each["line"] < ROWS * 3]
    shown = [document["text"][each["start"] : each["end"]] for each in parts]
    assert len(parts) > 5
    assert max(map(len, shown)) < 7_000
    assert [each["continues"] for each in parts][:3] == [False, True, True]
    assert "".join("".join(shown).split()).startswith("".join(LONG[kind].split()))
    assert {each["prefix"] for each in parts[1:7]} == {"```py\n" if kind == "code" else ""}
    if kind == "list":
        assert all(each.startswith("- item") for each in shown)


def test_places_are_those_of_citations(index: Index, client: httpx.Client, root: Path) -> None:
    (root / "docs/report.pdf").write_bytes((ROOT / "examples/docs/incident-report.pdf").read_bytes())
    (root / "docs/deal.docx").write_bytes((ROOT / "examples/docs/agreement.docx").read_bytes())
    (root / "docs/talk.srt").write_text("1\n00:12:30,000 --> 00:12:40,000\nRotate your keys.\n")
    index.add(root / "docs")
    assert blocks_of(client, "docs/report.pdf")["blocks"][0]["place"] == "p. 1"
    assert {each["place"] for each in blocks_of(client, "docs/deal.docx")["blocks"]} == {""}
    assert "00:12:30-00:12:40" in {each["place"] for each in blocks_of(client, "docs/talk.srt")["blocks"]}


def test_says_why_there_is_no_original(index: Index, client: httpx.Client, root: Path) -> None:
    index.add_text("# Keys\n\nRotate them.\n", source="docs/wiki.md")
    assert "added as text" in blocks_of(client, "docs/wiki.md")["no_original"]
    (root / "docs/notes.md").write_text("# Other\n\nWords.\n")
    assert "has changed since it was indexed" in blocks_of(client, "docs/notes.md")["no_original"]
    (root / "docs/notes.md").unlink()
    assert "gone" in blocks_of(client, "docs/notes.md")["no_original"]
    assert client.get(f"/v1/documents/{'0' * 16}/blocks").status_code == 404
