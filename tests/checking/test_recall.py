from __future__ import annotations

import pytest
from tests.checking.cutting import check, cut, with_change

LINES = ["The first line of text.", "A second line of text.", "And a third line here.", "short"]
TEXT = "\n\n".join(LINES)


def test_whole_lines_are_recalled() -> None:
    document, chunks = cut(TEXT, "A second", "And")
    assert check(document, chunks).line_recall == 1.0


def test_cut_line_is_not_recalled() -> None:
    document, chunks = cut(TEXT, "line of text.\n\nAnd")
    report = check(document, chunks)
    assert report.line_recall == pytest.approx(2 / 3)
    assert report.coverage == 1.0


def test_cut_in_a_short_line_does_not_matter() -> None:
    document, chunks = cut(TEXT, "ort")
    assert check(document, chunks).line_recall == 1.0


def test_lost_line_is_not_recalled() -> None:
    document, chunks = cut(TEXT, "A second", "And")
    assert check(document, [chunks[0], chunks[2]]).line_recall == pytest.approx(2 / 3)


def test_copy_elsewhere_does_not_help() -> None:
    """S3-35: the same line in another chunk is another line."""
    document, chunks = cut(f"{LINES[0]}\n\n{LINES[1]}\n\n{LINES[0]}", LINES[1])
    assert check(document, chunks[1:]).line_recall == pytest.approx(2 / 3)


def test_white_space_is_normalized() -> None:
    document, chunks = cut(TEXT, "A second", "And")
    loose = with_change(chunks, 1, content="A  second \t line of text.  ")
    assert check(document, loose).line_recall == 1.0
    other = with_change(chunks, 1, content="A second line of texts.")
    assert check(document, other).line_recall == pytest.approx(2 / 3)


def test_spaces_do_not_make_a_line_significant() -> None:
    document, chunks = cut("a" + " " * 30 + "b\n\n" + LINES[0], LINES[0])
    assert check(document, chunks[1:]).line_recall == 1.0


def test_front_matter_does_not_count() -> None:
    document, chunks = cut(f"---\ntitle: {LINES[1]}\n---\n{LINES[0]}\n\n{LINES[2]}", LINES[2])
    assert check(document, chunks[:1]).line_recall == pytest.approx(1 / 2)


def test_chunk_at_a_negative_offset_recalls_nothing() -> None:
    document, chunks = cut(TEXT, "A second", "And")
    length = len(document.text)
    moved = with_change(chunks, 1, start=chunks[1].start - length, end=chunks[1].end - length, start_line=99)
    assert check(document, moved).line_recall == pytest.approx(2 / 3)
