"""Links: previous and next, the chunk of the parent section, the chunks of the sections beside."""

from __future__ import annotations

from typing import Any

import pytest

import crosshead
from crosshead import Chunk, Chunks
from crosshead.pipeline import parse_document

FILL = "Some words that fill a chunk, so that nothing else finds a place in it."


def cut(text: str, **options: Any) -> Chunks:
    document = parse_document(text)
    chunks = crosshead.chunk(document, **{"max_tokens": 24, **options})
    assert crosshead.check(document, chunks).ok
    return chunks


def by_title(chunks: Chunks) -> dict[str, Chunk]:
    """The chunk that opens each section."""
    found: dict[str, Chunk] = {}
    for chunk in chunks:
        for title in chunk.inner_headings:
            found.setdefault(title, chunk)
    return found


TREE = "\n\n".join(f"{marks} {title}\n\n{FILL}" for marks, title in [
    ("#", "A"), ("##", "A1"), ("###", "A1a"), ("###", "A1b"), ("##", "A2"), ("##", "A3"), ("#", "B"), ("##", "B1"),
])  # fmt: skip


def test_previous_and_next_follow_the_document() -> None:
    chunks = cut(TREE)
    ids = [chunk.id for chunk in chunks]
    assert [chunk.prev_id for chunk in chunks] == [None, *ids[:-1]]
    assert [chunk.next_id for chunk in chunks] == [*ids[1:], None]


@pytest.mark.parametrize(
    ("title", "parent"),
    [("A", None), ("A1", "A"), ("A1a", "A1"), ("A1b", "A1"), ("A2", "A"), ("B", None), ("B1", "B")],
)
def test_parent_is_the_chunk_that_opens_the_enclosing_section(title: str, parent: str | None) -> None:
    found = by_title(cut(TREE))
    assert found[title].parent_chunk_id == (found[parent].id if parent else None)


def test_parent_without_text_of_its_own_is_skipped() -> None:
    """A heading alone says nothing; the nearest section with text does."""
    chunks = cut(f"# A\n\n{FILL}\n\n## Empty\n\n### Deep\n\n{FILL}\n\n### Deeper\n\n{FILL}")
    found = by_title(chunks)
    assert found["Deep"].parent_chunk_id == found["A"].id
    assert found["Deeper"].parent_chunk_id == found["A"].id


def test_section_without_any_enclosing_text_has_no_parent() -> None:
    found = by_title(cut(f"# A\n\n## B\n\n{FILL}\n\n## C\n\n{FILL}"))
    assert (found["B"].parent_chunk_id, found["C"].parent_chunk_id) == (None, None)


def test_text_before_the_first_heading_is_the_parent_of_what_has_none_else() -> None:
    chunks = cut(f"Preamble.\n\n# A\n\n{FILL}")
    assert chunks[1].parent_chunk_id == chunks[0].id


def test_parent_of_a_part_is_the_chunk_that_opens_its_section() -> None:
    chunks = cut(f"# A\n\n{FILL}\n\n## B\n\n{FILL}\n\n{FILL}\n\n{FILL}")
    first, second, third = [chunk for chunk in chunks if chunk.section_path == ("A", "B")]
    assert first.parent_chunk_id == chunks[0].id
    assert second.parent_chunk_id == third.parent_chunk_id == first.id


def test_siblings_of_a_part_are_the_parts_before_and_after_it() -> None:
    chunks = cut(f"# A\n\n## B\n\n{FILL}\n\n{FILL}\n\n{FILL}\n\n## C\n\n{FILL}")
    first, second, third, beside = chunks
    assert first.sibling_chunk_ids == (second.id,)
    assert second.sibling_chunk_ids == (first.id, third.id)
    assert third.sibling_chunk_ids == (second.id,)
    assert beside.sibling_chunk_ids == (first.id,), "the chunk that opens the section before"


def test_joined_sections_lie_between_the_sections_beside_them() -> None:
    chunks = cut(f"# A\n\n{FILL}\n\n## B\n\n{FILL}\n\n## C\n\none\n\n## D\n\ntwo\n\n## E\n\n{FILL}", max_tokens=26)
    opening, before, joined, after = chunks
    assert joined.inner_headings == ("C", "D")
    assert joined.parent_chunk_id == opening.id, "their own heading's text"
    assert joined.sibling_chunk_ids == (before.id, after.id)


@pytest.mark.parametrize(
    "text",
    [
        f"# A\n\n{FILL}\n\n## B\n\n{FILL}",
        f"{FILL}\n\n# A\n\n{FILL}",
        f"# A\n\n{FILL} {FILL}",
        f"# A\n\n## B\n\n{FILL}\n\n### C\n\n{FILL}",
        f"{FILL}\n\n{FILL}",
    ],
)
def test_only_a_chunk_that_is_its_whole_document_has_no_links(text: str) -> None:
    chunks = cut(text)
    assert len(chunks) > 1
    assert all(chunk.parent_chunk_id or chunk.sibling_chunk_ids for chunk in chunks)


@pytest.mark.parametrize(
    ("title", "siblings"),
    [("A", ["B"]), ("A1", ["A2"]), ("A2", ["A1", "A3"]), ("A3", ["A2"]), ("A1a", ["A1b"]), ("B", ["A"]), ("B1", [])],
)
def test_siblings_open_the_sections_beside_it(title: str, siblings: list[str]) -> None:
    found = by_title(cut(TREE))
    assert found[title].sibling_chunk_ids == tuple(found[other].id for other in siblings)


def test_siblings_are_at_most_two() -> None:
    """A page of many entries stays linear."""
    chunks = cut("# A\n\n" + "\n\n".join(f"## E{number}\n\n{FILL}" for number in range(50)))
    assert max(len(chunk.sibling_chunk_ids) for chunk in chunks) == 2


def test_chunk_is_not_its_own_sibling() -> None:
    [chunk] = cut("# A\n\n## B\n\none\n\n## C\n\ntwo", max_tokens=400)
    assert chunk.sibling_chunk_ids == ()
    chunks = cut(f"# A\n\n## B\n\none\n\n## C\n\ntwo\n\n## D\n\n{FILL}", max_tokens=30)
    assert all(chunk.id not in chunk.sibling_chunk_ids for chunk in chunks)


def test_links_stay_inside_the_document_and_have_no_cycle() -> None:
    chunks = cut(TREE * 3)
    by_id = {chunk.id: chunk for chunk in chunks}
    for chunk in chunks:
        seen: set[str] = set()
        at: str | None = chunk.id
        while at is not None:
            assert at not in seen
            seen.add(at)
            at = by_id[at].parent_chunk_id
        assert set(chunk.sibling_chunk_ids) <= set(by_id)


def test_one_chunk_has_no_links() -> None:
    [chunk] = cut("Text.")
    links = (chunk.prev_id, chunk.next_id, chunk.parent_chunk_id, chunk.sibling_chunk_ids)
    assert links == (None, None, None, ())
