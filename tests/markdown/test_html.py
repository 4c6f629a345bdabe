"""Headings written as HTML. Which lines are one: tests/cases/blocks/html.md."""

from __future__ import annotations

import pytest
from tests.markdown.places import assert_places
from tests.support.markdown_oracle import compare

import crosshead
from crosshead import parse_blocks


def titles(text: str, *, mdx: bool = False) -> list[tuple[int, str]]:
    blocks = parse_blocks(text, mdx)
    assert_places(text, blocks)
    return [(block.level, block.title) for block in blocks if block.kind == "heading"]


@pytest.mark.parametrize("mdx", [False, True])
@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<h2>Title</h2>", "Title"),
        ("<h2 align='center' hidden id=x>Title</h2 >", "Title"),
        ('<h2 title="a > b">Title</h2>', "Title"),
        ("<h2>A <em>few</em> <a href='x'>words</a></h2>", "A few words"),
        ("<h2>\n\tA\n  few\n</h2>", "A few"),
        ("<h2>a&lt;b&#33; &copy;</h2>", "a<b! ©"),
        ("<h2><img alt='Logo'/>Title<img alt='Other'/></h2>", "Title"),
        ('<h2><picture><img src="a" alt="Our logo"/></picture></h2>', "Our logo"),
        ("<h2>a<br/>b</h2>", "a b"),
    ],
)
def test_title_is_what_a_reader_sees(html: str, title: str, mdx: bool) -> None:
    assert titles(html, mdx=mdx) == [(2, title)]


def test_markup_of_markdown_is_markup_only_in_mdx() -> None:
    assert titles("<h1>__init__ `x`</h1>") == [(1, "__init__ `x`")]
    assert titles("<h1>__init__ `x`</h1>", mdx=True) == [(1, "init x")]


@pytest.mark.parametrize("mdx", [False, True])
def test_longer_text_than_a_heading_is_none(mdx: bool) -> None:
    assert titles(f"<h1>{'x' * 3000}</h1>", mdx=mdx) == []
    assert titles("<h1>\n" + "x\n" * 3000 + "</h1>", mdx=mdx) == []


def test_sections_and_paths_are_those_of_the_headings() -> None:
    text = '<h1 align="center">Tool</h1>\n\nWhat it is.\n\n<h2>Install</h2>\n\n' + "Many words. " * 100
    chunks = crosshead.chunk(text, max_tokens=100)
    assert (chunks[0].document_title, chunks[-1].breadcrumb) == ("Tool", "Tool > Install")
    assert crosshead.check(text, chunks).ok


def test_oracle_counts_them_apart_and_looks_at_the_rest() -> None:
    found = compare("<div>\n<h1>a</h1>\n</div>\n\n# b")
    assert (found.differences, found.counts["html heading"], found.counts["heading"]) == ([], 1, 2)
