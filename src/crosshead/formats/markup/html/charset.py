"""The encoding of a page: what its bytes show, then what it declares, then detection."""

from __future__ import annotations

import codecs
import re
from typing import Final

from crosshead.errors import CorruptFile
from crosshead.formats.shared.decoding.text import decode

_DECLARED = re.compile(rb"""<meta\s[^>]{0,500}?charset\s*=\s*["']?\s*([A-Za-z0-9_:.-]{2,40})""", re.I)
_XML_DECLARED = re.compile(rb"""\A\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9_:.-]{2,40})["']""")
_SAMPLE: Final = 8192
_AS_BROWSERS_READ: Final = {
    "iso-8859-1": "cp1252",
    "latin1": "cp1252",
    "latin-1": "cp1252",
    "us-ascii": "cp1252",
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso-8859-9": "cp1254",
    "iso-8859-11": "cp874",
    "tis-620": "cp874",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "sjis": "cp932",
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "x-gbk": "gb18030",
    "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949",
    "big5": "big5hkscs",
    "utf-16": "utf-8",
    "utf-16le": "utf-8",
    "utf-16be": "utf-8",
    "x-user-defined": "cp1252",
    "unicode": "utf-8",
}
"""Labels that mean a different encoding; a declaration of UTF-16 in ASCII text is wrong."""


def decode_html(data: bytes, warnings: list[str]) -> str:
    """Return the text of a page, and add to `warnings` what is not exact about it."""
    if b"\0" in data[:_SAMPLE] and not data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = decode(data, warnings)
        if "\0" in text[:_SAMPLE]:
            raise CorruptFile("binary data, not an HTML page: name the format of the file")
        return text
    return decode(data, warnings, declared=declared_encoding(data))


def declared_encoding(data: bytes) -> str:
    """Return the encoding that a page declares, if it is one that is known."""
    start = data[:_SAMPLE]
    found = _DECLARED.search(start) or _XML_DECLARED.search(start)
    if found is None:
        return ""
    label = found[1].decode().lower()
    try:
        return codecs.lookup(_AS_BROWSERS_READ.get(label, label)).name
    except LookupError:
        return ""
