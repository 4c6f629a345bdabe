from __future__ import annotations

import pytest

from crosshead import parse_blocks
from crosshead.markdown.definitions import normalize_label, read_definitions


@pytest.mark.parametrize(
    ("paragraph", "lines", "labels"),
    [
        ("[a]: /u", 1, ["a"]),
        ("[a]: /u\n[B]: /u", 2, ["a", "b"]),
        ("[a]:\n/u\n'title'", 3, ["a"]),
        ('[a]: /u "x\ny"\n[b]: <>', 3, ["a", "b"]),
        ("[a]: /u (title)  ", 1, ["a"]),
        ("[two\nlines]: /u", 2, ["two lines"]),
        ("[a]: /u\ntext", 1, ["a"]),
        ('[a]: /u\n"title" text', 1, ["a"]),
        ("[a\\]]: /u", 1, ["a\\]"]),
        ("[a]: u(v)w", 1, ["a"]),
        ("[a]: u\\(v", 1, ["a"]),
        ("   [a]: /u", 1, ["a"]),
        ("[a]: /u text", 0, []),
        ('[a]: /u "title" text', 0, []),
        ("[a]: /u 'x", 0, []),
        ("[a]: u(v", 0, []),
        ("[a]: u)", 0, []),
        ("[a]: <u", 0, []),
        ("[a]: <u>v", 0, []),
        ("[ ]: /u", 0, []),
        ("[a]:", 0, []),
        ("[a] : /u", 0, []),
        ("[a[b]: /u", 0, []),
        (f"[{'a' * 999}]: /u", 1, ["a" * 999]),
        (f"[{'a' * 1000}]: /u", 0, []),
    ],
)
def test_definitions_at_the_start_of_a_paragraph(paragraph: str, lines: int, labels: list[str]) -> None:
    assert read_definitions(paragraph) == (lines, labels)


def test_labels_match_whatever_their_case_and_white_space() -> None:
    assert normalize_label("  ẞig\n Label ") == normalize_label("SSIG label")


def test_one_block_per_run() -> None:
    text = "[a]: /u\n[b]: /u\n\n[c]: /u\ntext"
    assert [(block.kind, text[block.start : block.end]) for block in parse_blocks(text)] == [
        ("definition", "[a]: /u\n[b]: /u"),
        ("definition", "[c]: /u"),
        ("paragraph", "text"),
    ]


def test_definition_may_follow_the_heading_that_uses_it() -> None:
    assert parse_blocks("# [See][A b] and [c]\n\n[a  B]: /u")[0].title == "See and [c]"
