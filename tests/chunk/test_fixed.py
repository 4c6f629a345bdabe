"""Token windows, the baseline."""

from __future__ import annotations

import pytest

import crosshead
from crosshead.tokens import get_counter

TEXT = "# Guide\n\n" + "\n\n".join(f"Paragraph {number} has a few words, and then it ends." for number in range(60))


@pytest.mark.parametrize("max_tokens", [8, 16, 64, 400])
def test_windows_are_full_and_within_the_budget(max_tokens: int) -> None:
    chunks = crosshead.chunk(TEXT, strategy="fixed", max_tokens=max_tokens)
    assert all(chunk.token_count <= max_tokens for chunk in chunks)
    assert all(chunk.token_count > max_tokens * 0.6 for chunk in chunks[:-1])
    assert crosshead.check(TEXT, chunks).ok


def test_windows_are_cut_between_words() -> None:
    for chunk in crosshead.chunk(TEXT, strategy="fixed", max_tokens=16)[:-1]:
        assert TEXT[chunk.end].isspace()


def test_fixed_chunks_have_the_same_type_and_true_paths() -> None:
    last = crosshead.chunk(TEXT, strategy="fixed", max_tokens=64)[-1]
    assert last.section_path == ("Guide",)
    assert last.token_count == get_counter("cl100k_base")(last.content)


def test_auto_is_section_aware_for_markdown() -> None:
    text = "# A\n\ntext\n\n# B\n\ntext"
    auto = crosshead.chunk(text)
    assert auto == crosshead.chunk(text, strategy="section")
    assert len(crosshead.chunk(text, strategy="fixed")) == 1
