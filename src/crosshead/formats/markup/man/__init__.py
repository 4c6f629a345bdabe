"""Man pages -> Markdown, with a map to the lines of the file.

1. `page`: requests of roff line by line: conditions, definitions, tables; `macros` and `mdoc` know what lines mean.
2. `escapes`: fonts and special characters inside a text; `tables`: `tbl`.
3. `writing`: sections, paragraphs, items with their terms, code.

Nothing is run, and no other file is read: a page that is only a reference to another one (`.so`) has no text.
"""

from __future__ import annotations

import gzip
import re
import zlib
from typing import Final

from crosshead.errors import CorruptFile, ExtractError, TooLarge
from crosshead.formats.base import Extracted
from crosshead.formats.markup.man.page import ManPage
from crosshead.formats.shared.decoding.text import decode, without_controls
from crosshead.formats.shared.source_lines import write_blocks
from crosshead.options import ExtractOptions

MAX_LINES: Final = 200_000
MAX_UNPACKED: Final = 8 << 20
_CODING = re.compile(rb"\A[.']\\\".{0,200}?-\*-\s*coding:\s*([\w-]{1,40})", re.S)
_REFERENCE = re.compile(r"\A(?:[.']\\\".*\n|\s)*[.']so (\S+)\s*\Z")


def read_man(data: bytes, _options: ExtractOptions) -> Extracted:
    """Read a man page, also one that is compressed."""
    data = _unpacked(data)
    coding = _CODING.match(data)
    warnings: list[str] = []
    declared = coding[1].decode() if coding else ""
    text = without_controls(decode(data, warnings, declared=declared), MAX_LINES)
    if reference := _REFERENCE.match(text):
        raise ExtractError(f"this man page only refers to {reference[1]}: read that one")
    page = ManPage(text.split("\n"))
    return write_blocks(page.writer.blocks(), page.title)._replace(warnings=tuple(warnings))


def _unpacked(data: bytes) -> bytes:
    if not data.startswith(b"\x1f\x8b"):
        return data
    try:
        unpacked = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(data, MAX_UNPACKED + 1)
    except (zlib.error, gzip.BadGzipFile) as error:
        raise CorruptFile("the compressed file is damaged: save or download it again") from error
    if len(unpacked) > MAX_UNPACKED:
        raise TooLarge(f"more than {MAX_UNPACKED >> 20} MiB unpacked: split the file")
    return unpacked
