"""The field `overlap`: whole blocks from the end of the previous chunk."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

import crosshead
from crosshead import Chunks
from crosshead.pipeline import parse_document
from crosshead.tokens import get_counter

LONG = "A long paragraph of many words that fills most of a chunk by itself, so that little else finds a place. " * 2
SHORT = "A short one."
NEXT = f"# Next\n\n{LONG}"
"""Begins a chunk of its own, because it shares no heading with what stands before it."""
COUNT = get_counter("cl100k_base")


def cut(*blocks: str, **options: Any) -> Chunks:
    document = parse_document("\n\n".join(block.strip() for block in blocks))
    chunks = crosshead.chunk(document, **options)
    assert crosshead.check(document, chunks).ok
    return chunks


def test_overlap_is_the_last_block_of_the_previous_chunk() -> None:
    first, second = cut(LONG, SHORT, NEXT, max_tokens=60, overlap_tokens=20)
    assert first.content.endswith(SHORT)
    assert (first.overlap, second.overlap) == ("", SHORT)


def test_overlap_is_the_longest_run_of_blocks_that_fits() -> None:
    chunks = cut(LONG, SHORT, SHORT, SHORT, NEXT, max_tokens=70, overlap_tokens=10)
    assert chunks[0].content.endswith(f"{SHORT}\n\n{SHORT}\n\n{SHORT}")
    assert chunks[1].overlap == f"{SHORT}\n\n{SHORT}"
    assert COUNT(chunks[1].overlap) <= 10 < COUNT(f"{SHORT}\n\n{SHORT}\n\n{SHORT}")


def test_overlap_is_no_part_of_the_content() -> None:
    chunks = cut(LONG, SHORT, NEXT, max_tokens=60, overlap_tokens=20)
    assert all(left.end <= right.start for left, right in pairwise(chunks))
    assert SHORT not in chunks[1].content
    assert chunks[1].token_count == COUNT(chunks[1].content)


def test_block_above_the_limit_is_no_overlap() -> None:
    assert [chunk.overlap for chunk in cut(LONG, LONG, max_tokens=50, overlap_tokens=20)] == ["", ""]


def test_overlap_is_at_most_a_third_of_the_smaller_chunk() -> None:
    """The block fits the limit of tokens, but would make up most of what is read."""
    middle = "Twelve words of text, and then a few more to make it longer."
    small = "# Other\n\nTiny."
    first, second = cut(f"# A\n\n{LONG}", middle, small, max_tokens=80, overlap_tokens=60)
    assert COUNT(middle) <= 60
    assert COUNT(middle) > 0.35 * second.token_count
    assert (first.overlap, second.overlap) == ("", "")


@pytest.mark.parametrize("share", [0.2, 0.3, 0.5])
def test_overlap_never_exceeds_its_share(share: float) -> None:
    words = [f"Paragraph {number} has some words." for number in range(80)]
    chunks = cut(*words, max_tokens=60, overlap_tokens=int(60 * share))
    for left, right in pairwise(chunks):
        assert COUNT(right.overlap) <= min(int(60 * share), 0.35 * min(left.token_count, right.token_count))


def test_headings_alone_are_no_overlap() -> None:
    """A chunk of headings only, which had no room for text, says nothing that the next chunk could repeat."""
    heading = "word " * 20
    chunks = cut(f"# {heading}", f"## {heading}", f"### {heading}", LONG, max_tokens=40, overlap_tokens=39)
    after_headings = [right for left, right in pairwise(chunks) if not _has_text(left.content)]
    assert len(after_headings) == 2
    assert [each.overlap for each in after_headings] == ["", ""]


def _has_text(content: str) -> bool:
    return any(line and not line.startswith("#") for line in content.splitlines())


def test_heading_with_its_text_may_be_overlap() -> None:
    chunks = cut(f"# A\n\n{LONG}", "## B\n\nText.", NEXT, max_tokens=60, overlap_tokens=20)
    assert chunks[1].overlap == "## B\n\nText."


def test_front_matter_is_never_overlap() -> None:
    front = "---\ntitle: T\n---"
    chunks = cut(front, LONG, LONG, max_tokens=50, overlap_tokens=40, front_matter="include")
    assert not any("title: T" in chunk.overlap for chunk in chunks)


def test_sentences_are_overlap_where_a_block_is_cut() -> None:
    sentence = "One sentence of a paragraph."
    chunks = cut(f"{sentence} " * 40, max_tokens=60, overlap_tokens=14)
    assert len(chunks) > 3
    assert {chunk.overlap for chunk in chunks[1:]} == {f"{sentence} {sentence}"}


@pytest.mark.parametrize(
    ("sentence", "glue"),
    [
        ("密钥每三十天轮换一次。", ""),
        ("鍵は毎月変更してください。", "\n"),
        ("「本当ですか？」", ""),
        ("Ключ меняют каждый месяц.", " "),
        ("هل تم تغيير المفتاح؟", " "),
        ("कुंजी हर महीने बदलती है।", " "),
        ("เปลี่ยนกุญแจทุกเดือน", " "),
        ("키는 매달 바뀝니다.", " "),
    ],
)
def test_sentences_of_any_language_are_overlap(sentence: str, glue: str) -> None:
    chunks = cut(glue.join([sentence] * 60), max_tokens=150, overlap_tokens=50)
    assert len(chunks) > 2
    for chunk in chunks[1:-1]:
        assert set(chunk.overlap.replace(glue, "").split(sentence.replace(glue, ""))) == {""}
        assert 0 < COUNT(chunk.overlap) <= 50


def test_items_and_lines_are_overlap_where_they_have_no_sentences() -> None:
    items = [f"- item {number} without a full stop" for number in range(40)]
    verse = [f"Line {number} of a song\\" for number in range(40)]
    for lines in (items, verse):
        for chunk in cut("\n".join(lines), max_tokens=60, overlap_tokens=20)[1:]:
            assert chunk.overlap
            assert all(line in lines for line in chunk.overlap.split("\n"))


def test_overlap_of_a_quote_begins_with_a_sentence() -> None:
    chunks = cut("\n".join(["> One sentence of a quote. Another one", "> that goes on."] * 20), max_tokens=60)
    assert len(chunks) > 2
    for left, right in pairwise(chunks):
        assert right.overlap.startswith(("One sentence", "> One sentence", "Another one")) or not right.overlap
        assert left.content.endswith(right.overlap)
    assert any(chunk.overlap for chunk in chunks)


def test_nothing_before_an_atom_is_overlap() -> None:
    code = "```\n" + "x = 1\n" * 30 + "```"
    chunks = cut(f"One sentence. {LONG}", code, LONG, max_tokens=80, overlap_tokens=30)
    after = next(chunk for chunk in chunks if chunk.content.startswith("A long"))
    assert after.part
    assert after.overlap == ""


def test_sentence_above_the_limit_is_no_overlap() -> None:
    sentence = "A sentence goes on with many words and does not end before it has more of them than fit here. "
    assert {chunk.overlap for chunk in cut(sentence * 9, max_tokens=60, overlap_tokens=12)} == {""}


def test_sentences_do_not_go_over_into_another_section() -> None:
    first, second = cut(f"# A\n\n{LONG}One more.", NEXT, max_tokens=60, overlap_tokens=10)
    assert (first.overlap, second.overlap) == ("", "")


def test_zero_turns_it_off() -> None:
    assert {chunk.overlap for chunk in cut(LONG, SHORT, LONG, max_tokens=54, overlap_tokens=0)} == {""}


def test_overlap_moves_no_cut() -> None:
    blocks = [LONG, SHORT, LONG, SHORT, SHORT, LONG]
    with_overlap = cut(*blocks, max_tokens=54, overlap_tokens=40)
    without = cut(*blocks, max_tokens=54, overlap_tokens=0)
    assert [chunk.id for chunk in with_overlap] == [chunk.id for chunk in without]


def test_windows_have_an_overlap_too() -> None:
    chunks = cut(LONG, SHORT, LONG, strategy="fixed", max_tokens=54, overlap_tokens=20)
    assert len(chunks) > 1
    assert all(left.end <= right.start for left, right in pairwise(chunks))
    assert all(right.overlap and left.content.endswith(right.overlap) for left, right in pairwise(chunks))
