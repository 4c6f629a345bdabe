"""Menus that nothing in the markup tells from other lists."""

from __future__ import annotations

import pytest

from crosshead.extract.html import read_html
from crosshead.options import ExtractOptions

MENU = "<ul>" + "".join(f'<li><a href="{name}.html">{name}</a></li>' for name in ("a", "b", "c", "d", "e")) + "</ul>"
CONTENT = f"<h1>Title</h1><p>{'What the page is about. ' * 10}</p>"


def to_markdown(html: str, **options: str) -> str:
    return read_html(html.encode(), ExtractOptions(**options)).text  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "above",
    [MENU, f"<div>{MENU}</div>", f'<p><a href="/">Home</a></p>{MENU}', f"{MENU}<hr>{MENU}"],
    ids=["list", "in a block", "below a link", "two"],
)
def test_menu_above_the_heading_is_left_out(above: str) -> None:
    text = to_markdown(above + CONTENT)
    assert "b.html" not in text
    assert "# Title\n\nWhat the page" in text


def test_nothing_but_a_menu_above_the_heading_leaves_no_trace() -> None:
    assert to_markdown(MENU + CONTENT).startswith("# Title")


@pytest.mark.parametrize(
    "html",
    [
        CONTENT + MENU,
        f"<p>These are the parts of the program that can be used on their own, one page for each:</p>{MENU}{CONTENT}",
        MENU.replace("<li>", "<li>the ", 1) + CONTENT,
        MENU.replace('<li><a href="a.html">a</a></li>', "") + CONTENT,
        MENU + "<h1>Index</h1><p>short",
        MENU + "<p>There is no heading.",
        f"<main>{MENU}{CONTENT}</main>",
    ],
    ids=["below", "introduced", "with text", "few", "is the page", "no heading", "in the main content"],
)
def test_list_of_links_that_may_be_content_is_kept(html: str) -> None:
    assert "[b](b.html)" in to_markdown(html)


def test_table_of_contents_is_kept() -> None:
    assert "[b](#b)" in to_markdown(MENU.replace('href="', 'href="#').replace(".html", "") + CONTENT)


def test_all_is_kept_on_request() -> None:
    assert "[b](b.html)" in to_markdown(MENU + CONTENT, main_content="off")
