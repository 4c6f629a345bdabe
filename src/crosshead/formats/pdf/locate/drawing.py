"""A page -> its picture, with marks on it."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from math import sqrt
from typing import Any, Final

from crosshead.formats.pdf.locate.finding import Wanted, locate_in, on_one_page, opened, opened_page
from crosshead.types import PageBox, PictureSize

MOST_PIXELS: Final = 8_000_000
"""Of a picture: more would not be readable any better."""
_MARK: Final = (255, 229, 84)
"""The color of marks; black on it stays black."""
_TABLES: Final = tuple([bytes([value * part // 255 for value in range(256)]) for part in _MARK])
_MARGIN: Final = 0.6
"""How much larger a mark is than the characters, in points."""


def draw_page(data: bytes, wanted: Wanted, size: PictureSize) -> bytes:
    """Return a page as PNG, with marks where it shows a text."""
    with opened(data) as document:
        wanted = on_one_page(document, wanted)
        location = locate_in(document, wanted).pages if wanted.has_text else ()
        boxes = [box for each in location if each.page == wanted.page for box in each.boxes]
        with opened_page(document, wanted.page) as page:
            return _draw(page, boxes, size)


def _draw(page: Any, boxes: Sequence[PageBox], size: PictureSize) -> bytes:
    width, height = page.get_size()
    scale = min(
        size.width / max(1.0, width) if size.width else size.scale, sqrt(MOST_PIXELS / max(1.0, width * height))
    )
    bitmap = page.render(scale=scale, rev_byteorder=True, prefer_bgrx=False)
    try:
        pixels = bytearray(bitmap.buffer)
        for box in boxes:
            _mark(pixels, bitmap.width, bitmap.height, bitmap.stride, box, scale)
        return to_png(pixels, bitmap.width, bitmap.height, bitmap.stride)
    finally:
        bitmap.close()


def _mark(pixels: bytearray, width: int, height: int, stride: int, box: PageBox, scale: float) -> None:
    """Color a rectangle as a text marker does."""
    left = max(0, round((box.left - _MARGIN) * scale))
    right = min(width, round((box.left + box.width + _MARGIN) * scale))
    top = max(0, round((box.top - _MARGIN) * scale))
    bottom = min(height, round((box.top + box.height + _MARGIN) * scale))
    for y in range(top, bottom):
        for channel, table in enumerate(_TABLES):
            part = slice(y * stride + left * 3 + channel, y * stride + right * 3, 3)
            pixels[part] = pixels[part].translate(table)


def to_png(pixels: bytearray, width: int, height: int, stride: int) -> bytes:
    """Return pixels of three colors as PNG; every row takes `stride` bytes."""
    rows = b"".join([b"\0" + pixels[at * stride : at * stride + width * 3] for at in range(height)])
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = (b"IHDR", head), (b"IDAT", zlib.compress(rows, 3)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join([_part(kind, data) for kind, data in parts])


def _part(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
