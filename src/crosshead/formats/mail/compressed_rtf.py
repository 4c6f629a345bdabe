"""RTF as Outlook keeps it: compressed against a window that begins with what most RTF begins with."""

from __future__ import annotations

import struct
from typing import Final

_HEADER: Final = struct.Struct("<IIII")
_COMPRESSED: Final = 0x75465A4C
_WINDOW: Final = 4096
_BEGINNING: Final = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans Serif"
    rb"SymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0"
    + b"\r\n"
    + rb"\par \pard\plain\f0\fs20\b\i\u\tab\tx"
)


def decompress_rtf(data: bytes) -> bytes:
    """Return the RTF; of what is cut off, as much as there is."""
    if len(data) < _HEADER.size:
        return b""
    _, size, mark, _ = _HEADER.unpack_from(data)
    content = data[_HEADER.size :]
    return (_unpack(content) if mark == _COMPRESSED else content)[:size]


def _unpack(data: bytes) -> bytes:
    """Eight steps follow each byte of flags: a literal byte, or an offset in the window and a length."""
    out = bytearray(_BEGINNING)
    at = 0
    while at < len(data):
        flags, at = data[at], at + 1
        for bit in range(8):
            if not flags >> bit & 1:
                out += data[at : at + 1]
                at += 1
                continue
            if at + 2 > len(data):
                return bytes(out[len(_BEGINNING) :])
            packed, at = int.from_bytes(data[at : at + 2], "big"), at + 2
            back = (len(out) - (packed >> 4)) % _WINDOW
            if not back:  # the place where the next byte goes ends the text
                return bytes(out[len(_BEGINNING) :])
            for _ in range((packed & 15) + 2):
                out.append(out[-back] if back <= len(out) else 32)
    return bytes(out[len(_BEGINNING) :])
