"""HTML -> Markdown.

1. `charset`: bytes -> text; `limits` refuses text that would take Lexbor too long.
2. `tokens`: Lexbor repairs the page as browsers do and writes it back; the result is cut into tags and texts.
3. `content`: pages that are articles are cut to the article; elsewhere, navigation and hidden elements are skipped.
4. `walk`: one pass over the tags. `elements` handles them, `page` holds the open blocks and the current line.

`generated` reads HTML that readers of other formats make.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from crosshead.errors import ExtractError
from crosshead.formats.base import Extracted
from crosshead.formats.markup.html.charset import decode_html
from crosshead.formats.markup.html.content.article import cut_to_article
from crosshead.formats.markup.html.content.main_content import MIN_TEXT, find_main_content, is_article
from crosshead.formats.markup.html.elements.notes import find_book_notes, find_notes
from crosshead.formats.markup.html.limits import check_limits
from crosshead.formats.markup.html.page.state import Drops, HtmlPage
from crosshead.formats.markup.html.tokens import tokenize
from crosshead.formats.markup.html.walk import walk
from crosshead.options import ExtractOptions
from crosshead.types import Anchor

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

__all__ = ["parse_page", "read_html", "write_pages"]

MAX_DROPPED_SHARE: Final = 0.4
MAX_DROPPED: Final = 1_000
"""Letters of a page that elements may hold which only their names show to be navigation, or which are hidden; one of
both is enough."""
MAX_SILENT_SHARE: Final = 0.1
"""Of the letters of a page that may be hidden without a warning."""
_NO_SCRIPT = re.compile(r"<(/?)noscript(?=[\s/>])", re.I)


def read_html(data: bytes, options: ExtractOptions) -> Extracted:
    """Read an HTML page."""
    warnings: list[str] = []
    source = decode_html(data, warnings)
    if not data.strip():
        return Extracted("")
    tree = _parse(source)
    text, warning, anchors = _write_page(tree, source, options)
    if not text and _NO_SCRIPT.search(source):
        text = _write_without_scripts(source, options)
    if not text:
        raise ExtractError("the page has no text: if scripts produce it, save the page from a browser")
    title, warnings = _title(tree.head), [*warnings, *filter(None, [warning])]
    return Extracted(f"{text}\n", title, warnings=tuple(warnings), anchors=tuple(anchors))


def parse_page(data: bytes, warnings: list[str]) -> str:
    """Return the repaired HTML of a page's body, and add to `warnings` what is not exact about it."""
    tree = _parse(decode_html(data, warnings))
    body = tree.body or tree.root
    return (body.html or "") if body is not None else ""


def write_pages(pages: Mapping[str, str], options: ExtractOptions) -> Iterator[tuple[str, str]]:
    """Yield the Markdown of pages that belong together, given as parsed HTML, by their names; nothing is left out."""
    notes = find_book_notes(pages)
    for name, html in pages.items():
        yield name, walk(_page(html, options, notes[name], drops="nothing"))


def _parse(source: str, *, has_scripts: bool = True) -> LexborHTMLParser:
    """Parse a page as a browser that runs scripts does: to it, `noscript` is text that it skips, never an element that
    may lack the end tag of something in it and then go on to the end of the page. Lexbor skips `noframes` like that."""
    from selectolax.lexbor import LexborHTMLParser

    check_limits(source)
    return LexborHTMLParser(_NO_SCRIPT.sub(r"<\1noframes", source) if has_scripts else source)


class _WrittenPage(NamedTuple):
    text: str = ""
    warning: str = ""
    anchors: Sequence[Anchor] = ()


def _write_page(tree: LexborHTMLParser, source: str, options: ExtractOptions) -> _WrittenPage:
    body = tree.body or tree.root
    if body is None:
        return _WrittenPage()
    content = _write_content(body, source, options) if options.main_content == "auto" else _WrittenPage()
    return content if content.text else _write_visible(body.html or "", options, drops="nothing")[1]


def _write_without_scripts(source: str, options: ExtractOptions) -> str:
    """Write what a page shows only where scripts do not run; a few words only say that they should."""
    body = _parse(source, has_scripts=False).body
    html = (body.html or "") if body is not None else ""
    text = walk(_page(html, options, find_notes(html), drops="nothing", shows_hidden=True))
    return text if len(text) >= MIN_TEXT else ""


def _write_content(body: LexborNode, source: str, options: ExtractOptions) -> _WrittenPage:
    """Write the main content; where the page does not say which it is, names alone may not take most of it away."""
    stated = find_main_content(body, source)
    html = stated or body.html or ""
    cuts = is_article(source, has_main_content=bool(stated))
    page, written = _write_visible(html, options, drops="boilerplate", cuts=cuts)
    if cuts and len(written.text) < MIN_TEXT:
        page, written = _write_visible(html, options, drops="boilerplate")
    if stated or page.dropped_length <= max(MAX_DROPPED, MAX_DROPPED_SHARE * page.text_length):
        return written
    return _write_visible(html, options, drops="elements")[1]


def _write_visible(
    html: str, options: ExtractOptions, *, drops: Drops, cuts: bool = False
) -> tuple[HtmlPage, _WrittenPage]:
    """Write what is not hidden; a page that hides most of itself shows it by script, so that all of it is written."""
    notes = find_notes(html)
    page = _page(html, options, notes, drops=drops, cuts=cuts)
    text = walk(page)
    share = page.hidden_length / max(1, page.hidden_length + page.text_length)
    if page.hidden_length > MAX_DROPPED and share > MAX_DROPPED_SHARE:
        page = _page(html, options, notes, drops=drops, cuts=cuts, shows_hidden=True)
        warning = f"scripts reveal {int(100 * share)} % of the page's text: all of it is read"
        return page, _WrittenPage(walk(page), warning, page.placed_anchors())
    if page.hidden_length > MAX_DROPPED and share > MAX_SILENT_SHARE:
        warning = f"hidden text is left out: {int(100 * share)} % of the page"
        return page, _WrittenPage(text, warning, page.placed_anchors())
    return page, _WrittenPage(text, anchors=page.placed_anchors())


def _page(
    html: str,
    options: ExtractOptions,
    notes: dict[str, str],
    *,
    drops: Drops,
    cuts: bool = False,
    shows_hidden: bool = False,
) -> HtmlPage:
    tokens = tokenize(html)
    if cuts:
        tokens = cut_to_article(tokens, notes)
    page = HtmlPage(tokens, base_url=options.base_url, drops=drops, shows_hidden=shows_hidden)
    page.notes = notes
    return page


def _title(head: LexborNode | None) -> str:
    node = head.child if head is not None else None
    while node is not None and node.tag != "title":
        node = node.next
    return " ".join(node.text().split()) if node is not None else ""
