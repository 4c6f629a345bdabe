"""Overlap is a field of whole blocks."""

from __future__ import annotations

import itertools

import crosshead

PARAGRAPH = "One paragraph of about a dozen words that stands by itself here."
TEXT = "# Guide\n\n" + "\n\n".join(f"{number}: {PARAGRAPH}" for number in range(40))


def test_overlap_is_whole_blocks_from_the_end_of_the_previous_chunk() -> None:
    chunks = crosshead.chunk(TEXT, max_tokens=200)
    assert chunks[0].overlap == ""
    for previous, chunk in itertools.pairwise(chunks):
        assert chunk.overlap
        assert previous.content.endswith(chunk.overlap)
        assert chunk.overlap.split("\n\n")[0].endswith(PARAGRAPH)


def test_overlap_stays_within_its_budget_and_share() -> None:
    counter = crosshead.chunk(TEXT, max_tokens=200, overlap_tokens=190)
    for previous, chunk in itertools.pairwise(counter):
        tokens = crosshead.chunk(chunk.overlap, max_tokens=4000)[0].token_count
        assert tokens <= 0.35 * min(previous.token_count, chunk.token_count)


def test_overlap_is_never_part_of_the_content() -> None:
    chunks = crosshead.chunk(TEXT, max_tokens=200)
    assert sum(chunk.content.count(PARAGRAPH) for chunk in chunks) == 40


def test_headings_alone_are_no_overlap() -> None:
    chunks = crosshead.chunk("# A\n\n# B\n\ntext here", max_tokens=40)
    assert all(not chunk.overlap.startswith("#") or "\n" in chunk.overlap for chunk in chunks)


def test_front_matter_is_never_overlap() -> None:
    text = f"---\na: b\n---\n\n# Guide\n\n{PARAGRAPH}\n\n# Next\n\n{PARAGRAPH * 2}"
    for chunk in crosshead.chunk(text, max_tokens=40, overlap_tokens=39, front_matter="include"):
        assert "a: b" not in chunk.overlap


def test_no_overlap_when_none_is_wanted() -> None:
    assert not any(chunk.overlap for chunk in crosshead.chunk(TEXT, max_tokens=200, overlap_tokens=0))
