"""Code pages, as Windows and older programs number encodings."""

from __future__ import annotations

import codecs
from typing import Final

_NAMES: Final = {
    65001: "utf-8",
    10000: "mac_roman",
    20866: "koi8_r",
    28591: "latin-1",
    51932: "euc_jp",
    54936: "gb18030",
}


def code_page(number: int) -> str:
    """Return the encoding of a code page; an empty string if it is unknown."""
    try:
        return codecs.lookup(_NAMES.get(number, f"cp{number}")).name
    except LookupError:
        return ""
