"""HTML -> Markdown.

1. The bytes become text (charset.py), and text that Lexbor would need too long for is refused (limits.py).
2. Lexbor repairs the page as browsers do, and writes it back; that is cut into tags and texts (tokens.py).
3. One walk over the tags (walk.py) collects lines of text (page.py, inline.py, marks.py) and writes them as blocks
   (structure.py, blocks.py, tables.py, code.py, formulas.py, notes.py); what is no content is left out on the way
   (boilerplate.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from crosshead.errors import ExtractError
from crosshead.extract.base import Extracted
from crosshead.extract.readers.html.charset import decode_html
from crosshead.extract.readers.html.limits import check_limits
from crosshead.extract.readers.html.main_content import find_main_content
from crosshead.extract.readers.html.notes import find_book_notes, find_notes
from crosshead.extract.readers.html.page import Drops, Page
from crosshead.extract.readers.html.tokens import tokenize
from crosshead.extract.readers.html.walk import walk
from crosshead.options import ExtractOptions

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

__all__ = ["is_html", "parse_page", "read_html", "write_pages"]

MAX_DROPPED_SHARE: Final = 0.4
MAX_DROPPED: Final = 1_000
"""Letters of a page that elements may hold which only their names show to be navigation; one of both is enough."""
_PAGE_START = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:(?:<\?xml[^>]*>|<!--.*?-->)\s*)*<(?:!doctype\s+html|html|head|body)[\s>]", re.I | re.S
)


def read_html(data: bytes, options: ExtractOptions) -> Extracted:
    """Read an HTML page."""
    source = decode_html(data)
    if not data.strip():
        return Extracted("")
    tree = _parse(source)
    body = tree.body or tree.root
    text = ""
    if body is not None and options.main_content == "auto":
        text = _write_content(body, source, options)
    if body is not None and not text:
        html = body.html or ""
        text = walk(_page(html, options, find_notes(html), drops="nothing"))
    if not text:
        raise ExtractError("the page has no text: if scripts make it, save the page from a browser")
    return Extracted(f"{text}\n", _title(tree.head))


def parse_page(data: bytes) -> str:
    """Return the repaired HTML of a page's body."""
    tree = _parse(decode_html(data))
    body = tree.body or tree.root
    return (body.html or "") if body is not None else ""


def write_pages(pages: Mapping[str, str], options: ExtractOptions) -> Iterator[tuple[str, str]]:
    """Yield the Markdown of pages that belong together, given as parsed HTML, by their names; nothing is left out."""
    notes = find_book_notes(pages)
    for name, html in pages.items():
        yield name, walk(_page(html, options, notes[name], drops="nothing"))


def is_html(data: bytes) -> bool:
    """Do these bytes show that they are an HTML page?"""
    return _PAGE_START.match(data[:4096]) is not None


def _parse(source: str) -> LexborHTMLParser:
    from selectolax.lexbor import LexborHTMLParser

    check_limits(source)
    return LexborHTMLParser(source)


def _write_content(body: LexborNode, source: str, options: ExtractOptions) -> str:
    """Write the main content; where the page does not say which it is, names alone may not take most of it away."""
    stated = find_main_content(body, source)
    html = stated or body.html or ""
    page = _page(html, options, find_notes(html), drops="boilerplate")
    text = walk(page)
    if stated or page.dropped_length <= max(MAX_DROPPED, MAX_DROPPED_SHARE * page.text_length):
        return text
    return walk(_page(html, options, find_notes(html), drops="elements"))


def _page(html: str, options: ExtractOptions, notes: dict[str, str], *, drops: Drops) -> Page:
    page = Page(tokenize(html), base_url=options.base_url, drops=drops)
    page.notes = notes
    return page


def _title(head: LexborNode | None) -> str:
    node = head.child if head is not None else None
    while node is not None and node.tag != "title":
        node = node.next
    return " ".join(node.text().split()) if node is not None else ""
