"""Which sections share a chunk, and where large ones are cut."""

from __future__ import annotations

import itertools

import pytest

import crosshead
from crosshead import Chunk

SENTENCE = "Every key is rotated after ninety days by the service itself. "


def contents(text: str, **options: object) -> list[str]:
    return [chunk.content for chunk in crosshead.chunk(text, **options)]


def paths(chunks: list[Chunk]) -> list[str | None]:
    return [chunk.breadcrumb for chunk in chunks]


def test_short_section_is_one_chunk() -> None:
    assert contents("# Keys\n\nRotate them.") == ["# Keys\n\nRotate them."]


def test_top_level_sections_stay_apart() -> None:
    assert paths(crosshead.chunk("# A\n\ntext\n\n# B\n\ntext")) == ["A", "B"]


def test_small_section_merging_below_a_shared_heading() -> None:
    (chunk,) = crosshead.chunk("# Guide\n\nIntro.\n\n## A\n\ntext\n\n## B\n\ntext")
    assert chunk.section_path == ("Guide",)
    assert chunk.inner_headings == ("Guide", "A", "B")
    assert chunk.is_complete_section


def test_title_in_front_matter_counts_as_a_shared_heading() -> None:
    sections = "## A\n\ntext\n\n## B\n\ntext"
    assert len(crosshead.chunk(sections)) == 2
    assert len(crosshead.chunk(f"---\ntitle: Page\n---\n{sections}")) == 1


def test_section_that_fits_is_never_cut() -> None:
    text = f"# Guide\n\n{SENTENCE * 5}\n\n" + "".join(
        f"## Part {number}\n\n{SENTENCE * 2}\n\n### Detail\n\n{SENTENCE * 2}\n\n" for number in range(6)
    )
    chunks = crosshead.chunk(text, max_tokens=100)
    for number in range(6):
        holders = [chunk for chunk in chunks if f"## Part {number}" in chunk.content]
        assert "### Detail" in holders[0].content.partition(f"## Part {number}")[2]


def test_large_section_splitting_prefers_paragraphs() -> None:
    paragraphs = [SENTENCE * 3 for _ in range(6)]
    chunks = crosshead.chunk("# Guide\n\n" + "\n\n".join(paragraphs), max_tokens=80)
    assert len(chunks) > 2
    assert all(chunk.content.endswith("itself.") for chunk in chunks)
    assert all(chunk.content.count(SENTENCE.strip()) % 3 == 0 for chunk in chunks)


def test_heading_sticks_to_the_next_block() -> None:
    text = f"# Guide\n\n{SENTENCE * 4}\n\n## Next\n\n{SENTENCE * 4}"
    for max_tokens in range(20, 120, 7):
        for chunk in crosshead.chunk(text, max_tokens=max_tokens):
            assert not chunk.content.rstrip().endswith(("# Guide", "## Next"))


def test_twenty_five_headings_in_a_row_are_kept_with_the_text_below() -> None:
    text = "\n\n".join(f"{'#' * (1 + number % 6)} Heading {number}" for number in range(25)) + "\n\nText."
    assert contents(text) == [text]


def test_paragraph_stays_with_the_list_it_introduces() -> None:
    text = f"# Guide\n\n{SENTENCE * 5}\n\nDo this:\n\n- one\n- two\n- three\n\n{SENTENCE * 5}"
    (holder,) = [chunk for chunk in crosshead.chunk(text, max_tokens=90) if "Do this:" in chunk.content]
    assert "- one" in holder.content


def test_no_chunk_is_small_where_a_join_is_legal() -> None:
    text = "# Guide\n\n" + "".join(f"## Part {number}\n\n{SENTENCE * (1 + number % 4)}\n\n" for number in range(20))
    chunks = crosshead.chunk(text, max_tokens=100, min_tokens=40)
    for first, second in itertools.pairwise(chunks):
        assert min(first.token_count, second.token_count) >= 40 or first.token_count + second.token_count > 96


def test_budget_excludes_the_breadcrumb() -> None:
    text = f"# {'A very long title ' * 3}\n\nText."
    (chunk,) = crosshead.chunk(text, max_tokens=16)
    assert chunk.token_count <= 16


@pytest.mark.parametrize("depth", [1, 2, 6])
def test_heading_depth_keeps_the_path(depth: int) -> None:
    text = f"# A\n\n{SENTENCE}\n\n## B\n\n{SENTENCE * 6}\n\n### C\n\n{SENTENCE * 6}"
    chunks = crosshead.chunk(text, max_tokens=80, heading_depth=depth)
    assert paths(chunks)[-1] == "A > B > C"
    assert crosshead.check(text, chunks).ok


@pytest.mark.parametrize("text", ["", "  \n\n\t\n", "\ufeff", "---\ntitle: only\n---\n"])
@pytest.mark.parametrize("strategy", ["auto", "section", "fixed"])
def test_nothing_gives_no_chunks(text: str, strategy: str) -> None:
    assert contents(text, strategy=strategy) == []


@pytest.mark.parametrize("text", ["plain words " * 300, "слово " * 300, "鍵を回転。" * 200, "x" * 3000, "🔑" * 300])
@pytest.mark.parametrize("max_tokens", [1, 5, 16, 200])
@pytest.mark.parametrize("strategy", ["auto", "fixed"])
def test_text_without_structure_is_cut_to_size(text: str, max_tokens: int, strategy: str) -> None:
    chunks = crosshead.chunk(text, max_tokens=max_tokens, strategy=strategy)
    assert "".join(chunk.content for chunk in chunks).replace(" ", "") == text.replace(" ", "")
    assert all(chunk.token_count <= max_tokens or len(chunk.content) == 1 for chunk in chunks)
