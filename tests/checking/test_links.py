from __future__ import annotations

import pytest
from tests.checking.cutting import broken_rules, cut, faults, with_change

TEXT = """\
Preamble.

# Guide

Introduction.

## Install

### Linux

Use a package.

### Windows

Use the installer.

### Mac

Use brew.

## Use

Run it.
"""
CUTS = ("# Guide", "## Install", "### Windows", "### Mac", "## Use")


def test_true_links_pass() -> None:
    document, chunks = cut(TEXT, *CUTS)
    assert faults(document, chunks) == []
    preamble, guide, linux, windows, mac, use = chunks
    assert guide.parent_chunk_id == preamble.id
    assert linux.parent_chunk_id == windows.parent_chunk_id == guide.id, "a section without text is passed over"
    assert windows.sibling_chunk_ids == (linux.id, mac.id)
    assert use.sibling_chunk_ids == (linux.id,), "the chunk of Linux opens Install"


def test_sibling_in_the_same_chunk_is_left_out() -> None:
    document, chunks = cut(TEXT, "# Guide", "## Install", "### Mac", "## Use")
    install, mac, use = chunks[2:]
    assert install.section_path == ("Guide", "Install")
    assert install.sibling_chunk_ids == (use.id,)
    assert mac.sibling_chunk_ids == (install.id,), "Linux and Windows are in one chunk"
    assert faults(document, chunks) == []


def test_parts_are_linked_with_each_other() -> None:
    document, chunks = cut("# A\n\none\n\ntwo\n\nthree\n\n## B\n\nfour\n", "two", "three", "## B")
    first, second, third, below = chunks
    assert faults(document, chunks) == []
    assert [chunk.part for chunk in chunks] == [0, 1, 2, 0]
    assert second.sibling_chunk_ids == (first.id, third.id)
    assert second.parent_chunk_id == third.parent_chunk_id == below.parent_chunk_id == first.id
    assert first.parent_chunk_id is None


def test_neighbors_stand_in_where_the_tree_gives_no_link() -> None:
    document, chunks = cut("# A\n\none\n\n## B\n\ntwo\n", "## B")
    assert chunks[0].sibling_chunk_ids == (chunks[1].id,)
    assert faults(document, chunks) == []


def test_front_matter_is_no_text_of_the_root() -> None:
    document, chunks = cut("---\ntitle: A\n---\n\n# A\n\none\n\n# B\n\ntwo\n", "# B")
    assert [chunk.parent_chunk_id for chunk in chunks] == [None, None]
    assert faults(document, chunks) == []


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("prev_id", None),
        ("next_id", None),
        ("prev_id", "f" * 16),
        ("next_id", "f" * 16),
        ("parent_chunk_id", None),
        ("parent_chunk_id", "f" * 16),
        ("sibling_chunk_ids", ()),
        ("sibling_chunk_ids", ("f" * 16,)),
    ],
)
def test_wrong_link_is_found(field: str, value: object) -> None:
    document, chunks = cut(TEXT, *CUTS)
    found = faults(document, with_change(chunks, 3, **{field: value}))
    assert len(found) == 1
    assert found[0].startswith("links:")
    assert f"has {field}=" in found[0]
    assert ("there is no chunk" in found[0]) is ("f" * 16 in str(value))


def test_siblings_in_the_wrong_order_are_found() -> None:
    document, chunks = cut(TEXT, *CUTS)
    turned = with_change(chunks, 3, sibling_chunk_ids=tuple(reversed(chunks[3].sibling_chunk_ids)))
    assert broken_rules(document, turned) == {"links"}


def test_cycle_of_parents_is_found() -> None:
    """K4: parent and child must agree."""
    document, chunks = cut(TEXT, *CUTS)
    looped = with_change(chunks, 1, parent_chunk_id=chunks[2].id)
    assert broken_rules(document, looped) == {"links"}
    itself = with_change(chunks, 2, parent_chunk_id=chunks[2].id)
    assert broken_rules(document, itself) == {"links"}


def test_parent_that_is_not_the_opening_chunk_is_found() -> None:
    document, chunks = cut(TEXT, "# Guide", "Introduction", "## Install")
    wrong = with_change(chunks, 3, parent_chunk_id=chunks[2].id)
    assert "links" in broken_rules(document, wrong)


def test_dropped_chunk_breaks_the_chain() -> None:
    document, chunks = cut(TEXT, *CUTS)
    assert {"links", "coverage", "order"} <= broken_rules(document, [*chunks[:2], *chunks[3:]])
