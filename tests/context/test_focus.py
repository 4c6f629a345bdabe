"""A question that names a section means that section."""

from __future__ import annotations

from typing import Any

import pytest
from tests.stored import make_hit

import crosshead
from crosshead.context.focus import focus, named_sections
from crosshead.ingest.prepare import prepare_text
from crosshead.ingest.recipe import Recipe
from crosshead.model import Hit
from crosshead.options import ChunkOptions, ExtractOptions

TEXT = "# Guide\n\nWords.\n\n## Critical Rules\n\nNever push.\n\n### Why\n\nBecause.\n\n## Layout\n\nSources.\n"
RECIPE = Recipe(ChunkOptions(), ExtractOptions(), "content", 0, "simple", "model")


def hits_of(text: str, **options: Any) -> tuple[list[Hit], list[crosshead.Chunk]]:
    chunks = list(crosshead.chunk(text, **options))
    return [make_hit(chunk) for chunk in chunks], chunks


def ask(query: str, text: str = TEXT, **options: Any) -> list[crosshead.Chunk]:
    hits, _ = hits_of(text, **options)
    sections = prepare_text(RECIPE, text, "<text>", "markdown", {}).sections
    named = named_sections(query.lower().split(), sections, lambda title: title.lower().split())
    return [hit.chunk for hit in focus(hits, named)]


def test_joined_chunk_is_narrowed_to_the_named_section() -> None:
    (part,) = ask("critical rules")
    assert part.content == "## Critical Rules\n\nNever push.\n\n### Why\n\nBecause."
    assert part.section_path == ("Guide", "Critical Rules")
    assert TEXT[part.start : part.end] == part.content
    assert (part.start_line, part.end_line) == (5, 11)


@pytest.mark.parametrize("query", ["rules critical", "critical", "where do the sources of the layout lie", "nothing"])
def test_other_questions_change_nothing(query: str) -> None:
    _, chunks = hits_of(TEXT)
    assert ask(query) == chunks


def test_hits_outside_of_the_named_section_are_left_out() -> None:
    found = ask("layout", max_tokens=12)
    assert [chunk.section_path for chunk in found] == [("Guide", "Layout")]


def test_deepest_of_the_named_sections_counts() -> None:
    (part,) = ask("why")
    assert part.content == "### Why\n\nBecause."


def test_part_without_the_cut_block_has_nothing_of_its_fence() -> None:
    code = "\n".join(f"print({number})" for number in range(45))
    text = f"# Run\n\n```python\n{code}\n```\n\n## Stop\n\nShort.\n"
    joined = crosshead.chunk(text, max_tokens=60, oversize="split")[-1]
    assert joined.prefix
    assert joined.inner_headings == ("Stop",)
    (part,) = ask("stop", text, max_tokens=60, oversize="split")
    assert (part.prefix, part.content, part.suffix) == ("", "## Stop\n\nShort.", "")
    pieces = ask("run", text, max_tokens=60, oversize="split")
    assert pieces[0].suffix == "\n```"
    assert pieces[-1].prefix == "```python\n"
    assert "print(44)\n```" in pieces[-1].content
