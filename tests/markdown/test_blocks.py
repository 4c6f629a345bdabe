"""Every kind of block with its exact place; what counts as a line. More cases: tests/cases/blocks."""

from __future__ import annotations

from typing import get_args

import pytest
from tests.markdown.places import assert_places

from crosshead import Block, parse_blocks
from crosshead.types import BlockKind

PARTS: list[tuple[BlockKind, str]] = [
    ("front_matter", "---\ntitle: All kinds\n---"),
    ("import", "import Note from './note'"),
    ("heading", "# Title with `code` {#top}"),
    ("paragraph", "A paragraph of\ntwo lines."),
    ("heading", "Setext\n======"),
    ("code", "```python title=x\n# no heading\n\nx = 1\n```"),
    ("list", "- one\n\n  ~~~\n  two\n  ~~~\n- three"),
    ("table", "| a | b |\n|---|---|\n| 1 | 2 |"),
    ("quote", "> quote\nlazy"),
    ("html", "<!-- a comment\n\nof three lines -->"),
    ("rule", "* * *"),
    ("definition", "[a]: /url\n[b]: /url 'title'"),
    ("footnote", "[^1]: note\n\n    more"),
    ("math", "$$\nx\n\ny\n$$"),
    ("component", '<Note\n  kind="tip"\n>'),
    ("expression", "{\n  value\n}"),
]
IS_MDX = ("import", "component", "expression")


def document(*, mdx: bool) -> tuple[str, list[tuple[str, str]]]:
    """A text with every kind of block, and what the blocks are."""
    parts = [part for part in PARTS if part[0] != "html"] if mdx else [part for part in PARTS if part[0] not in IS_MDX]
    return "\n\n".join(source for _, source in parts) + "\n", parts  # type: ignore[return-value]


def only(text: str, *, mdx: bool = False) -> Block:
    """The one block of a text."""
    [block] = parse_blocks(text, mdx)
    return block


@pytest.mark.parametrize("mdx", [False, True])
def test_blocks_are_exact_slices_of_the_text(mdx: bool) -> None:
    text, parts = document(mdx=mdx)
    blocks = parse_blocks(text, mdx)
    assert [(block.kind, text[block.start : block.end]) for block in blocks] == parts
    assert_places(text, blocks)


def test_no_kind_is_left_out_here() -> None:
    assert {kind for kind, _ in PARTS} == set(get_args(BlockKind))


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
@pytest.mark.parametrize("mdx", [False, True])
def test_every_newline_ends_a_line(newline: str, mdx: bool) -> None:
    text, parts = document(mdx=mdx)
    other = text.replace("\n", newline)
    blocks = parse_blocks(other, mdx)
    slices = [(block.kind, other[block.start : block.end].replace(newline, "\n")) for block in blocks]
    assert slices == parts
    assert [block[3:9] for block in blocks] == [block[3:9] for block in parse_blocks(text, mdx)]
    assert_places(other, blocks)


@pytest.mark.parametrize("char", ["\u2028", "\u2029", "\x0b", "\x0c", "\x85", "\x1c", "\x1e", "\u00a0"])
def test_other_separators_do_not_end_a_line(char: str) -> None:
    assert only(f"one{char}# two{char}three")[:5] == ("paragraph", 0, 15, 1, 1)
    assert only(f"one\n{char}\ntwo").end_line == 3
    assert only(f"one\n  {char}\ntwo").end_line == 3
    assert only(f" {char}").kind == "paragraph"


def test_byte_order_mark_is_in_no_block() -> None:
    text = "\ufeff# Title\n\ntext"
    assert [text[block.start : block.end] for block in parse_blocks(text)] == ["# Title", "text"]
    assert parse_blocks("\ufeff---\na: b\n---\n")[0].kind == "front_matter"


@pytest.mark.parametrize("text", ["", "\n", " \n\t\n  ", "\r\n\r", "\ufeff", "\ufeff\n"])
def test_blank_text_has_no_blocks(text: str) -> None:
    assert parse_blocks(text) == []


def test_indentation_belongs_to_the_block_and_the_last_newline_does_not() -> None:
    text = "\n   # Title  \n\n    code \n \n"
    assert [text[block.start : block.end] for block in parse_blocks(text)] == ["   # Title  ", "    code "]


@pytest.mark.parametrize("level", range(1, 7))
def test_heading_levels(level: int) -> None:
    assert only(f"{'#' * level} Title")[5:8] == (level, "", "Title")


@pytest.mark.parametrize(("underline", "level"), [("=", 1), ("=====  ", 1), ("-", 2), ("   ---", 2)])
def test_heading_by_underline(underline: str, level: int) -> None:
    assert only(f"Two\nlines\n{underline}") == Block("heading", 0, 10 + len(underline), 1, 3, level, title="Two lines")


def test_markdown_heading_extraction() -> None:
    text = "# A\n\n## B\n\n```\n# code\n```\n\nC\n-\n\n> # quote\n\n- # item\n\n<!--\n# html\n-->\n\n###### D"
    headings = [(block.level, block.title) for block in parse_blocks(text) if block.kind == "heading"]
    assert headings == [(1, "A"), (2, "B"), (2, "C"), (6, "D")]


@pytest.mark.parametrize("fence", ["```", "`````", "~~~", "~~~~"])
@pytest.mark.parametrize(
    ("info", "lang"),
    [("", ""), ("py", "py"), (" py", "py"), ("\tc++ x=1", "c++"), ("{.py .numbered}", "{.py"), ("日本 x", "日本")],
)
def test_fence_lang_is_the_first_word(fence: str, info: str, lang: str) -> None:
    block = only(f"{fence}{info}\ncode\n{fence}\n")
    assert (block.kind, block.lang, block.end_line, block.closed) == ("code", lang, 3, True)


def test_unclosed_fence_is_one_open_block() -> None:
    text = "```py\na\n\n# b\n\n"
    assert only(text) == Block("code", 0, 12, 1, 4, lang="py", closed=False)


def test_unclosed_fence_without_text() -> None:
    assert only("```") == Block("code", 0, 3, 1, 1, closed=False)


def test_paragraph_ends_at_a_blank_line_of_tabs_and_spaces() -> None:
    assert [block[3:5] for block in parse_blocks("a\nb\n \t \nc")] == [(1, 2), (4, 4)]


def test_frontmatter_only_at_start() -> None:
    source = "---\na: b\n---"
    assert [block.kind for block in parse_blocks(source)] == ["front_matter"]
    assert [block.kind for block in parse_blocks(f"\n{source}")] == ["rule", "heading"]
    assert [block.kind for block in parse_blocks(f" {source}")] == ["rule", "heading"]


def test_positional_arguments_are_text_and_mdx() -> None:
    assert parse_blocks("import a from 'b'", True)[0].kind == "import"


def test_lone_surrogates_and_null_characters_are_text() -> None:
    assert only("\ud800 \x00").end == 3
