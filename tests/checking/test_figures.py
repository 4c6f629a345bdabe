from __future__ import annotations

import pytest
from tests.checking.cutting import check, cut

from crosshead.options import ChunkOptions

OPTIONS = ChunkOptions(max_tokens=20, target_tokens=10, min_tokens=4, overlap_tokens=0, tokenizer="characters")


def test_figures_of_chunks() -> None:
    document, chunks = cut("# A\n\none\n\ntwo\n\n## B\n\nthree, four\n", "two", "## B", "four", options=OPTIONS)
    figures = check(document, chunks, OPTIONS).figures
    assert [chunk.token_count for chunk in chunks] == [8, 3, 12, 4]
    assert (figures.chunks, figures.tokens) == (4, 27)
    assert (figures.tokens_min, figures.tokens_median, figures.tokens_max) == (3, 6.0, 12)
    assert figures.fill == pytest.approx(27 / 4 / 10)
    assert figures.tiny == 1
    assert figures.cuts_inside_sections == 2, "before `two` and `four`; the one before a heading is none"
    assert figures.oversize == {}


def test_cut_inside_a_heading_is_inside_a_section() -> None:
    document, chunks = cut("# A long title\n\ntext\n", "title")
    assert check(document, chunks).figures.cuts_inside_sections == 1


def test_figures_of_nothing() -> None:
    figures = check(*cut("")).figures
    assert (figures.chunks, figures.tokens, figures.fill, figures.tokens_median) == (0, 0, 0.0, 0.0)
