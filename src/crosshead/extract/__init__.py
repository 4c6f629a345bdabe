"""Bytes of any known format -> Markdown."""

from __future__ import annotations

from typing import Any

from crosshead.errors import OptionsError
from crosshead.extract.base import Extracted
from crosshead.extract.formats import Format, detect_format, format_of, get_format, register_format
from crosshead.extract.text import normalize
from crosshead.options import ExtractOptions

__all__ = [
    "Extracted",
    "Format",
    "detect_format",
    "extract",
    "extract_document",
    "format_of",
    "get_format",
    "normalize",
]

_MARKDOWN_READER = "crosshead.extract.markdown:read_markdown"

for _format in (
    Format("markdown", _MARKDOWN_READER, (".md", ".markdown", ".mdown", ".mkd"), ("md",)),
    Format("mdx", _MARKDOWN_READER, (".mdx",)),
):
    register_format(_format)


def extract(data: bytes, format: str, options: ExtractOptions | None = None, **given: Any) -> str:
    """Turn the bytes of a document into Markdown; options by name, or as one value."""
    if options is not None and given:
        raise OptionsError("give either options=... or options by name, not both")
    return extract_document(data, format, options or ExtractOptions(**given)).text


def extract_document(data: bytes, format: str, options: ExtractOptions) -> Extracted:
    """Turn the bytes of a document into Markdown with what Markdown cannot say about it."""
    found = get_format(format).load_reader()(data, options)
    return found._replace(text=normalize(found.text))
