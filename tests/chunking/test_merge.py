"""Sections stay apart; a small one joins a neighbor under a shared heading, forward or backward."""

from __future__ import annotations

from typing import Any

import pytest

import crosshead
from crosshead import Chunks
from crosshead.pipeline import parse_document

WORDS = "some words of a sentence that goes on "


def text_of(tokens: int) -> str:
    return (WORDS * (tokens // 8 + 1))[: tokens * 5].strip()


def cut(text: str, **options: Any) -> Chunks:
    document = parse_document(text)
    chunks = crosshead.chunk(document, **options)
    assert crosshead.check(document, chunks).ok
    return chunks


def titles(text: str, **options: Any) -> list[tuple[str, ...]]:
    return [chunk.inner_headings for chunk in cut(text, **options)]


def section(title: str, tokens: int, level: int = 2) -> str:
    return f"{'#' * level} {title}\n\n{text_of(tokens)}\n\n"


def test_small_sections_merge_under_their_parent() -> None:
    text = "# Guide\n\n" + "".join(section(title, 10) for title in "ABC")
    assert titles(text) == [("Guide", "A", "B", "C")]


def test_small_section_goes_forward() -> None:
    """Only the section behind it has room."""
    text = "# Guide\n\n" + section("Large", 80) + section("Small", 8) + section("Next", 60)
    assert titles(text, max_tokens=100) == [("Guide", "Large"), ("Small", "Next")]


def test_small_section_goes_backward() -> None:
    text = "# Guide\n\n" + section("First", 60) + section("Small", 8) + section("Large", 95)
    assert titles(text, max_tokens=100) == [("Guide", "First", "Small"), ("Large",)]


def test_small_section_joins_the_text_of_its_parent() -> None:
    text = f"# Guide\n\n{text_of(60)}\n\n" + section("Small", 8) + section("Large", 95)
    chunks = cut(text, max_tokens=100)
    assert [chunk.inner_headings for chunk in chunks] == [("Guide", "Small"), ("Large",)]
    assert [chunk.section_path for chunk in chunks] == [("Guide",), ("Guide", "Large")]


def test_small_section_stays_if_nothing_has_room() -> None:
    text = "# Guide\n\n" + section("A", 88) + section("Small", 18) + section("B", 90)
    assert titles(text, max_tokens=100) == [("Guide", "A"), ("Small",), ("B",)]


def test_small_section_stays_if_it_shares_no_heading() -> None:
    text = section("Large", 50, 1) + section("Small", 5, 1) + section("Next", 50, 1)
    assert titles(text, max_tokens=400) == [("Large",), ("Small",), ("Next",)]


@pytest.mark.parametrize(("sizes", "joined"), [((20, 40, 4, 8), True), ((20, 70, 4, 8), False)])
def test_sections_join_across_their_parents_only_as_a_whole(sizes: tuple[int, ...], joined: bool) -> None:
    """A chunk with the end of one section and the next section holds all of both, and has the path around them."""
    parts = zip(("A", "A1", "B", "B1"), sizes, (2, 3, 2, 3), strict=True)
    text = "# Guide\n\n" + "".join(section(*part) for part in parts) + section("C", 90)
    over_the_border = [chunk for chunk in cut(text, max_tokens=100) if {"A1", "B"} <= set(chunk.inner_headings)]
    assert [(chunk.section_path, chunk.inner_headings) for chunk in over_the_border] == [
        (("Guide",), ("Guide", "A", "A1", "B", "B1"))
    ] * joined


def test_small_section_joins_the_neighbor_that_makes_the_smaller_whole() -> None:
    for sizes in ((40, 60), (60, 40)):
        text = f"# Guide\n\n{text_of(80)}\n\n" + section("A", sizes[0]) + section("Small", 8) + section("B", sizes[1])
        smaller = ("A", "Small") if sizes[0] < sizes[1] else ("Small", "B")
        assert smaller in titles(text, max_tokens=100)


def test_sections_of_the_minimum_stay_apart() -> None:
    """Together they would fill the maximum better."""
    text = f"# Guide\n\n{text_of(90)}\n\n" + "".join(section(title, 30) for title in "ABCDE")
    assert titles(text, max_tokens=100, min_tokens=25) == [("Guide",), ("A",), ("B",), ("C",), ("D",), ("E",)]


def test_no_chunk_is_smaller_than_the_minimum_if_that_can_be() -> None:
    text = "# Guide\n\n" + "".join(section(title, 24) for title in "ABCDE")
    for minimum in (30, 50):
        chunks = cut(text, max_tokens=125, min_tokens=minimum)
        assert len(chunks) > 1
        assert all(chunk.token_count >= minimum for chunk in chunks)


def test_section_that_fits_is_one_chunk_with_all_below_it() -> None:
    text = "# Guide\n\n" + section("A", 60) + section("A1", 60, 3) + section("A2", 60, 3) + section("B", 120)
    assert titles(text, max_tokens=240) == [("Guide", "A", "A1", "A2"), ("B",)]


def test_without_a_minimum_every_section_is_a_chunk() -> None:
    text = (
        f"# Guide\n\n{text_of(5)}\n\n" + section("A", 5) + section("A1", 5, 3) + section("A2", 60, 3) + section("B", 9)
    )
    assert titles(text, min_tokens=0) == [("Guide",), ("A",), ("A1",), ("A2",), ("B",)]


def test_without_a_minimum_headings_below_the_depth_make_no_chunks() -> None:
    text = (
        f"# Guide\n\n{text_of(5)}\n\n" + section("A", 5) + section("A1", 5, 3) + section("A2", 60, 3) + section("B", 9)
    )
    assert titles(text, min_tokens=0, heading_depth=2) == [("Guide",), ("A", "A1", "A2"), ("B",)]


def test_headings_below_the_depth_are_filled_across() -> None:
    """Their section is too large for one chunk, so cuts there are those of any text."""
    text = "# Guide\n\n" + section("A", 30) + "".join(section(f"A{number}", 30, 3) for number in range(8))
    assert len(titles(text, max_tokens=120)) == 9
    assert [len(each) for each in titles(text, max_tokens=120, heading_depth=2)] == [4, 3, 3]


@pytest.mark.parametrize("target", [50, 100, 200, 400])
def test_parts_of_a_long_section_are_filled_towards_the_target(target: int) -> None:
    text = "# Guide\n\n" + "\n\n".join(text_of(20) for _ in range(100))
    sizes = [chunk.token_count for chunk in cut(text, max_tokens=400, target_tokens=target)]
    assert 0.75 * target < sum(sizes) / len(sizes) < 1.25 * target


def test_small_sections_are_joined_towards_the_target() -> None:
    text = "# Guide\n\n" + "".join(section(f"S{number}", 10) for number in range(60))
    sizes = [chunk.token_count for chunk in cut(text, max_tokens=400, target_tokens=150, min_tokens=100)]
    assert 100 <= min(sizes) < max(sizes) <= 200


def test_part_of_a_cut_section_joins_no_stranger() -> None:
    steps = "\n".join(f"{number}. Press the button and wait until the lamp goes out." for number in range(1, 24))
    text = f"# Manual\n\n## Emergency stop\n\n{steps}\n\n## Restart\n\n{text_of(10)}\n"
    chunks = cut(text, max_tokens=200)
    assert [chunk.section_path[-1] for chunk in chunks] == ["Emergency stop", "Emergency stop", "Restart"]
    assert [(chunk.part, chunk.parts) for chunk in chunks] == [(0, 2), (1, 2), (0, 1)]
    assert chunks[1].render().startswith("# Manual\n\n## Emergency stop\n\n")


def test_equal_chunkings_are_told_apart_by_the_first() -> None:
    """Ties have one answer, so that two runs cannot differ."""
    text = "# Guide\n\n" + "".join(section("Same", 30) for _ in range(12))
    assert cut(text, max_tokens=100) == cut(text, max_tokens=100)
