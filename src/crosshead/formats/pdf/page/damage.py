"""Find pages with damaged contents: pdfium reads as much of them as it can, and does not report what is missing.

1. Let pdfium write a plain copy of the file: without encryption and object streams, with a table of all objects.
2. Walk the tree of pages in the copy.
3. Inflate the streams of each page: its contents, and the forms that it can draw.
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
"""Contents with a larger share of bytes that are not text are noise."""
_SAMPLE: Final = 4096
"""How many bytes of the contents are searched for drawing operators."""
_PIECE: Final = 1 << 20
_MAX_DEPTH: Final = 30


class Contents(NamedTuple):
    """The state of the contents of a page."""

    is_broken: bool = False
    """A part cannot be decoded."""
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
        """The table at the end: sections of entries of 20 bytes, each below a line with their number."""
        offsets: dict[int, int] = {}
        start = self._data.rfind(b"startxref")
        at = int(self._data[start + 9 : start + 30].split()[0]) + len(b"xref\r\n") if start > 0 else 0
        while section := _SECTION.match(self._data, at):
            first, count = int(section[1]), min(int(section[2]), len(self._data) // 20)
            for index in range(count):
                entry = self._data[section.end() + 20 * index : section.end() + 20 * index + 18]
                if entry.endswith(b"n"):
                    offsets[first + index] = int(entry[:10])
            at = section.end() + 20 * count
        return offsets

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
        pending = _references(self.head(root[0]), b"Pages") if root else []
        seen: set[int] = set()
        while pending:
            number = pending.pop()
            head = self.head(number)
            if b"/Kids" not in head:
                yield number if b"/Type" in head or b"/Contents" in head else 0
            elif number not in seen:
                seen.add(number)
                pending += reversed(self._follow(head, b"Kids"))

    def contents(self, page: int) -> list[int]:
        """Return the numbers of the streams of a page."""
        return self._follow(self.head(page), b"Contents")

    def _follow(self, head: bytes, key: bytes) -> list[int]:
        """Return the objects that an entry refers to; it may refer to an object that is an array."""
        numbers = _references(head, key)
        if len(numbers) == 1 and re.match(rb"\d+ \d+ obj\s*\[", target := self.head(numbers[0])):
            return [int(number) for number in _REFERENCE.findall(target)]
        return numbers

    def has_broken_form(self, holder: int, depth: int = 0) -> bool:
        """Return whether a page or a form can draw a form that cannot be decoded."""
        head = self.head(holder)
        resources = b"".join([head, *[self.head(number) for number in _references(head, b"Resources")]])
        inline = re.search(rb"/XObject\s?<<(.*?)>>", resources, re.S)
        listed = inline[1] if inline else b"".join([self.head(number) for number in _references(resources, b"XObject")])
        return any(self._is_broken_form(int(number), depth) for number in _REFERENCE.findall(listed))

    def _is_broken_form(self, number: int, depth: int) -> bool:
        if number not in self._forms:
            self._forms[number] = False  # forms may refer to themselves
            stream = self.stream(number)
            if stream and b"/Form" in stream[0]:
                is_broken = _decode(*stream)[1]
                self._forms[number] = is_broken or (depth < _MAX_DEPTH and self.has_broken_form(number, depth + 1))
        return self._forms[number]


def _references(head: bytes, key: bytes) -> list[int]:
    """Return the objects that an entry refers to, alone or in an array."""
    entry = re.search(rb"/" + key + rb"\s?(?:\[([^\]]*)\]|(\d{1,8} \d{1,5} R\b))", head)
    return [int(number) for number in _REFERENCE.findall(entry[1] or entry[2] or b"")] if entry else []


def _check_page(copy: _Copy, page: int) -> Contents:
    if not page:
        return Contents(is_broken=True)
    is_broken, sample = copy.has_broken_form(page), b""
    for number in copy.contents(page):
        stream = copy.stream(number)
        text, is_cut = _decode(*stream) if stream else (b"", True)
        is_broken = is_broken or is_cut
        sample = sample or text
    return Contents(is_broken, bool(_PAINTING.search(sample)) or len(_NO_TEXT.findall(sample)) > _NOISE * len(sample))


def _decode(head: bytes, data: bytes) -> tuple[bytes, bool]:
    """Return the beginning of a stream, and whether it cannot be decoded up to its end."""
    entry = _FILTER.search(head)
    filters = re.findall(rb"/(\w+)", entry[1] or entry[2] or b"") if entry else []
    if not {*filters} <= _FILTERS:
        return b"", True
    if filters and filters[0] in (b"ASCII85Decode", b"A85"):
        with suppress(ValueError):
            data, filters = base64.a85decode(b"<~" + data.strip().removesuffix(b"~>") + b"~>", adobe=True), filters[1:]
    if not filters:
        return data[:_SAMPLE], False
    return _inflate(data) if filters == [b"FlateDecode"] or filters == [b"Fl"] else (b"", False)


def _inflate(data: bytes) -> tuple[bytes, bool]:
    """Return the beginning of a deflated stream, and whether the rest is damaged; a wrong checksum does not count."""
    inflater, beginning = zlib.decompressobj(), b""
    with suppress(zlib.error):
        piece = inflater.decompress(data, _PIECE)
        beginning = piece[:_SAMPLE]
        while piece and not inflater.eof:
            piece = inflater.decompress(inflater.unconsumed_tail, _PIECE)
    return beginning, bool(data) and not inflater.eof
