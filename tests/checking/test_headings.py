from __future__ import annotations

import pytest
from tests.checking.cutting import cut, faults

import crosshead
from crosshead.options import ChunkOptions

BODY = "Some text.\n\n"


def dangling(text: str, *before: str, max_tokens: int = 400, keep: int | None = None) -> list[str]:
    options = ChunkOptions(max_tokens=max_tokens, overlap_tokens=0)
    document, chunks = cut(text, *before, options=options)
    return [fault for fault in faults(document, chunks[:keep], options) if fault.startswith("dangling_heading")]


@pytest.mark.parametrize("level", range(1, 7))
def test_dangling_heading_is_found(level: int) -> None:
    """S3-31: at every level, which the first form of this rule was not."""
    found = dangling(f"{BODY}{'#' * level} Title\n\nmore\n", "more")
    assert len(found) == 1
    assert "ends with the heading 'Title'" in found[0]


def test_dangling_setext_heading_is_found() -> None:
    assert len(dangling(f"{BODY}Title\n=====\n\nmore\n", "more")) == 1


def test_chunk_of_one_short_heading_is_found() -> None:
    assert len(dangling("# Title\n\nmore\n", "more")) == 1


def test_heading_before_its_text_is_fine() -> None:
    assert dangling(f"# A\n\n{BODY}## B\n\nmore\n", "## B") == []


def test_last_line_of_the_document_may_be_a_heading() -> None:
    assert dangling(f"{BODY}# A\n\n## B\n") == []


def test_heading_at_the_end_of_the_last_chunk_is_found() -> None:
    """B10: the last chunk ends with a heading whose text is in no chunk."""
    assert len(dangling(f"{BODY}# A\n\nmore\n", "more", keep=1)) == 1


def test_comment_at_the_end_of_code_is_no_heading() -> None:
    """B10: a line that begins with a hash is not always a heading."""
    assert dangling(f"{BODY}```sh\nls\n# done\n```\n\nmore\n", "more") == []
    assert dangling(f"{BODY}    ls\n    # done\n\nmore\n", "more") == []
    assert dangling(f"{BODY}- item\n\n  # done\n\nmore\n", "more") == []


def test_hashtag_is_no_heading() -> None:
    assert dangling(f"{BODY}#hashtag\n\nmore\n", "more") == []


def test_long_chain_of_headings_may_be_a_chunk() -> None:
    chain = "".join(f"{'#' * level} {'Very long title ' * 4}\n\n" for level in range(1, 6))
    assert dangling(f"{chain}###### Last\n\nmore\n", "###### Last", max_tokens=80) == []


def test_short_chain_of_headings_may_not() -> None:
    chain = "# One\n\n## Two\n\n"
    assert len(dangling(f"{chain}### Three\n\nmore\n", "### Three", max_tokens=80)) == 1


def test_long_chain_after_text_may_not() -> None:
    chain = "".join(f"{'#' * level} {'Very long title ' * 4}\n\n" for level in range(1, 6))
    assert len(dangling(f"{BODY}{chain}###### Last\n\nmore\n", "###### Last", max_tokens=100)) == 1


def test_heading_longer_than_the_budget_is_cut_like_prose() -> None:
    text = f"{BODY}# {'word ' * 60}end\n\nmore\n"
    assert dangling(text, "word", "end", max_tokens=60) == []


def test_blank_lines_may_leave_no_room_below_a_heading() -> None:
    blank = f"{' ' * 40}\n\n"
    text = f"## A b c\n\n{blank}{blank}- item\n- item\n"
    chunks = crosshead.chunk(text, max_tokens=80, tokenizer="characters")
    assert [chunk.content for chunk in chunks] == ["## A b c", "- item\n- item"]
    assert crosshead.check(text, chunks).ok


def test_line_of_odd_white_space_does_not_part_a_long_chain() -> None:
    text = f"# A\n\n\xa0\n\n## {'Very long title ' * 8}\n\nmore\n"
    chunks = crosshead.chunk(text, max_tokens=30)
    assert chunks[0].content == "# A"
    assert crosshead.check(text, chunks).ok
