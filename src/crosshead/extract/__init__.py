"""Bytes of any known format -> Markdown."""

from __future__ import annotations

from typing import Any, Final

from crosshead.errors import CorruptFile, ExtractError, OptionsError
from crosshead.extract.base import Extracted, Reader
from crosshead.extract.built_in import BUILT_IN
from crosshead.extract.formats import (
    Format,
    are_included,
    check_size,
    choose_format,
    detect_format,
    format_of,
    get_format,
    known_formats,
    register_format,
)
from crosshead.extract.shared.text import normalize
from crosshead.options import ExtractOptions, extract_options

__all__ = [
    "Extracted",
    "Format",
    "Reader",
    "are_included",
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
