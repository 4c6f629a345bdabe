"""Small sections join: under a shared heading, forward or backward, whatever gives the better chunks."""

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
    """The first section is too small to stand alone, and only the one behind it has room."""
    text = "# Guide\n\n" + section("Large", 95) + section("Small", 8) + section("Next", 60)
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
    text = "# Guide\n\n" + section("A", 92) + section("Small", 20) + section("B", 95)
    assert titles(text, max_tokens=100) == [("Guide", "A"), ("Small",), ("B",)]


def test_small_section_stays_if_it_shares_no_heading() -> None:
    text = section("Large", 50, 1) + section("Small", 5, 1) + section("Next", 50, 1)
    assert titles(text, max_tokens=400) == [("Large",), ("Small",), ("Next",)]


def test_cousins_join_only_with_what_they_share() -> None:
    """A chunk over the border of two sections has the path of the section around both."""
    sections = [section("A", 4), section("A1", 70, 3), section("B", 4), section("B1", 4, 3), section("C", 90)]
    text = "# Guide\n\n" + "".join(sections)
    chunks = cut(text, max_tokens=100)
    for chunk in chunks:
        if {"A1", "B"} <= set(chunk.inner_headings):
            assert chunk.section_path == ("Guide",)


def test_no_chunk_is_smaller_than_the_minimum_if_that_can_be() -> None:
    """Four and one, or three and two: both fill the budget alike, but one of five sections would stand alone."""
    text = "# Guide\n\n" + "".join(section(title, 24) for title in "ABCDE")
    for minimum in (0, 30, 50):
        chunks = cut(text, max_tokens=125, min_tokens=minimum)
        assert len(chunks) == 2
        assert all(chunk.token_count >= minimum for chunk in chunks)


@pytest.mark.parametrize("max_tokens", [100, 200, 400, 1000])
def test_filled_chunks_are_few(max_tokens: int) -> None:
    """Sections of different sizes fill most of the budget."""
    sizes = [13, 48, 7, 90, 22, 35, 64, 5, 80, 17, 41, 29] * 4
    text = "# Guide\n\n" + "".join(section(f"S{number}", size) for number, size in enumerate(sizes))
    chunks = cut(text, max_tokens=max_tokens)
    average = sum(chunk.token_count for chunk in chunks) / len(chunks)
    assert average > 0.6 * max_tokens


def test_equal_chunkings_are_told_apart_by_the_first() -> None:
    """Ties have one answer, so that two runs cannot differ."""
    text = "# Guide\n\n" + "".join(section("Same", 30) for _ in range(12))
    assert cut(text, max_tokens=100) == cut(text, max_tokens=100)
