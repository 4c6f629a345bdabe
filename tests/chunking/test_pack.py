"""Packing: which sections and blocks become one chunk."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

import crosshead
from crosshead import Chunks, Document, Extracted
from crosshead.chunking.pack import pack_units
from crosshead.chunking.prices import PARAGRAPH, Cut, size_prices
from crosshead.chunking.units import Unit
from crosshead.options import ChunkOptions
from crosshead.pipeline import parse_document
from crosshead.tokens import get_counter

SENTENCE = "This sentence has ten words, and it counts ten of them. "
PARAGRAPHS = [f"Paragraph {number}. {SENTENCE * 3}".strip() for number in range(9)]


def cut(text: str, **options: Any) -> tuple[Document, Chunks]:
    document = parse_document(text)
    chunks = crosshead.chunk(document, **options)
    violations = crosshead.check(document, chunks).violations
    assert [each.message for each in violations if each.severity == "error"] == []
    return document, chunks


def contents(text: str, **options: Any) -> list[str]:
    return [chunk.content for chunk in cut(text, **options)[1]]


# ---------------------------------------------------------------------- sections


def test_short_section_is_one_chunk() -> None:
    [chunk] = cut("# Rotate keys\n\nEvery month.\n")[1]
    assert chunk.content == "# Rotate keys\n\nEvery month."
    assert chunk.is_complete_section
    assert (chunk.part, chunk.parts) == (0, 1)


def test_top_level_sections_stay_apart() -> None:
    assert contents("# A\n\none\n\n# B\n\ntwo\n") == ["# A\n\none", "# B\n\ntwo"]


@pytest.mark.parametrize("level", [2, 3, 6])
def test_sections_without_a_shared_heading_stay_apart(level: int) -> None:
    marks = "#" * level
    assert len(contents(f"{marks} A\n\none\n\n{marks} B\n\ntwo\n")) == 2


def test_sections_below_a_title_in_the_front_matter_join() -> None:
    text = "## A\n\none\n\n## B\n\ntwo"
    assert contents(f"---\ntitle: Page\n---\n\n{text}\n") == [text]
    assert contents(f"---\nteam: infra\n---\n\n{text}\n") == ["## A\n\none", "## B\n\ntwo"]


def test_preamble_stays_apart_from_the_first_section() -> None:
    assert contents("Before.\n\n# A\n\none\n") == ["Before.", "# A\n\none"]


def test_section_that_fits_with_its_subsections_is_never_cut() -> None:
    sections = [f"## S{number}\n\n### T\n\n{PARAGRAPHS[number]}\n\n### U\n\n{PARAGRAPHS[0]}" for number in range(6)]
    chunks = contents("# Guide\n\n" + "\n\n".join(sections), max_tokens=120)
    assert chunks == [f"# Guide\n\n{sections[0]}", *sections[1:]]


def test_large_section_is_cut_between_paragraphs_and_a_small_one_stays_whole() -> None:
    """A section above the budget is packed by its paragraphs, and a small one after it stays whole."""
    large = "\n\n".join(PARAGRAPHS)
    document, chunks = cut(f"# Guide\n\n## Large\n\n{large}\n\n## Small\n\n{PARAGRAPHS[0]}", max_tokens=120)
    starts = {block.start for block in document.blocks}
    assert all(chunk.start in starts for chunk in chunks)
    assert len(chunks) > 4
    assert chunks[0].section_path == ("Guide", "Large")
    assert chunks[-1].content.endswith(f"## Small\n\n{PARAGRAPHS[0]}")


def test_packing_stops_at_the_maximum() -> None:
    _, chunks = cut("# Guide\n\n" + "\n\n".join(PARAGRAPHS), max_tokens=100)
    assert all(chunk.token_count <= 100 for chunk in chunks)
    for left, right in pairwise(chunks):
        assert left.token_count + right.token_count > 100, "two neighbors would have fit into one chunk"


@pytest.mark.parametrize("level", range(2, 7))
@pytest.mark.parametrize("depth", range(1, 7))
def test_sections_stay_apart_up_to_heading_depth_and_fill_chunks_below_it(depth: int, level: int) -> None:
    sections = [f"{'#' * level} Part {number}\n\n{PARAGRAPHS[number]}" for number in range(8)]
    options = {"max_tokens": 200, "min_tokens": 20, "heading_depth": depth}
    _, chunks = cut("# Guide\n\n" + "\n\n".join(sections), **options)
    assert len(chunks) == (len(sections) if level <= depth else 2)


def test_headings_below_the_depth_still_enter_the_path() -> None:
    _, chunks = cut(f"# A\n\n## B\n\n### C\n\n{' '.join(PARAGRAPHS)}", heading_depth=1, max_tokens=50)
    assert {chunk.section_path for chunk in chunks} == {("A", "B", "C")}


# ---------------------------------------------------------------------- headings


def test_heading_sticks_to_body_of_oversized_section() -> None:
    """The bare heading is never the first chunk of a section that is too large."""
    chunks = contents(f"# Large\n\n{' '.join(PARAGRAPHS)}", max_tokens=60)
    assert chunks[0].startswith("# Large\n\nParagraph 0.")


def test_heading_moves_down() -> None:
    """The heading would fit into the chunk before it, but goes with its text."""
    chunks = contents(f"# Top\n\n{PARAGRAPHS[0]}\n\n## Next\n\n{' '.join(PARAGRAPHS[:2])}", max_tokens=100)
    assert [chunk.startswith("## Next") for chunk in chunks] == [False, True]


def test_sections_that_fit_together_are_one_chunk() -> None:
    """Everything fits: heading, text and next heading are one chunk."""
    assert len(contents(f"# Top\n\n{PARAGRAPHS[0]}\n\n## Next\n\n{PARAGRAPHS[1]}")) == 1


def test_any_number_of_headings_goes_with_the_text_below_them() -> None:
    headings = "\n\n".join(f"{'#' * (number % 5 + 2)} Heading {number}" for number in range(25))
    chunks = contents(f"# Top\n\n{PARAGRAPHS[0]}\n\n{headings}\n\n{PARAGRAPHS[1]}", max_tokens=400)
    assert chunks[-1].endswith(PARAGRAPHS[1])
    assert not any(chunk.splitlines()[-1].startswith("#") for chunk in chunks)


@pytest.mark.parametrize("level", range(1, 7))
def test_no_chunk_ends_with_a_heading(level: int) -> None:
    text = "\n\n".join(f"{'#' * level} Heading {number}\n\n{PARAGRAPHS[number]}" for number in range(6))
    for max_tokens in (20, 45, 50, 55, 100):
        chunks = contents(text, max_tokens=max_tokens)
        assert not any(chunk.splitlines()[-1].startswith("#") for chunk in chunks)


@pytest.mark.parametrize(
    "block", ["```\ncode\n```", "| a |\n|---|\n| b |", "- item", "> quote", "$$\nx\n$$", "<div>\n</div>"]
)
def test_heading_sticks_to_every_kind_of_block(block: str) -> None:
    chunks = contents(f"# Top\n\n{PARAGRAPHS[0]}\n\n## Next\n\n{block}\n\n{PARAGRAPHS[1]}", max_tokens=50)
    [holder] = [chunk for chunk in chunks if "## Next" in chunk]
    assert block in holder


def test_chain_that_leaves_no_room_may_stand_alone() -> None:
    chain = "\n\n".join(f"{'#' * level} {SENTENCE}" for level in range(1, 7))
    chunks = contents(f"{chain}\n\n{' '.join(PARAGRAPHS)}", max_tokens=40)
    assert "".join(chunk.replace("\n", "") for chunk in chunks).count("#") == 21


def test_heading_at_the_end_closes_its_chunk() -> None:
    assert contents(f"# A\n\n{PARAGRAPHS[0]}\n\n## The end\n") == [f"# A\n\n{PARAGRAPHS[0]}\n\n## The end"]


# ---------------------------------------------------------------------- paths


def test_section_path_accuracy() -> None:
    text = "# A\n\none\n\n### B\n\ntwo\n\n## C\n\nthree\n\n# D\n\nfour\n"
    paths = [chunk.section_path for chunk in cut(text, max_tokens=5)[1]]
    assert paths == [("A",), ("A", "B"), ("A", "C"), ("D",)]


def test_path_is_that_of_the_text_below_the_opening_headings() -> None:
    [chunk] = cut("# Guide\n\n## Rules\n\nBe kind.\n")[1]
    assert chunk.section_path == ("Guide", "Rules")
    assert chunk.inner_headings == ("Guide", "Rules")
    assert (chunk.section_level, chunk.breadcrumb) == (2, "Guide > Rules")


def test_joined_sections_have_the_path_of_what_they_share() -> None:
    [chunk] = cut("# Guide\n\n## A\n\none\n\n## B\n\ntwo\n")[1]
    assert chunk.section_path == ("Guide",)
    assert chunk.inner_headings == ("Guide", "A", "B")


def test_no_heading_means_no_breadcrumb() -> None:
    [chunk] = cut("Text.\n")[1]
    assert (chunk.section_path, chunk.breadcrumb, chunk.section_level, chunk.heading_prefix) == ((), None, 0, "")


def test_title_that_looks_like_a_path_stays_one_title() -> None:
    [chunk] = cut("# Use a > b\n\nText.\n")[1]
    assert chunk.section_path == ("Use a > b",)


def test_five_levels_of_nesting() -> None:
    text = "\n\n".join(f"{'#' * level} L{level}\n\n{SENTENCE}" for level in range(1, 7))
    _, chunks = cut(text, max_tokens=20)
    assert [chunk.section_path for chunk in chunks] == [tuple(f"L{n}" for n in range(1, end)) for end in range(2, 8)]
    assert [chunk.section_level for chunk in chunks] == [1, 2, 3, 4, 5, 6]


# ---------------------------------------------------------------------- fields


def test_every_part_shows_its_heading() -> None:
    _, chunks = cut(f"# Guide\n\n## Rules\n\n{' '.join(PARAGRAPHS)}", max_tokens=60)
    assert len(chunks) > 3
    assert all(chunk.render().startswith("# Guide\n\n## Rules\n\n") for chunk in chunks)
    assert [chunk.part for chunk in chunks] == list(range(len(chunks)))
    assert {chunk.parts for chunk in chunks} == {len(chunks)}


def test_parts_number_the_chunks_of_one_section() -> None:
    text = f"# A\n\n{' '.join(PARAGRAPHS[:4])}\n\n## B\n\n{' '.join(PARAGRAPHS[:4])}"
    _, chunks = cut(text, max_tokens=80)
    by_section: dict[str, list[tuple[int, int]]] = {}
    for chunk in chunks:
        by_section.setdefault(chunk.section_id, []).append((chunk.part, chunk.parts))
    assert len(by_section) == 2
    for numbers in by_section.values():
        assert numbers == [(part, len(numbers)) for part in range(len(numbers))]


def test_section_token_count_is_the_size_before_the_split() -> None:
    document, chunks = cut("# Guide\n\n" + "\n\n".join(PARAGRAPHS), max_tokens=100)
    assert {chunk.section_token_count for chunk in chunks} == {get_counter("cl100k_base")(document.text.strip())}


def test_block_range() -> None:
    document, chunks = cut("# Guide\n\n" + "\n\n".join(PARAGRAPHS), max_tokens=100)
    for chunk in chunks:
        blocks = document.blocks[chunk.block_start : chunk.block_end + 1]
        assert (blocks[0].start, blocks[-1].end) == (chunk.start, chunk.end)
        assert (blocks[0].start_line, blocks[-1].end_line) == (chunk.start_line, chunk.end_line)


def test_budget_excludes_breadcrumb() -> None:
    """A long path costs nothing: it is no part of the content."""
    deep = "\n\n".join(f"{'#' * level} {SENTENCE}" for level in range(1, 4))
    _, chunks = cut(f"{deep}\n\n" + "\n\n".join(PARAGRAPHS), max_tokens=80)
    last = chunks[-1]
    assert last.token_count <= 80 < get_counter("cl100k_base")(last.render(breadcrumb=True))


@pytest.mark.parametrize(
    ("text", "content_type"),
    [
        ("Text.", "prose"), ("> Quote.", "prose"), ("```\nx\n```", "code"), ("$$\nx\n$$", "code"), ("- a", "list"),
        ("| a |\n|---|", "table"), ("Text.\n\n- a", "mixed"), ("# A\n\n- a", "list"), ("# A", "prose"),
    ],
)  # fmt: skip
def test_content_type_leaves_headings_out(text: str, content_type: str) -> None:
    assert [chunk.content_type for chunk in cut(text)[1]] == [content_type]


@pytest.mark.parametrize(
    ("text", "indexable"),
    [
        ("Text.", True), ("---", False), ("<!-- c -->", False), ("<!-- c -->\n\n***", False), ("<div>x</div>", True),
        ("<!-- a --> <!-- b -->", False), ("<!-- a --> text", True), ("# A\n\n<!-- c -->", True), ("[a]: b", True),
        ('<div align="center">', False), ("<p>\n<br/>\n</p>", False), ('<p>\n<img alt="A lamp">\n</p>', True),
    ],
)  # fmt: skip
def test_chunk_with_nothing_to_find_is_not_indexable(text: str, indexable: bool) -> None:
    assert [chunk.indexable for chunk in cut(text)[1]] == [indexable]


def test_comment_of_mdx_is_not_indexable() -> None:
    document = parse_document("{/* a */}\n\nimport x from 'y'\n", format="mdx")
    assert [chunk.indexable for chunk in crosshead.chunk(document)] == [False]


# ---------------------------------------------------------------------- the programme itself


def unit(tokens: int, price: float | None, **fields: Any) -> Unit:
    cut_in_front = None if price is None else Cut(price, "here")
    return Unit(0, 1, tokens, 0, 0, tokens, cut_in_front, **fields)


def sizes(units: list[Unit], **options: Any) -> list[int]:
    return [draft.tokens for draft in pack_units(units, ChunkOptions(**options))]


def test_nothing_gives_nothing() -> None:
    assert pack_units([], ChunkOptions()) == []


def test_cheapest_cut_wins() -> None:
    assert sizes([unit(40, None), unit(40, 8.0), unit(40, 1.0), unit(40, 8.0)], max_tokens=100) == [80, 80]
    assert sizes([unit(40, None), unit(40, -0.1), unit(40, 8.0)], max_tokens=100) == [40, 80]


def test_no_chunk_goes_over_a_cut_that_must_be() -> None:
    assert sizes([unit(10, None), unit(10, None), unit(10, 1.0)], max_tokens=100) == [10, 20]


def test_unit_above_the_maximum_stands_alone() -> None:
    units = [unit(10, None), unit(300, 1.0, reason="code"), unit(10, 1.0)]
    drafts = pack_units(units, ChunkOptions(max_tokens=100))
    assert [(draft.tokens, draft.reason) for draft in drafts] == [(10, None), (300, "code"), (10, None)]


def test_target_below_the_maximum_is_what_chunks_are_filled_to() -> None:
    units = [unit(20, None), *[unit(20, 0.0)] * 11]
    assert sizes(units, max_tokens=200, target_tokens=60, min_tokens=0) == [60, 60, 60, 60]


def test_room_for_a_prefix_counts_while_packing() -> None:
    units = [unit(40, None), unit(40, 1.0, prefix_tokens=30), unit(40, 1.0, prefix_tokens=30)]
    assert sizes(units, max_tokens=100) == [80, 40]


def test_small_chunks_cost_more_than_missing_the_target() -> None:
    prices = size_prices(100, 100, 25)
    assert prices[0] > prices[24] > prices[25] > prices[99] > prices[100] == 0.0
    assert prices[101] == float("inf")
    assert prices[24] - prices[25] > prices[25] - prices[26]


def test_prices_are_those_of_the_documentation() -> None:
    assert PARAGRAPH.explain() == "begins between two blocks of a section: +1.00"


@pytest.mark.parametrize("format", ["markdown", "docx", "pdf", "html"])
@pytest.mark.parametrize("title", ["", "Report"])
def test_chapters_never_join(format: str, title: str) -> None:
    document = parse_document(Extracted("Before.\n\n# Scope\n\none\n\n# Limits\n\ntwo\n", title=title), format=format)
    assert [each.section_path for each in crosshead.chunk(document)] == [(), ("Scope",), ("Limits",)]


@pytest.mark.parametrize("format", ["markdown", "docx", "pdf", "html"])
@pytest.mark.parametrize(("front_matter", "title", "count"), [
    ("", "", 2), ("", "Report", 1), ("---\ntitle: Report\n---\n", "", 1), ("---\ntitle: ' '\n---\n", "", 2),
])  # fmt: skip
def test_lower_sections_join_below_a_title_of_their_own(format: str, front_matter: str, title: str, count: int) -> None:
    text = f"{front_matter}## Scope\n\none\n\n## Limits\n\ntwo\n"
    assert len(crosshead.chunk(parse_document(Extracted(text, title=title), format=format))) == count
