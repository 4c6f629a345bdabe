"""HTML -> Markdown.

1. The bytes become text (charset.py), and text that Lexbor would need too long for is refused (limits.py).
2. Lexbor repairs the page as browsers do, and writes it back; that is cut into tags and texts (tokens.py).
3. One walk over the tags (walk.py) collects lines of text (page.py, inline.py, marks.py) and writes them as blocks
   (structure.py, blocks.py, tables.py, code.py, formulas.py, notes.py); what is no content is left out on the way
   (boilerplate.py).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from crosshead.errors import ExtractError
from crosshead.extract.base import Extracted
from crosshead.extract.readers.html.charset import decode_html
from crosshead.extract.readers.html.limits import check_limits
from crosshead.extract.readers.html.main_content import find_main_content
from crosshead.extract.readers.html.notes import find_notes
from crosshead.extract.readers.html.page import Page
from crosshead.extract.readers.html.tokens import tokenize
from crosshead.extract.readers.html.walk import walk
from crosshead.options import ExtractOptions

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

__all__ = ["is_html", "read_html"]

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
        text = _write(find_main_content(body, source), options, drops_boilerplate=True)
    if body is not None and not text:
        text = _write(body.html or "", options, drops_boilerplate=False)
    if not text:
        raise ExtractError("the page has no text: if scripts make it, save the page from a browser")
    return Extracted(f"{text}\n", _title(tree.head))


def is_html(data: bytes) -> bool:
    """Do these bytes show that they are an HTML page?"""
    return _PAGE_START.match(data[:4096]) is not None


def _write(html: str, options: ExtractOptions, *, drops_boilerplate: bool) -> str:
    tokens = tokenize(html)
    page = Page(tokens, base_url=options.base_url, drops_boilerplate=drops_boilerplate)
    page.notes = find_notes(html)
    return walk(page)


def _title(head: LexborNode | None) -> str:
    node = head.child if head is not None else None
    while node is not None and node.tag != "title":
        node = node.next
    return " ".join(node.text().split()) if node is not None else ""
