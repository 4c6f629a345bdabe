"""Bytes of any known format -> Markdown.

detection     what the bytes, or the name, show about the format
registry      the known formats; `built_in` declares ours
figures       the pictures of a document, read when they are asked for
containers    documents inside archives and messages
includes      files that a document includes, put in their place

One file or folder per format, by family: `text`, `markup`, `office`, `pdf`, `scans`, `mail`, `archives`.
`shared` holds what several readers use.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any, Final

from crosshead.errors import CorruptFile, ExtractError, MissingExtra, OptionsError
from crosshead.formats.base import Extracted, Reader
from crosshead.formats.built_in import BUILT_IN
from crosshead.formats.containers import Inner, container_format, documents_in, read_inside, split_path
from crosshead.formats.figures import PicturedFile, find_figures, image_type, read_figure
from crosshead.formats.includes import Nearby, nearby_of, trace
from crosshead.formats.office.libreoffice import end_all as end_printing
from crosshead.formats.paging import PDF, check_pages, draw_page, has_pages, locate_on_pages, print_as_pdf, view_page
from crosshead.formats.registry import (
    Choice,
    Format,
    are_included,
    check_lines,
    check_size,
    choose_format,
    detect_format,
    forget_formats,
    format_of,
    get_format,
    known_formats,
    register_format,
)
from crosshead.formats.scans.engine import is_installed as is_ocr_installed
from crosshead.formats.shared.decoding.text import normalize
from crosshead.options import ExtractOptions, check_types, extract_options

__all__ = [
    "PDF",
    "Choice",
    "Extracted",
    "Format",
    "Inner",
    "Nearby",
    "PicturedFile",
    "Reader",
    "are_included",
    "check_pages",
    "check_size",
    "choose_format",
    "container_format",
    "detect_format",
    "documents_in",
    "draw_page",
    "end_printing",
    "extract",
    "extract_document",
    "find_figures",
    "format_of",
    "get_format",
    "has_pages",
    "image_type",
    "included_files",
    "is_ocr_installed",
    "known_formats",
    "locate_on_pages",
    "log_warnings",
    "nearby_of",
    "normalize",
    "own_formats",
    "print_as_pdf",
    "read_figure",
    "read_inside",
    "register_format",
    "split_path",
    "use_formats",
    "view_page",
]


logger = logging.getLogger("crosshead")

MAX_WARNINGS: Final = 5
"""Of includes that are not followed."""
_BLANK_BYTES: Final = b" \t\r\n\x0b\x0c\0\xef\xbb\xbf\xff\xfe"
"""White space in any encoding, and byte order marks."""

for _format in BUILT_IN:
    register_format(_format)


def own_formats() -> tuple[Format, ...]:
    """Return the formats that the user registered."""
    built_in = set(BUILT_IN)
    return tuple(format for format in known_formats() if format not in built_in)


def use_formats(own: tuple[Format, ...]) -> None:
    """Know the built-in formats and these, as the process that started this one does."""
    if own != own_formats():
        forget_formats()
        for format in (*BUILT_IN, *own):
            register_format(format)


def extract(data: bytes, format: str, options: ExtractOptions | None = None, **given: Any) -> str:
    """Turn the bytes of a document into Markdown; options by name, or as one value."""
    if options is not None and given:
        raise OptionsError("give either options=... or options by name, not both")
    check_types(bytes, data=data)
    found = extract_document(data, format, options or extract_options(**given))
    log_warnings(found.warnings)
    return found.text


def extract_document(data: bytes, format: str, options: ExtractOptions, nearby: Nearby | None = None) -> Extracted:
    """Turn the bytes of a document into Markdown with what Markdown cannot say about it.

    Files that it includes are read where it is known what is `nearby`.
    """
    known = get_format(format)
    check_size(len(data), known, options)
    expand = known.load_expand()
    if nearby is None or expand is None:
        return _read(data, known, options)
    expanded = expand(data, nearby)
    found = trace(_read(expanded.data, known, options), expanded.origins)
    return found._replace(warnings=_distinct(*expanded.warnings[:MAX_WARNINGS], *found.warnings))


def log_warnings(warnings: Iterable[str], source: str = "") -> None:
    """Log the warnings about a document, for users of Python who do not look at them."""
    for warning in warnings:
        logger.warning("%s", f"{source}: {warning}" if source else warning)


def included_files(data: bytes, format: str, nearby: Nearby) -> list[bytes]:
    """Return what is in the files that a document includes."""
    expand = get_format(format).load_expand()
    return list(expand(data, nearby).included) if expand else []


def _read(data: bytes, known: Format, options: ExtractOptions) -> Extracted:
    check_lines(data, known)
    is_blank = not data.strip(_BLANK_BYTES)
    try:
        found = known.load_reader()(data, options)
    except ModuleNotFoundError as error:
        if known.extra and error.name == known.extra.module:
            raise MissingExtra(known.extra.name, f"Reading {known.name} files") from error
        raise
    except CorruptFile as error:
        if is_blank:
            raise CorruptFile("the file is empty: save or download it again") from error
        raise
    if not found.text.strip() and not is_blank:
        raise ExtractError(f"no text found in this {known.name} file: it may be empty, or hold only images")
    return found._replace(text=normalize(found.text), warnings=_distinct(*found.warnings))


def _distinct(*warnings: str) -> tuple[str, ...]:
    """Return each warning once: several parts of a document may cause the same."""
    return tuple(dict.fromkeys(warnings))
