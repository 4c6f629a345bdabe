"""Strategy `fixed`: token windows, the baseline."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

import crosshead
from crosshead import Chunks
from crosshead.pipeline import parse_document
from crosshead.tokens import get_counter

WORDS = " ".join(f"word{number}" for number in range(1000))
GUIDE = f"# Guide\n\n{WORDS[:900]}\n\n## Rules\n\n{WORDS[:900]}\n\n```python\n{WORDS[:900]}\n```\n"


def cut(text: str, **options: Any) -> Chunks:
    document = parse_document(text)
    chunks = crosshead.chunk(document, strategy="fixed", **options)
    report = crosshead.check(document, chunks)
    assert [each.message for each in report.violations if each.severity == "error"] == []
    assert report.coverage == 1.0
    return chunks


def test_plain_text() -> None:
    chunks = cut(WORDS, max_tokens=100)
    assert len(chunks) > 10
    assert all(chunk.content for chunk in chunks)
    assert " ".join(chunk.content for chunk in chunks) == WORDS


def test_step() -> None:
    """Windows advance by their own size: no text is in two of them."""
    chunks = cut(WORDS, max_tokens=100, overlap_tokens=50)
    assert all(left.end <= right.start for left, right in pairwise(chunks))


def test_windows_are_full() -> None:
    chunks = cut(WORDS, max_tokens=100)
    assert all(90 <= chunk.token_count <= 100 for chunk in chunks[:-1])


def test_no_window_is_only_overlap() -> None:
    last = cut(WORDS, max_tokens=100, overlap_tokens=99)[-1]
    assert last.content.endswith("word999")
    assert last.overlap
    assert not last.overlap.endswith("word999")


@pytest.mark.parametrize("overlap_tokens", [7, 50, 99])
def test_overlap_is_the_end_of_the_previous_window(overlap_tokens: int) -> None:
    chunks = cut(WORDS, max_tokens=100, overlap_tokens=overlap_tokens)
    count, known = get_counter("cl100k_base"), set(WORDS.split())
    assert chunks[0].overlap == ""
    for left, right in pairwise(chunks):
        assert left.content.endswith(right.overlap)
        assert count(right.overlap) <= overlap_tokens
        assert set(right.overlap.split()) <= known
        longer = left.content.removesuffix(right.overlap).rstrip().rpartition(" ")[2]
        assert count(f"{longer} {right.overlap}".strip()) > overlap_tokens or right.overlap == left.content


def test_overlap_of_text_without_spaces() -> None:
    left, right, *_ = cut("密钥每个月轮换一次。" * 99, max_tokens=100, overlap_tokens=20)
    assert left.content.endswith(right.overlap)
    assert 15 <= get_counter("cl100k_base")(right.overlap) <= 20


def test_no_overlap_if_none_is_asked_for() -> None:
    assert {chunk.overlap for chunk in cut(WORDS, max_tokens=100, overlap_tokens=0)} == {""}


def test_overlap_moves_no_window() -> None:
    with_overlap, without = (cut(GUIDE, max_tokens=100, overlap_tokens=tokens) for tokens in (50, 0))
    assert [chunk.id for chunk in with_overlap] == [chunk.id for chunk in without]


def test_overlap_is_shown_on_demand() -> None:
    chunk = cut(WORDS, max_tokens=100, overlap_tokens=20)[1]
    assert chunk.render(overlap=True) == f"{chunk.overlap}\n\n{chunk.content}"
    assert chunk.render() == chunk.content


def test_windows_end_between_words() -> None:
    known = set(WORDS.split())
    assert all(set(chunk.content.split()) <= known for chunk in cut(WORDS, max_tokens=37))


def test_word_longer_than_a_window_is_cut() -> None:
    chunks = cut("x" * 3000, max_tokens=20)
    assert "".join(chunk.content for chunk in chunks) == "x" * 3000
    assert all(chunk.token_count <= 20 for chunk in chunks)


def test_windows_cut_anything() -> None:
    chunks = cut(GUIDE, max_tokens=100)
    assert all(chunk.token_count <= 100 and chunk.oversize_reason is None for chunk in chunks)
    assert any(chunk.content.count("```") == 1 for chunk in chunks)


def test_same_type() -> None:
    """Windows are chunks like any other, with true paths and links."""
    chunks = cut(GUIDE, max_tokens=100)
    assert chunks[0].section_path == ("Guide",)
    assert chunks[-1].section_path == ("Guide", "Rules")
    assert [chunk.next_id for chunk in chunks[:-1]] == [chunk.id for chunk in chunks[1:]]
    assert set(chunks[0].to_json()) == set(crosshead.chunk(GUIDE)[0].to_json())


def test_window_keeps_the_indentation_of_its_first_line() -> None:
    for text in ("    code\n", "\n\n   text", "---\na: b\n---\n  text\n"):
        [chunk] = cut(text)
        assert chunk.content == text.removeprefix("---\na: b\n---\n").strip("\n")


def test_front_matter_is_no_text_here_either() -> None:
    [chunk] = cut("---\ntitle: Guide\n---\n\nText.\n")
    assert (chunk.content, chunk.start_line) == ("Text.", 5)


@pytest.mark.parametrize("text", ["", " \n", "---\ntitle: Guide\n---\n"])
def test_nothing_gives_nothing(text: str) -> None:
    assert cut(text) == []


@pytest.mark.parametrize("tokenizer", ["cl100k_base", "o200k_base", "estimate", "estimate:code", "characters"])
@pytest.mark.parametrize("max_tokens", [1, 2, 7, 100, 4000])
def test_every_counter_and_size(tokenizer: str, max_tokens: int) -> None:
    text = "Short words. 密钥每个月轮换一次。 🔑 longerwordwithoutspace\n\n  indented\n\n" * 5
    document = parse_document(text)
    chunks = crosshead.chunk(document, strategy="fixed", tokenizer=tokenizer, max_tokens=max_tokens)
    count = get_counter(tokenizer)  # type: ignore[arg-type]
    for chunk in chunks:
        assert chunk.token_count == count(chunk.content)
        assert chunk.token_count <= max_tokens or len(chunk.content) == 1
    report = crosshead.check(document, chunks)
    assert report.coverage == 1.0
    assert report.ok
