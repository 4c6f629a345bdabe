"""RTF as a stream of tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_TOKEN: Final = re.compile(
    rb"([^\\{}\r\n\0]+)|\\([a-zA-Z]{1,40})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])", re.S
)
"""Bytes that do not match, such as newlines, are ignored."""
TEXT: Final = 1
WORD: Final = 2
NUMBERED_WORD: Final = 3
HEX: Final = 4
SYMBOL: Final = 5
BRACE: Final = 6
"""Kinds of tokens: the number of the group that matched."""
BINARY: Final = b"bin"


def tokenize(data: bytes) -> Iterator[re.Match[bytes]]:
    """Yield the tokens; other bytes are left out."""
    at = 0
    while at < len(data):
        end = len(data)
        for found in _TOKEN.finditer(data, at):
            if found[WORD] == BINARY:
                end = found.end() + max(0, int(found[NUMBERED_WORD] or 0))
                break
            yield found
        at = end
