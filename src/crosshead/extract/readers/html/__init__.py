"""HTML -> Markdown.

1. The bytes become text (charset.py), and text that Lexbor would need too long for is refused (limits.py).
2. Lexbor repairs the page as browsers do, and writes it back; that is cut into tags and texts (tokens.py).
3. One walk over the tags (walk.py) collects lines of text (page.py, inline.py, marks.py) and writes them as blocks
   (structure.py, blocks.py, tables.py, code.py, formulas.py, notes.py); what is no content is left out on the way
   (boilerplate.py).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from crosshead.errors import ExtractError
from crosshead.extract.base import Extracted
from crosshead.extract.readers.html.charset import decode_html
from crosshead.extract.readers.html.limits import check_limits
from crosshead.extract.readers.html.main_content import find_main_content
from crosshead.extract.readers.html.notes import find_notes
from crosshead.extract.readers.html.page import Drops, Page
from crosshead.extract.readers.html.tokens import tokenize
from crosshead.extract.readers.html.walk import walk
from crosshead.options import ExtractOptions

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

__all__ = ["is_html", "read_html"]

MAX_DROPPED_SHARE: Final = 0.4
MAX_DROPPED: Final = 1_000
"""Letters of a page that elements may hold which only their names show to be navigation; one of both is enough."""
_PAGE_START = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:(?:<\?xml[^>]*>|<!--.*?-->)\s*)*<(?:!doctype\s+html|html|head|body)[\s>]", re.I | re.S
)


def read_html(data: bytes, options: ExtractOptions) -> Extracted:
    """Read an HTML page."""
    from selectolax.lexbor import LexborHTMLParser

    source = decode_html(data)
    if not data.strip():
        return Extracted("")
    check_limits(source)
    tree = LexborHTMLParser(source)
    body = tree.body or tree.root
    text = ""
    if body is not None and options.main_content == "auto":
        text = _write_content(body, source, options)
    if body is not None and not text:
        text = walk(_page(body.html or "", options, drops="nothing"))
    if not text:
        raise ExtractError("the page has no text: if scripts make it, save the page from a browser")
    return Extracted(f"{text}\n", _title(tree.head))


def is_html(data: bytes) -> bool:
    """Do these bytes show that they are an HTML page?"""
    return _PAGE_START.match(data[:4096]) is not None


def _write_content(body: LexborNode, source: str, options: ExtractOptions) -> str:
    """Write the main content; where the page does not say which it is, names alone may not take most of it away."""
    stated = find_main_content(body, source)
    page = _page(stated or body.html or "", options, drops="boilerplate")
    text = walk(page)
    if stated or page.dropped_length <= max(MAX_DROPPED, MAX_DROPPED_SHARE * page.text_length):
        return text
    return walk(_page(body.html or "", options, drops="elements"))


def _page(html: str, options: ExtractOptions, *, drops: Drops) -> Page:
    page = Page(tokenize(html), base_url=options.base_url, drops=drops)
    page.notes = find_notes(html)
    return page


def _title(head: LexborNode | None) -> str:
    node = head.child if head is not None else None
    while node is not None and node.tag != "title":
        node = node.next
    return " ".join(node.text().split()) if node is not None else ""
