"""The characters of a page, as pdfium counts them."""

from __future__ import annotations

import ctypes
from typing import Any

from crosshead.formats.pdf.page import native
from crosshead.formats.pdf.page.shapes import SOFT_HYPHEN


def page_text(textpage: Any) -> str:
    """Return the characters of a page; the index in the text is pdfium's index of the character."""
    raw = native.raw()
    count = raw.FPDFText_CountChars(textpage)
    if count <= 0:
        return ""
    buffer = (ctypes.c_ushort * (count + 1))()
    length = raw.FPDFText_GetText(textpage, 0, count, buffer)
    text = bytes(memoryview(buffer)[: max(0, length - 1)]).decode("utf-16-le", "surrogatepass")
    if len(text) == count:
        return text
    # Characters beyond 16 bits, or without any meaning, shift the text against pdfium's own numbers.
    code, page = native.load().char_code, native.address_of(textpage)
    return "".join([_character(code(page, index)) for index in range(count)])


def _character(code: int) -> str:
    if code == 2:
        return SOFT_HYPHEN
    return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
