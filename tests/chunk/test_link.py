"""Links follow the section tree and the order of the document."""

from __future__ import annotations

import crosshead
from crosshead import Chunk

WORDS = "Some words that fill a line of this section well enough. " * 4
TEXT = f"""# Guide

{WORDS}

## First

{WORDS}

### Deep

{WORDS}

## Second

{WORDS}

## Third

{WORDS}
"""


def by_title(text: str = TEXT) -> dict[str, Chunk]:
    return {chunk.section_path[-1]: chunk for chunk in crosshead.chunk(text, max_tokens=64)}


def test_parent_is_the_chunk_that_opens_the_enclosing_section() -> None:
    chunks = by_title()
    assert chunks["Guide"].parent_chunk_id is None
    assert chunks["First"].parent_chunk_id == chunks["Guide"].id
    assert chunks["Deep"].parent_chunk_id == chunks["First"].id


def test_section_without_text_is_no_parent() -> None:
    chunks = by_title(TEXT.replace(WORDS, "", 1))
    assert chunks["Second"].parent_chunk_id is None


def test_siblings_are_the_sections_before_and_after() -> None:
    chunks = by_title()
    assert chunks["Second"].sibling_chunk_ids == (chunks["First"].id, chunks["Third"].id)
    assert chunks["First"].sibling_chunk_ids == (chunks["Second"].id,)
    assert chunks["Guide"].sibling_chunk_ids == ()


def test_previous_and_next_follow_the_document() -> None:
    chunks = crosshead.chunk(TEXT, max_tokens=64)
    assert [chunk.prev_id for chunk in chunks] == [None, *(chunk.id for chunk in chunks[:-1])]
    assert [chunk.next_id for chunk in chunks] == [*(chunk.id for chunk in chunks[1:]), None]


def test_editing_one_section_keeps_the_ids_of_the_others() -> None:
    before, after = by_title(), by_title(TEXT.replace("### Deep\n\nSome", "### Deep\n\nOther"))
    assert {title for title in before if before[title].id != after[title].id} == {"Deep"}
