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
    assert notes == ["begins the document", "begins where no heading is shared: there must be a cut"]
    chosen = cut("# A\n\n" + "\n\n".join([SENTENCE] * 8), max_tokens=40)[1].notes[0]
    assert chosen == "begins between two blocks of a section: +1.00"


def test_border_of_a_cut_section_is_told() -> None:
    notes = [chunk.notes for chunk in cut(f"# A\n\n## B\n\n{SENTENCE * 8}\n\n## C\n\n{SENTENCE}", max_tokens=60)]
    assert notes[-1][0] == "begins at the border of a section that was cut: no part of it is joined with others"
    assert "all of “C”" in notes[-1]


def test_border_of_a_cut_section_is_told_where_small_ones_join_behind_it() -> None:
    text = f"# A\n\n## B\n\n{SENTENCE * 8}\n\n## C\n\none\n\n## D\n\ntwo"
    [*_, (beginning, *_)] = [chunk.notes for chunk in cut(text, max_tokens=60)]
    assert beginning.startswith("begins at the border of a section that was cut")


def test_places_have_names() -> None:
    items = "\n".join(f"- {SENTENCE}" for _ in range(8))
    assert cut(items, max_tokens=40)[1].notes[0] == "begins between two list items or table rows: +1.50"
    assert cut(SENTENCE * 8, max_tokens=40)[1].notes[0] == "begins between two sentences: +4.00"
    assert cut("word " * 99, max_tokens=40)[1].notes[0] == "begins between two words: +8.00"
    sections = "# A\n\n" + "\n\n".join(f"## S{number}\n\n{SENTENCE}" for number in range(8))
    assert cut(sections, max_tokens=40)[1].notes[0] == "begins before a heading: -2.50"
    window = cut("word " * 99, max_tokens=40, strategy="fixed")[1].notes[0]
    assert window == "begins where the window before was full: +0.00"


def test_joined_sections_are_named_with_the_reason() -> None:
    text = f"# A\n\n{SENTENCE * 5}\n\n## B\n\n{SENTENCE}\n\n## C\n\none\n\n## D\n\ntwo\n\n## E\n\n{SENTENCE * 3}"
    notes = [note for chunk in cut(text, max_tokens=80, min_tokens=15) for note in chunk.notes]
    assert any(
        re.fullmatch(r"joins .*“C” \(\d+ tokens\).* because less than 15 tokens do not stand alone", each)
        for each in notes
    )


def test_sections_that_fill_up_are_joined_without_a_reason() -> None:
    text = "# A\n\n" + "\n\n".join(f"## S{number}\n\n{SENTENCE * 2}" for number in range(9))
    notes = [note for chunk in cut(text, max_tokens=100, min_tokens=9, heading_depth=1) for note in chunk.notes]
    assert [each for each in notes if re.fullmatch(r"joins “S\d” \(\d+ tokens\).* and “S\d” \(\d+ tokens\)", each)]


def test_many_joined_sections_are_counted() -> None:
    text = "# A\n\n" + "\n\n".join(f"## S{number}\n\none" for number in range(40))
    [joining] = [note for note in cut(text, max_tokens=100, min_tokens=50)[1].notes if note.startswith("joins ")]
    assert re.search(r"and \d+ more, because", joining)


def test_parts_say_what_they_are_parts_of() -> None:
    chunks = cut(f"# A\n\n{SENTENCE * 20}", max_tokens=100)
    tokens = chunks[0].section_token_count
    assert chunks[0].notes[1] == f"part 1 of {len(chunks)} of “A”, whose text has {tokens} tokens"
    assert (
        chunks[1].notes[1]
        == f"part 2 of {len(chunks)} of “A”, whose text has {tokens} tokens; render() repeats its heading"
    )


def test_whole_section_says_so() -> None:
    [chunk] = cut("# A\n\none\n\n## B\n\ntwo")
    assert "all of “A”, with what is below it" in chunk.notes


def test_headings_that_stick_are_told() -> None:
    chunks = cut(f"# A\n\n## B\n\n{SENTENCE * 8}", max_tokens=60)
    assert "2 headings stick to the text below them" in chunks[0].notes
    [chunk] = cut("# A\n\n```\n" + "x = 1\n" * 50 + "```", max_tokens=40)
    assert (
        f"{chunk.token_count} tokens are above the maximum: its heading stays with it, and code is not cut"
        in chunk.notes
    )


def test_oversize_chunk_says_what_is_not_cut() -> None:
    [chunk] = cut("```\n" + "x = 1\n" * 50 + "```", max_tokens=40)
    assert f"{chunk.token_count} tokens are above the maximum: code is not cut" in chunk.notes


def test_piece_of_a_large_block_says_so() -> None:
    chunks = cut("```\n" + "x = 1\n" * 50 + "```", max_tokens=40, oversize="split")
    assert all("part of a block that is too large for one chunk" in chunk.notes for chunk in chunks)


def test_cut_inside_a_long_word_says_so() -> None:
    """For lack of another reason, it was called the border of a section, or a place where no heading is shared."""
    inside = "begins inside a run of text without spaces that is too long for one chunk: there must be a cut"
    for text in (f"# A\n\n## B\n\nSome words. {'0123456789abcdef' * 60}", "0123456789abcdef" * 60, "鍵" * 300):
        chunks = cut(text, max_tokens=60)
        assert len(chunks) > 2
        assert chunks[-1].notes[0] == inside
        assert chunks[0].notes[0] == "begins the document"
        assert not any("heading is shared" in chunk.notes[0] or "border" in chunk.notes[0] for chunk in chunks)
    chunks = cut("<b>" + "0123456789abcdef" * 12 + "</b>" + "<i>" + "0123456789abcdef" * 12 + "</i>", max_tokens=60)
    assert any(chunk.notes[0] == inside.replace("inside", "at a tag inside") for chunk in chunks)
