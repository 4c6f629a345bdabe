"""Headings by underline, and fences, in plain text."""

from __future__ import annotations

import pytest
from tests.formats.sound import headings, kinds, read_soundly


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Title\n=====\n\ntext\n", [(1, "Title")]),
        ("Title\n=====\n\ntext\n\nPart\n----\ntext\n\nOther\n=====\n", [(1, "Title"), (2, "Part"), (1, "Other")]),
        ("=====\nTitle\n=====\n\ntext\n\nPart\n====\n", [(1, "Title"), (2, "Part")]),
        ("  *********\n  The title\n  *********\n\nText.", [(1, "The title")]),
        ("Title\n~~~~~~~\n", [(1, "Title")]),
        ("Title\n=======================\n", [(1, "Title")]),
        ("Title with # and *stars*\n========================\n", [(1, "Title with # and *stars*")]),
        ("A title that is much longer\n---\n", []),
        ("x\n------------------------------------\n", []),
        ("Name    Age\n-----------\nBob     3\n", []),
        ("first line\nsecond line\n===========\n", []),
        ("# no heading\n\ntext\n", []),
        ("C:\\temp and *args\n-----------------\n", [(1, "C:\\temp and *args")]),
        ("About __init__\n==============\n", [(1, "About __init__")]),
        ("CAPITALS\n\ntext\n", []),
    ],
)
def test_headings_by_underline(text: str, expected: list[tuple[int, str]]) -> None:
    assert headings(read_soundly(text, "text")) == expected


def test_fence_is_kept_as_it_is() -> None:
    document = read_soundly("Text:\n```py\n# *x*\n\ny\n```\nafter\n", "text")
    assert kinds(document) == ["paragraph", "code", "paragraph"]
    assert "# *x*\n\ny\n" in document.text


def test_fence_is_closed_by_one_that_is_as_long() -> None:
    assert kinds(read_soundly("~~~~\na\n~~~\nb\n~~~~~\n\ntext\n\n~~~~\n\n~~~\n", "text")) == [
        "code", "paragraph", "rule", "rule",
    ]  # fmt: skip
