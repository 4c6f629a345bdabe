"""Pages whose contents are damaged: pdfium reads as much of them as it can, and does not say what it left out.

1. pdfium writes a plain copy of the file: without encryption and object streams, with a table of all objects.
2. The tree of pages is walked in the copy.
3. The streams of each page are inflated: its contents, and the forms that it can draw.
"""

from __future__ import annotations

import base64
import io
import re
import zlib
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from typing import Any, Final, NamedTuple

from crosshead.formats.pdf.page import native

_REFERENCE: Final = re.compile(rb"(\d{1,8}) \d{1,5} R\b")
_SECTION: Final = re.compile(rb"(\d{1,8}) (\d{1,8})\s+")
_LENGTH: Final = re.compile(rb"/Length (\d{1,10})\b(?! \d+ R)")
_FILTER: Final = re.compile(rb"/Filter\s?(?:\[([^\]]*)\]|(/\w+))")
_STREAM: Final = re.compile(rb"stream\r?\n")
_FILTERS: Final = {
    *(b"FlateDecode", b"Fl", b"LZWDecode", b"LZW", b"ASCII85Decode", b"A85", b"ASCIIHexDecode", b"AHx"),
    *(b"RunLengthDecode", b"RL", b"Crypt"),
}
_PAINTING: Final = re.compile(rb"(?:^|[\s\])>])(?:Tj|TJ|'|\"|Do|sh|BI|[fFSsBb]\*?)(?=[\s/\[(<]|$)")
_NO_TEXT: Final = re.compile(rb"[^\t-\r -~]")
_NOISE: Final = 0.1
"""The share of bytes that are not text in what is no page description."""
_SHOWN: Final = 4096
"""How much of the contents shows whether something is drawn."""
_PIECE: Final = 1 << 20
_MAX_DEPTH: Final = 30


class Contents(NamedTuple):
    """What the file says about the contents of a page."""

    is_broken: bool = False
    """Part of them cannot be decoded."""
    paints: bool = False
    """They draw something, or are noise."""


def check_contents(document: Any) -> list[Contents]:
    """Return the state of each page in the tree of pages; an empty list if the tree cannot be read."""
    raw, copy = native.raw(), io.BytesIO()
    try:
        document.save(copy, flags=raw.FPDF_NO_INCREMENTAL | raw.FPDF_REMOVE_SECURITY)
    except native.pdfium().PdfiumError:
        return []
    plain = _Copy(copy.getvalue())
    return [_check_page(plain, number) for number in plain.pages()]


class _Copy:
    """A file as pdfium writes it."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._forms: dict[int, bool] = {}

    @cached_property
    def _offsets(self) -> dict[int, int]:
        """The table at the end: sections of entries of 20 bytes, each with a line that says how many there are."""
        found: dict[int, int] = {}
        start = self._data.rfind(b"startxref")
        at = int(self._data[start + 9 : start + 30].split()[0]) + len(b"xref\r\n") if start > 0 else 0
        while section := _SECTION.match(self._data, at):
            first, count = int(section[1]), min(int(section[2]), len(self._data) // 20)
            for index in range(count):
                entry = self._data[section.end() + 20 * index : section.end() + 20 * index + 18]
                if entry.endswith(b"n"):
                    found[first + index] = int(entry[:10])
            at = section.end() + 20 * count
        return found

    def head(self, number: int) -> bytes:
        """Return the entries of an object; nothing if it is missing."""
        begin = self._offsets.get(number)
        if begin is None:
            return b""
        end = self._data.find(b"endobj", begin)
        opening = self._data.find(b">>stream", begin, end)
        return self._data[begin : opening if opening >= 0 else end]

    def stream(self, number: int) -> tuple[bytes, bytes] | None:
        """Return the entries of a stream, and its bytes; None if this is not a stream."""
        head = self.head(number)
        end = self._offsets.get(number, 0) + len(head)
        length, opening = _LENGTH.search(head), _STREAM.match(self._data, end + 2)
        if not head or not length or not opening:
            return None
        return head, self._data[opening.end() : opening.end() + int(length[1])]

    def pages(self) -> Iterator[int]:
        """Yield the numbers of all pages in order; 0 for one that is missing."""
        root = _references(self._data[self._data.rfind(b"trailer") :], b"Root")
        waiting = _references(self.head(root[0]), b"Pages") if root else []
        seen: set[int] = set()
        while waiting:
            number = waiting.pop()
            head = self.head(number)
            if b"/Kids" not in head:
                yield number if b"/Type" in head or b"/Contents" in head else 0
            elif number not in seen:
                seen.add(number)
                waiting += reversed(self._follow(head, b"Kids"))

    def contents(self, page: int) -> list[int]:
        """Return the numbers of the streams of a page."""
        return self._follow(self.head(page), b"Contents")

    def _follow(self, head: bytes, key: bytes) -> list[int]:
        """Return what an entry refers to: an array may be an object, too."""
        found = _references(head, key)
        if len(found) == 1 and re.match(rb"\d+ \d+ obj\s*\[", target := self.head(found[0])):
            return [int(each) for each in _REFERENCE.findall(target)]
        return found

    def has_broken_form(self, holder: int, depth: int = 0) -> bool:
        """Return whether a page or a form can draw a form that cannot be decoded."""
        head = self.head(holder)
        resources = b"".join([head, *[self.head(each) for each in _references(head, b"Resources")]])
        inline = re.search(rb"/XObject\s?<<(.*?)>>", resources, re.S)
        listed = inline[1] if inline else b"".join([self.head(each) for each in _references(resources, b"XObject")])
        return any(self._is_broken_form(int(each), depth) for each in _REFERENCE.findall(listed))

    def _is_broken_form(self, number: int, depth: int) -> bool:
        if number not in self._forms:
            self._forms[number] = False  # forms may refer to themselves
            found = self.stream(number)
            if found and b"/Form" in found[0]:
                is_broken = _decode(*found)[1]
                self._forms[number] = is_broken or (depth < _MAX_DEPTH and self.has_broken_form(number, depth + 1))
        return self._forms[number]


def _references(head: bytes, key: bytes) -> list[int]:
    """Return the objects that an entry refers to, alone or in an array."""
    found = re.search(rb"/" + key + rb"\s?(?:\[([^\]]*)\]|(\d{1,8} \d{1,5} R\b))", head)
    return [int(each) for each in _REFERENCE.findall(found[1] or found[2] or b"")] if found else []


def _check_page(copy: _Copy, page: int) -> Contents:
    if not page:
        return Contents(is_broken=True)
    is_broken, shown = copy.has_broken_form(page), b""
    for number in copy.contents(page):
        found = copy.stream(number)
        text, is_cut = _decode(*found) if found else (b"", True)
        is_broken = is_broken or is_cut
        shown = shown or text
    return Contents(is_broken, bool(_PAINTING.search(shown)) or len(_NO_TEXT.findall(shown)) > _NOISE * len(shown))


def _decode(head: bytes, data: bytes) -> tuple[bytes, bool]:
    """Return the beginning of a stream, and whether it cannot be decoded up to its end."""
    found = _FILTER.search(head)
    filters = re.findall(rb"/(\w+)", found[1] or found[2] or b"") if found else []
    if not {*filters} <= _FILTERS:
        return b"", True
    if filters and filters[0] in (b"ASCII85Decode", b"A85"):
        with suppress(ValueError):
            data, filters = base64.a85decode(b"<~" + data.strip().removesuffix(b"~>") + b"~>", adobe=True), filters[1:]
    if not filters:
        return data[:_SHOWN], False
    return _inflate(data) if filters == [b"FlateDecode"] or filters == [b"Fl"] else (b"", False)


def _inflate(data: bytes) -> tuple[bytes, bool]:
    """Inflate piece by piece: the first is returned. A wrong checksum at the end does not matter."""
    inflater, shown = zlib.decompressobj(), b""
    with suppress(zlib.error):
        piece = inflater.decompress(data, _PIECE)
        shown = piece[:_SHOWN]
        while piece and not inflater.eof:
            piece = inflater.decompress(inflater.unconsumed_tail, _PIECE)
    return shown, bool(data) and not inflater.eof
