"""`render()`: views of a chunk for readers and models; the chunk itself never changes."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any

import pytest

import crosshead
from crosshead import Chunks
from crosshead.pipeline import parse_document

SENTENCE = "This sentence has ten words, and it counts ten of them. "
LONG = SENTENCE * 5


def cut(text: str, **options: Any) -> Chunks:
    return crosshead.chunk(parse_document(text, source="guide.md"), **options)


def test_content_that_begins_with_its_heading_is_shown_as_it_is() -> None:
    [chunk] = cut("# Guide\n\n## Rules\n\nBe kind.\n")
    assert chunk.render() == chunk.content


def test_continuation_begins_with_its_headings() -> None:
    chunks = cut(f"# Guide\n\n## Rules\n\n{LONG}\n\n{LONG}", max_tokens=80)
    assert len(chunks) == 2
    assert [chunk.part > 0 for chunk in chunks] == [False, True]
    assert chunks[1].heading_prefix == "# Guide\n\n## Rules"
    assert chunks[1].render() == f"# Guide\n\n## Rules\n\n{chunks[1].content}"
    assert chunks[1].render(headings=False) == chunks[1].content


def test_heading_with_text_of_its_own_is_not_repeated_for_its_subsections() -> None:
    """The prefix is what stands directly above the text: of headings, not of sections."""
    chunks = cut(f"# Guide\n\n{LONG}\n\n## Rules\n\n{LONG}\n\n{LONG}", max_tokens=80)
    assert [chunk.heading_prefix for chunk in chunks] == ["# Guide", "## Rules", "## Rules"]


def test_blank_lines_between_headings_are_kept() -> None:
    chunks = cut(f"# Guide\n\n\n\n## Rules\n### Keys\n\n{LONG}\n\n{LONG}", max_tokens=80)
    assert chunks[1].heading_prefix == "# Guide\n\n\n\n## Rules\n### Keys"


def test_setext_heading_is_repeated_as_it_stands() -> None:
    chunks = cut(f"Guide\n=====\n\n{LONG}\n\n{LONG}", max_tokens=80)
    assert chunks[1].render().startswith("Guide\n=====\n\nThis")


def test_part_of_a_heading_repeats_no_heading() -> None:
    chunks = cut(f"# {SENTENCE * 9}\n\nText.", max_tokens=40)
    assert [chunk.heading_prefix for chunk in chunks[1:]] == [""] * (len(chunks) - 1)


def test_enormous_heading_is_not_repeated() -> None:
    chunks = cut(f"# {'word ' * 2000}\n\n{LONG}\n\n{LONG}", max_tokens=80)
    assert chunks[-1].heading_prefix == ""


def test_breadcrumb_is_the_first_line() -> None:
    [chunk] = cut("# Guide\n\n## Rules\n\nBe kind.\n")
    assert chunk.render(breadcrumb=True) == f"Guide > Rules\n{chunk.content}"
    assert chunk.render(breadcrumb=True, headings=False).startswith("Guide > Rules\n# Guide")


def test_chunk_without_a_path_has_no_breadcrumb_line() -> None:
    [chunk] = cut("Text.\n")
    assert chunk.render(breadcrumb=True) == "Text."


def test_overlap_stands_between_headings_and_content() -> None:
    first, second = cut(f"# A\n\n{LONG}\n\nShort.\n\n# B\n\n{LONG}", max_tokens=80, overlap_tokens=12)
    assert (first.overlap, second.overlap) == ("", "Short.")
    assert second.render(overlap=True) == f"Short.\n\n{second.content}"
    assert second.render() == second.content


def test_everything_at_once_keeps_its_order() -> None:
    code = "\n".join(f"value_{number} = {number}" for number in range(60))
    chunk = cut(f"# A\n\nText.\n\n```python\n{code}\n```", max_tokens=80, oversize="split")[-2]
    view = chunk.render(breadcrumb=True, overlap=True)
    assert view == f"A\n# A\n\n```python\n{chunk.content}\n```"


def test_rendering_changes_nothing() -> None:
    chunks = cut(f"# Guide\n\n{LONG}\n\n{LONG}", max_tokens=80)
    before = [chunk.to_json() for chunk in chunks]
    for chunk in chunks:
        chunk.render(headings=True, overlap=True, breadcrumb=True)
    assert [chunk.to_json() for chunk in chunks] == before


def test_chunk_is_immutable() -> None:
    [chunk] = cut("Text.")
    with pytest.raises(FrozenInstanceError):
        chunk.content = "other"  # type: ignore[misc]


def test_citation_names_file_and_lines() -> None:
    chunks = cut(f"# Guide\n\n{LONG}\n\n{LONG}", max_tokens=80)
    assert [chunk.citation for chunk in chunks] == ["guide.md:1-3", "guide.md:5"]
