from __future__ import annotations

import pytest
from tests.checking.cutting import broken_rules, check, cut, faults, with_change

from crosshead import ids
from crosshead.options import ChunkOptions

TEXT = """\
# Guide

A first paragraph of text.

    indented code

## Rules

Never lose a line. Never repeat one.
"""


def test_good_slices_pass() -> None:
    document, chunks = cut(TEXT, "    indented", "## Rules", "Never repeat")
    assert faults(document, chunks) == []
    assert check(document, chunks).coverage == 1.0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"content": ""}, "is blank"),
        ({"content": " \n"}, "is blank"),
        ({"content": "Another text."}, "is not the text between its offsets"),
        ({"start": -5}, "is not the text between its offsets"),
        ({"end": 10_000}, "is not the text between its offsets"),
        ({"start": 40, "end": 30}, "is not the text between its offsets"),
        ({"start_line": 8}, "is on lines 7-9"),
        ({"end_line": 0}, "is on lines 7-9"),
        ({"content_hash": ids.content_hash("x")}, "has the content hash of another text"),
    ],
)
def test_wrong_slice_is_found(changes: dict[str, object], message: str) -> None:
    document, chunks = cut(TEXT, "## Rules")
    assert any(message in fault for fault in faults(document, with_change(chunks, 1, **changes)))


@pytest.mark.parametrize(
    ("start", "end", "message"),
    [
        (-1, 0, "begins with a blank line"),
        (0, 1, "ends with a blank character"),
        (4, 0, "leaves out the indentation of its first line"),
        (2, 0, "begins with a blank character inside a line"),
    ],
)
def test_shifted_slice_is_found(start: int, end: int, message: str) -> None:
    document, chunks = cut(TEXT, "    indented", "## Rules")
    start, end = chunks[1].start + start, chunks[1].end + end
    content = document.text[start:end]
    moved = with_change(chunks, 1, start=start, end=end, content=content, content_hash=ids.content_hash(content))
    assert any(fault.startswith("slice:") and message in fault for fault in faults(document, moved))


def test_slice_may_begin_inside_a_line() -> None:
    document, chunks = cut("one two  three", "three")
    assert chunks[1].start == 9
    assert faults(document, chunks) == []


def test_indentation_beyond_the_budget_is_left_out() -> None:
    text = f"- item\n{' ' * 40}text\n"
    document, chunks = cut(text, "text")
    small = ChunkOptions(max_tokens=16, overlap_tokens=0, tokenizer="characters")
    large = ChunkOptions(max_tokens=60, overlap_tokens=0, tokenizer="characters")
    assert not any("indentation" in fault for fault in faults(document, chunks, small))
    assert any("indentation" in fault for fault in faults(document, chunks, large))


def test_form_feed_and_no_break_space_are_blank() -> None:
    document, chunks = cut("one\n\n\x0c\n\n\u00a0\n\ntwo\n", "two")
    assert faults(document, chunks) == []


def test_empty_chunk_with_end_line_zero_is_found() -> None:
    """B9: moving a heading out of its chunk once left an empty chunk behind."""
    document, chunks = cut(TEXT, "## Rules")
    assert "slice" in broken_rules(document, with_change(chunks, 1, content="", end=chunks[1].start, end_line=0))


def test_line_range_of_moved_heading_is_found() -> None:
    """B9: the new start line once assumed that no blank line stands before the text."""
    document, chunks = cut("# A\n\ntext\n\n## B\n\nmore\n", "## B")
    assert any("is on lines 5-7" in fault for fault in faults(document, with_change(chunks, 1, start_line=6)))


def test_wrong_index_is_found() -> None:
    document, chunks = cut(TEXT, "## Rules")
    assert any("is number 1" in fault for fault in faults(document, with_change(chunks, 1, index=2)))


def test_swapped_chunks_are_found() -> None:
    document, chunks = cut(TEXT, "    indented", "## Rules")
    assert "order" in broken_rules(document, [chunks[0], chunks[2], chunks[1]])


def test_dropped_chunk_is_found() -> None:
    document, chunks = cut(TEXT, "    indented", "## Rules")
    report = check(document, [chunks[0], chunks[2]])
    assert report.coverage == pytest.approx(1 - len("indentedcode") / len("".join(TEXT.split())))
    lost = next(each for each in report.violations if each.rule == "coverage")
    assert (lost.start_line, lost.end_line) == (5, 5)
    assert lost.message == "12 characters are in no chunk, first on lines 5-5"


def test_lost_end_is_found() -> None:
    document, chunks = cut(TEXT, "## Rules")
    assert "coverage" in broken_rules(document, chunks[:1])
    assert check(document, []).coverage == 0.0


def test_short_lost_line_is_found() -> None:
    """A line too short for the recall of lines is still lost text."""
    document, chunks = cut("A line that is long enough.\n\nx\n\nAnother line, also long enough.\n", "x\n", "Another")
    report = check(document, [chunks[0], chunks[2]])
    assert report.line_recall == 1.0
    assert not report.ok


def test_duplicates_do_not_help() -> None:
    """S3-35: a chunk given twice neither replaces a lost one nor counts twice."""
    document, chunks = cut(TEXT, "    indented", "## Rules")
    lost = check(document, [chunks[0], chunks[2]])
    doubled = check(document, [chunks[0], chunks[2], chunks[2]])
    assert doubled.coverage < lost.coverage < 1.0
    assert doubled.line_recall == lost.line_recall
    assert any("are in several chunks" in each.message for each in doubled.violations)
    assert {"order", "coverage", "ids"} <= broken_rules(document, [*chunks, chunks[2]])


def test_overlapping_chunks_are_found() -> None:
    document, chunks = cut(TEXT, "## Rules")
    start = document.text.index("indented")
    content = document.text[start - 4 : chunks[1].end]
    longer = with_change(chunks, 1, start=start - 4, content=content)
    found = faults(document, longer)
    assert any("begins before the end of chunk 0" in fault for fault in found)
    assert any("12 characters are in several chunks, first on lines 5-5" in fault for fault in found)


@pytest.mark.parametrize("text", ["", "  \n\n\t\n"])
def test_empty_is_covered(text: str) -> None:
    """S3-36: where there is nothing to lose, nothing is lost."""
    document, chunks = cut(text)
    report = check(document, chunks)
    assert (chunks, report.coverage, report.line_recall, report.ok) == ([], 1.0, 1.0, True)


def test_front_matter_need_not_be_covered() -> None:
    document, chunks = cut("---\ntitle: A long enough title\n---\n\n# A\n\ntext\n")
    report = check(document, chunks)
    assert (report.coverage, report.line_recall, report.ok) == (1.0, 1.0, True)
    assert chunks[0].block_start == 1


def test_front_matter_in_a_chunk_is_found() -> None:
    document, chunks = cut("---\ntitle: A\n---\n\n# A\n\ntext\n")
    whole = with_change(chunks, 0, start=0, content=document.text.rstrip())
    assert any("holds front matter" in fault for fault in faults(document, whole))
