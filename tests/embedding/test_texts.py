from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crosshead.embedding.text.texts import batch_in_order, clean_text, halve_text, spread_windows

lengths = st.lists(st.integers(1, 600), max_size=60)


@pytest.mark.parametrize(
    ("text", "expected"), [("", "."), (" \n", "."), ("a\ud800b", "a\ufffdb"), ("été", "été"), (" a ", " a ")]
)
def test_clean_text_can_be_read_by_every_model(text: str, expected: str) -> None:
    assert clean_text(text) == expected


@given(st.integers(0, 5000), st.integers(2, 600), st.integers(0, 50))
def test_windows_cover_everything_and_overlap_enough(length: int, size: int, overlap: int) -> None:
    overlap = min(overlap, size - 1)
    windows = spread_windows(length, size, overlap)
    assert windows[0][0] == 0
    assert windows[-1][1] == length
    for (start, end), (following, _) in pairwise(windows):
        assert start < following <= end - overlap
    assert all(end - start == min(size, length) for start, end in windows)


@given(st.text(alphabet="ab \n", min_size=64, max_size=400))
def test_halves_hold_the_whole_text_and_are_shorter(text: str) -> None:
    first, second = halve_text(text)
    assert max(len(first), len(second)) < len(text)
    assert text.startswith(first)
    assert text.endswith(second)
    assert len(first.split()) + len(second.split()) >= len(text.split())


def test_halves_begin_and_end_with_whole_words() -> None:
    text = "alpha beta gamma delta " * 20
    first, second = halve_text(text)
    assert {*first.split(), *second.split()} == {"alpha", "beta", "gamma", "delta"}


@given(lengths, st.integers(1, 20), st.integers(1, 1000))
def test_requests_keep_the_order_and_stay_small(lengths: list[int], max_texts: int, max_characters: int) -> None:
    texts = ["x" * length for length in lengths]
    batches = list(batch_in_order(texts, max_texts, max_characters))
    assert [position for batch in batches for position in batch] == list(range(len(texts)))
    for batch in batches:
        assert len(batch) <= max_texts
        assert len(batch) == 1 or sum(len(texts[position]) for position in batch) <= max_characters
