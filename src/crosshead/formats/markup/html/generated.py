"""HTML that another reader made of its format -> Markdown: word processors have the same blocks as pages."""

from __future__ import annotations

import re
from typing import Final

from crosshead.formats.registry import get_format
from crosshead.options import ExtractOptions

_ALL_CODE: Final = re.compile(r"(?<!<li>)(?<!<t[dh]>)<p>((?:\s*+<code>[^<]*+</code>)++)\s*+</p>")
_JOINED: Final = re.compile(r"</(pre|blockquote|ul)>\s*<\1>")
"""In a word processor each paragraph is a line of code, or a part of a quote or a list."""
_DEEPER_LIST: Final = re.compile(r"</li>\s*<li>\s*(?=<[uo]l\b)")
"""A list inside a list belongs to the item above it."""
_TAG: Final = re.compile(r"<[^>]*>")


def read_generated(html: str, options: ExtractOptions) -> str:
    """Return the Markdown of a page's body; an empty string if it has no text."""
    if not _TAG.sub("", html).strip():
        return ""
    html = _ALL_CODE.sub(lambda found: f"<pre>{_TAG.sub('', found[1])}</pre>", html)
    page = _DEEPER_LIST.sub("", _JOINED.sub(lambda found: "\n" if found[1] == "pre" else "", html))
    whole = ExtractOptions(main_content="off", base_url=options.base_url)
    return get_format("html").load_reader()(f"<!doctype html><body>{page}".encode("utf-8", "replace"), whole).text
