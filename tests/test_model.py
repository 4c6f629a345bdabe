"""What a chunk says about itself, and how it is shown."""

from __future__ import annotations

from hashlib import sha256

import pytest

import crosshead
from crosshead.model import Chunk
from crosshead.pipeline import parse_document

TEXT = """---
title: The product
---

# Guide

Intro.

## Rules

First sentence of the rules. Second sentence of the rules. Third sentence of the rules. Fourth one.

Last paragraph of the rules, which is a little longer than the others so that it needs a chunk.
"""


@pytest.fixture
def chunks() -> list[Chunk]:
    return crosshead.chunk(parse_document(TEXT, source="docs/guide.md"), max_tokens=24)


def test_fields_agree_with_the_text(chunks: list[Chunk]) -> None:
    for index, chunk in enumerate(chunks):
        assert chunk.content_hash == sha256(chunk.content.encode()).hexdigest()
        assert chunk.index == index
        assert chunk.content.strip()


def test_breadcrumb_and_full_path(chunks: list[Chunk]) -> None:
    assert chunks[-1].breadcrumb == "Guide > Rules"
    assert chunks[-1].full_path == ("The product", "Guide", "Rules")
    untitled = crosshead.chunk("# Guide\n\ntext")[0]
    assert untitled.full_path == ("Guide",)
    assert crosshead.chunk("text")[0].breadcrumb is None


def test_citation_names_the_lines(chunks: list[Chunk]) -> None:
    assert chunks[-1].citation == "docs/guide.md:13"
    assert chunks[0].citation == "docs/guide.md:5-7"


def test_citation_without_lines_names_page_and_section(chunks: list[Chunk]) -> None:
    from dataclasses import replace

    paged = replace(chunks[-1], source="report.pdf", format="pdf", page_start=12, page_end=13)
    assert paged.citation == "report.pdf p. 12-13 (Guide > Rules)"
    assert replace(paged, source="a.docx", format="docx", page_start=None).citation == "a.docx (Guide > Rules)"


def test_every_part_shows_its_heading_when_rendered(chunks: list[Chunk]) -> None:
    rules = [chunk for chunk in chunks if chunk.section_path[-1:] == ("Rules",)]
    assert [chunk.part for chunk in rules] == list(range(rules[0].parts))
    assert len(rules) > 1
    for chunk in rules:
        assert chunk.render().startswith("## Rules")
        assert chunk.render().count("## Rules") == 1
        assert chunk.render(headings=False) == chunk.content


def test_breadcrumb_and_overlap_are_views() -> None:
    text = "# A\n\nShort.\n\n" + "A much longer paragraph follows here, word by word. " * 4
    second = crosshead.chunk(text, max_tokens=30)[1]
    shown = second.render(breadcrumb=True, overlap=True)
    assert shown.startswith("A\n")
    assert second.content in shown


def test_heading_chain_is_the_prefix_of_a_section_without_text_above_it() -> None:
    parts = crosshead.chunk("# A\n\n## B\n\n" + "Words and words. " * 40, max_tokens=40)
    assert {chunk.heading_prefix for chunk in parts} == {"# A\n\n## B"}


@pytest.mark.parametrize(
    ("text", "content_type"),
    [
        ("# A\n\ntext", "prose"),
        ("# A\n\n```\nx\n```", "code"),
        ("|a|\n|-|\n|1|", "table"),
        ("- a\n- b", "list"),
        ("text\n\n- a", "mixed"),
        ("# A", "prose"),
    ],
)
def test_content_type(text: str, content_type: str) -> None:
    assert crosshead.chunk(text)[0].content_type == content_type


@pytest.mark.parametrize("text", ["---\n\n***", "<!-- a\n\nb -->", "***\n\n<!-- a -->"])
def test_nothing_to_find_is_not_indexable(text: str) -> None:
    assert [chunk.indexable for chunk in crosshead.chunk(text)] == [False]
    assert crosshead.chunk(f"{text}\n\nText.")[0].indexable


def test_json_has_a_versioned_schema(chunks: list[Chunk]) -> None:
    data = chunks[0].to_json()
    assert data["schema"] == "crosshead.chunk/1"
    assert data["citation"] == chunks[0].citation
    assert data["breadcrumb"] == chunks[0].breadcrumb
