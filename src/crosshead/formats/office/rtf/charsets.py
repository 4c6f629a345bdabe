"""Encodings of RTF: of the document, and of the fonts that have another one."""

from __future__ import annotations

from typing import Final

DEFAULT: Final = "cp1252"
_CHARSETS: Final = {
    77: "mac_roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gbk", 136: "big5", 161: "cp1253", 162: "cp1254",
    163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
    255: "cp437",
}  # fmt: skip
"""By the number that a font has for them; fonts with others follow the document."""
_DOCUMENT: Final = {b"mac": "mac_roman", b"pc": "cp437", b"pca": "cp850"}


def of_font(charset: int) -> str:
    """Return the encoding of a font, or nothing if it follows the document."""
    return _CHARSETS.get(charset, "")


def of_document(word: bytes) -> str:
    """Return the encoding that a word in the header names."""
    return _DOCUMENT.get(word, DEFAULT)
