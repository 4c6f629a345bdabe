from __future__ import annotations

import pytest
from tests.checking.cutting import check, cut, faults, with_change

from crosshead.options import ChunkOptions
from crosshead.pipeline import parse_document
from crosshead.types import Chunk, Document

TEXT = """\
Preamble.

# Guide

## Rules

Rule one.

Rule two.

### Detail

Fine print.

## Notes

- a note

# Guide

The end.
"""


@pytest.mark.parametrize(
    "before",
    [
        (),
        ("# Guide",),
        ("# Guide", "Rule two."),
        ("# Guide", "### Detail", "## Notes"),
        ("# Guide", "## Notes"),
        ("Rule two.",),
        ("# Guide", "## Notes", "# Guide\n\nThe"),
        ("one.", "two.", "print.", "end."),
    ],
)
def test_true_fields_pass(before: tuple[str, ...]) -> None:
    document, chunks = cut(TEXT, *before)
    other_rules = ("dangling", "whole")
    assert [each for each in faults(document, chunks) if not each.startswith(other_rules)] == []


def test_path_skips_the_headings_a_chunk_begins_with() -> None:
    document, chunks = cut(TEXT, "# Guide", "### Detail", "## Notes", "# Guide")
    paths = [(), ("Guide", "Rules"), ("Guide", "Rules", "Detail"), ("Guide", "Notes"), ("Guide",)]
    assert [chunk.section_path for chunk in chunks] == paths
    assert faults(document, chunks) == []


@pytest.mark.parametrize(
    ("before", "torn"),
    [
        (("# Guide", "# Guide"), []),
        (("# Guide", "Rule two.", "## Notes", "# Guide"), []),
        (("# Guide", "### Detail", "# Guide"), [2]),
        (("Rule two.",), [0, 1]),
        (("# Guide", "Fine", "## Notes", "# Guide"), [1]),
        (("# Guide", "# Guide", "The end."), []),
        (("# Guide", "## Notes", "The end."), [2]),
    ],
)
def test_part_of_a_section_below_the_chunks_own_is_found(before: tuple[str, ...], torn: list[int]) -> None:
    document, chunks = cut(TEXT, *before)
    found = {each.chunk_id for each in check(document, chunks).violations if each.rule == "whole"}
    assert found == {chunks[at].id for at in torn}


def test_chunk_of_headings_has_the_path_of_the_last_one() -> None:
    title = "Very long title " * 30
    document, chunks = cut(f"# {title}\n\n## {title}\n\n### {title}\n\nText.", "### Very", "Text.")
    assert len(chunks[0].section_path) == 2
    assert [each for each in faults(document, chunks) if "section_path:" in each] == []


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("section_path", ("Guide",)),
        ("section_path", ()),
        ("section_level", 1),
        ("section_id", "0" * 16),
        ("inner_headings", ()),
        ("inner_headings", ("Rules", "Guide")),
        ("block_start", 0),
        ("block_end", 9),
        ("part", 1),
        ("parts", 2),
        ("is_complete_section", True),
        ("content_type", "list"),
        ("section_token_count", 3),
        ("indexable", False),
    ],
)
def test_untrue_field_is_found(field: str, value: object) -> None:
    document, chunks = cut(TEXT, "# Guide", "### Detail", "## Notes")
    found = faults(document, with_change(chunks, 1, **{field: value}))
    assert any(fault.startswith("section_path:") and f"has {field}={value!r}" in fault for fault in found)


def test_ordinal_keeps_sections_with_one_path_apart() -> None:
    document, chunks = cut(TEXT, "# Guide\n\nThe")
    other = cut(TEXT, "# Guide", "# Guide\n\nThe")[1][1]
    assert chunks[1].section_path == other.section_path
    assert any(
        "has section_id=" in fault for fault in faults(document, with_change(chunks, 1, section_id=other.section_id))
    )


def test_part_of_a_section_is_not_complete() -> None:
    document, chunks = cut(TEXT, "# Guide", "Rule two.", "### Detail")
    assert not any(chunk.is_complete_section for chunk in chunks[1:3])
    assert any(
        "is_complete_section=True" in each
        for each in faults(document, with_change(chunks, 2, is_complete_section=True))
    )


def test_root_is_complete_without_its_front_matter() -> None:
    document, chunks = cut("---\ntitle: A\n---\n\nOne.\n\nTwo.\n")
    assert chunks[0].is_complete_section
    assert faults(document, chunks) == []


def test_section_sizes_must_agree() -> None:
    """The sizes of a large section are not all counted, but those of one section cannot differ."""
    text = "# A\n\n" + "Some words of text.\n\n" * 1_000 + "The end.\n"
    document, chunks = cut(text, "The end", options=ChunkOptions(max_tokens=10_000, overlap_tokens=0))
    changed = with_change(chunks, 1, section_token_count=7)
    found = faults(document, changed, ChunkOptions(max_tokens=10_000, overlap_tokens=0))
    assert any("has section_token_count=7" in fault for fault in found)


@pytest.mark.parametrize(
    ("text", "format", "content_type"),
    [
        ("# A\n\ntext\n\n> quote\n", "markdown", "prose"),
        ("# A\n", "markdown", "prose"),
        ("# A\n\n```\na\n```\n\n    b\n", "markdown", "code"),
        ("import a from 'a'\n\n<Tabs />\n\n{1}\n\n$$\nx\n$$\n", "mdx", "code"),
        ("| a |\n| - |\n| 1 |\n", "markdown", "table"),
        ("- a\n\n1. b\n", "markdown", "list"),
        ("text\n\n- a\n", "markdown", "mixed"),
        ("- a\n\n```\nb\n```\n", "markdown", "mixed"),
    ],
)
def test_content_type(text: str, format: str, content_type: str) -> None:
    document, chunks = cut(parse_document(text, format=format))
    assert chunks[0].content_type == content_type
    assert faults(document, chunks) == []
    other = "list" if content_type == "prose" else "prose"
    assert any("content_type" in fault for fault in faults(document, with_change(chunks, 0, content_type=other)))


def indexable_faults(document: Document, chunks: list[Chunk]) -> list[str]:
    return [fault for fault in faults(document, chunks) if "indexable" in fault]


@pytest.mark.parametrize(
    ("text", "format"),
    [
        ("---\n\n***\n", "markdown"),
        ("<!-- one\ntwo --> <!-- three -->\n\n---\n", "markdown"),
        ("<!-- never closed\n\ntext\n", "markdown"),
        ("import a from 'a'\n", "mdx"),
    ],
)
def test_rules_comments_and_imports_are_not_indexable(text: str, format: str) -> None:
    document, chunks = cut(parse_document(text, format=format))
    assert indexable_faults(document, with_change(chunks, 0, indexable=False)) == []
    assert len(indexable_faults(document, with_change(chunks, 0, indexable=True))) == 1


@pytest.mark.parametrize(
    "text", ["# A\n\n---\n", "<!-- a -->text\n", "<!-- a --> <b>\n", "<p>x</p>\n", "---\n\ntext\n"]
)
def test_anything_else_is_indexable(text: str) -> None:
    document, chunks = cut(text)
    assert indexable_faults(document, with_change(chunks, 0, indexable=True)) == []
    assert len(indexable_faults(document, with_change(chunks, 0, indexable=False))) == 1


def test_definitions_may_be_indexable_or_not() -> None:
    document, chunks = cut("[a]: https://example.org\n")
    for indexable in (True, False):
        assert indexable_faults(document, with_change(chunks, 0, indexable=indexable)) == []
