"""`explain`: why a chunk begins where it does and what its size costs."""

from __future__ import annotations

import re
from typing import Any

import crosshead
from crosshead import Chunks

SENTENCE = "This sentence has ten words, and it counts ten of them. "


def cut(text: str, **options: Any) -> Chunks:
    return crosshead.chunk(text, explain=True, **options)


def test_notes_are_empty_unless_asked_for() -> None:
    assert {chunk.notes for chunk in crosshead.chunk(f"# A\n\n{SENTENCE * 20}", max_tokens=50)} == {()}


def test_every_chunk_says_why_it_begins_and_what_it_costs() -> None:
    for chunk in cut(f"# A\n\n{SENTENCE * 20}\n\n## B\n\n{SENTENCE * 20}", max_tokens=50):
        assert chunk.notes[0].startswith("begins ")
        assert re.search(rf"^{chunk.token_count} of 50 tokens: \+\d", chunk.notes[-1])


def test_cut_that_must_be_is_told_from_one_that_was_chosen() -> None:
    notes = [chunk.notes[0] for chunk in cut("# A\n\none\n\n# B\n\ntwo")]
    assert notes == ["begins where no heading is shared: there must be a cut"] * 2
    chosen = cut("# A\n\n" + "\n\n".join([SENTENCE] * 8), max_tokens=40)[1].notes[0]
    assert chosen == "begins between two blocks of a section: +1.00"


def test_places_have_names() -> None:
    items = "\n".join(f"- {SENTENCE}" for _ in range(8))
    assert cut(items, max_tokens=40)[1].notes[0] == "begins between two list items or table rows: +1.50"
    assert cut(SENTENCE * 8, max_tokens=40)[1].notes[0] == "begins between two sentences: +4.00"
    assert cut("word " * 99, max_tokens=40)[1].notes[0] == "begins between two words: +8.00"
    sections = "# A\n\n" + "\n\n".join(f"## S{number}\n\n{SENTENCE}" for number in range(8))
    assert cut(sections, max_tokens=40)[1].notes[0] == "begins before a heading, depth 1: -0.10"
    window = cut("word " * 99, max_tokens=40, strategy="fixed")[1].notes[0]
    assert window == "begins where the window before was full: +0.00"


def test_joined_sections_are_counted() -> None:
    sections = "# A\n\n" + "\n\n".join(f"## S{number}\n\n{SENTENCE * 2}" for number in range(9))
    notes = [chunk.notes for chunk in cut(sections, max_tokens=70)]
    assert sum("joins 2 units" in each for each in notes) == 4


def test_oversize_chunk_says_what_is_not_cut() -> None:
    [chunk] = cut("```\n" + "x = 1\n" * 50 + "```", max_tokens=40)
    assert chunk.notes[-1] == f"{chunk.token_count} tokens are above the maximum: code is not cut"


def test_piece_of_a_large_block_says_so() -> None:
    chunks = cut("```\n" + "x = 1\n" * 50 + "```", max_tokens=40, oversize="split")
    assert all("part of a block that is too large for one chunk" in chunk.notes for chunk in chunks)
