"""Bytes of any known format -> Markdown."""

from __future__ import annotations

from typing import Any, Final

from crosshead.errors import CorruptFile, ExtractError, OptionsError
from crosshead.extract import detection
from crosshead.extract.base import Extracted, Reader
from crosshead.extract.formats import (
    Format,
    check_size,
    choose_format,
    detect_format,
    format_of,
    get_format,
    known_formats,
    register_format,
)
from crosshead.extract.text import normalize
from crosshead.options import ExtractOptions, extract_options

__all__ = [
    "Extracted",
    "Format",
    "Reader",
    "check_size",
    "choose_format",
    "detect_format",
    "extract",
    "extract_document",
    "format_of",
    "get_format",
    "has_own_formats",
    "known_formats",
    "normalize",
    "register_format",
]


PACKED_BYTES: Final = 256 << 20
"""Most of a large file of these formats are pictures, which are not read."""


def _reader(name: str) -> str:
    return f"crosshead.extract.{name}"


BUILT_IN: Final = (
    Format("markdown", _reader("markdown:read_markdown"), (".md", ".markdown", ".mdown", ".mkd"), ("md",)),
    Format("mdx", _reader("markdown:read_markdown"), (".mdx",)),
    Format("html", _reader("html:read_html"), (".html", ".htm", ".xhtml"), ("xhtml",), detection.is_html),
    Format("docx", _reader("docx:read_docx"), (".docx", ".docm", ".dotx"), ("word",), detection.is_docx, PACKED_BYTES),
    Format("pdf", _reader("pdf:read_pdf"), (".pdf",), (), detection.is_pdf, PACKED_BYTES),
    Format("csv", _reader("csv:read_csv"), (".csv",), max_bytes=32 << 20),
    Format("tsv", _reader("csv:read_tsv"), (".tsv", ".tab"), max_bytes=32 << 20),
    Format("text", _reader("plain:read_plain"), (".txt", ".text"), ("txt", "plain"), max_bytes=16 << 20),
    Format("rst", _reader("rst:read_rst"), (".rst", ".rest"), ("restructuredtext", "rest")),
    Format("notebook", _reader("notebook:read_notebook"), (".ipynb",), ("ipynb", "jupyter"), detection.is_notebook),
    Format(
        "pptx", _reader("pptx:read_pptx"), (".pptx", ".pptm", ".ppsx"), ("powerpoint",), detection.is_pptx, PACKED_BYTES
    ),
    Format("xlsx", _reader("xlsx:read_xlsx"), (".xlsx", ".xlsm"), ("excel",), detection.is_xlsx, PACKED_BYTES),
    Format("epub", _reader("epub:read_epub"), (".epub",), (), detection.is_epub, PACKED_BYTES),
    Format("email", _reader("mail:read_email"), (".eml",), ("eml",), detection.is_email),
)

_BLANK_BYTES: Final = b" \t\r\n\x0b\x0c\0\xef\xbb\xbf\xff\xfe"
"""White space in any encoding, and byte order marks."""

for _format in BUILT_IN:
    register_format(_format)


def has_own_formats() -> bool:
    """Has the user registered a format?"""
    return set(known_formats()) != set(BUILT_IN)


def extract(data: bytes, format: str, options: ExtractOptions | None = None, **given: Any) -> str:
    """Turn the bytes of a document into Markdown; options by name, or as one value."""
    if options is not None and given:
        raise OptionsError("give either options=... or options by name, not both")
    return extract_document(data, format, options or extract_options(**given)).text


def extract_document(data: bytes, format: str, options: ExtractOptions) -> Extracted:
    """Turn the bytes of a document into Markdown with what Markdown cannot say about it."""
    known = get_format(format)
    check_size(len(data), known, options)
    is_blank = not data.strip(_BLANK_BYTES)
    try:
        found = known.load_reader()(data, options)
    except CorruptFile as error:
        if is_blank:
            raise CorruptFile("the file is empty: save or download it again") from error
        raise
    if not found.text.strip() and not is_blank:
        raise ExtractError(f"no text found in this {known.name} file: it may be empty, or hold only images")
    return found._replace(text=normalize(found.text))
