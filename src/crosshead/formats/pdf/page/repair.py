"""Repair PDFs whose cross-reference table, trailer or end is damaged.

pdfium finds the objects of such a file, but it needs a trailer that names the root of the document.

1. Find the objects in the file, and in its object streams as far as they can be inflated. The latter are written again
   as plain objects, because the table with their positions is lost.
2. Take the last catalog. A file that is cut off may have none: write one, with the pages that are left.
3. Append a trailer that names the catalog.
"""

from __future__ import annotations

import re
import zlib
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final, NamedTuple

_OBJECT: Final = re.compile(rb"(?<!\d)(\d{1,8})\s{1,9}\d{1,5}\s{1,9}obj\b")
_TYPE: Final = re.compile(rb"/Type\s{0,9}/(Catalog|Pages|Page|ObjStm)\b")
_STREAM: Final = re.compile(rb"stream\r?\n")
_PARENT: Final = re.compile(rb"/Parent\b")
_NUMBER: Final = re.compile(rb"\d{1,9}")
_MAX_HEAD: Final = 4096
"""How far into an object its entries are searched."""
_MAX_INFLATED: Final = 8_000_000
_MAX_PAGES: Final = 20_000
_MAX_NUMBER: Final = 8_000_000
_MARGIN: Final = 1000
"""New objects get numbers that are larger by this."""
_CLOSING: Final = b"\nendstream\nendobj\n"
"""Appended because the last object may be cut off."""
_LETTER: Final = b"[0 0 612 792]"


class _Object(NamedTuple):
    """An object with its type."""

    number: int
    kind: bytes
    has_parent: bool
    packed: bytes = b""
    """Its entries, if it comes from an object stream."""


def repair(data: bytes) -> bytes | None:
    """Return the file with a trailer that names its catalog; None if it cannot be repaired."""
    if b"/Encrypt" in data:
        return None
    objects = list(_objects(data))
    root, added = _find_root(objects)
    if root is None:
        return None
    packed = [b"\n%d 0 obj\n%s\nendobj" % (object.number, object.packed) for object in objects if object.packed]
    return b"".join([data, _CLOSING, *packed, added, _trailer(root)])


def _find_root(objects: list[_Object]) -> tuple[int | None, bytes]:
    """Return the number of the catalog, and the objects to add if the file has none."""
    root = next((each.number for each in reversed(objects) if each.kind == b"Catalog"), None)
    if root is not None:
        return root, b""
    free = max([each.number for each in objects], default=0) + _MARGIN
    tree = next((each.number for each in reversed(objects) if each.kind == b"Pages" and not each.has_parent), None)
    if tree is not None:
        return free, _catalog(free, tree)
    pages = list(dict.fromkeys(each.number for each in objects if each.kind == b"Page"))[:_MAX_PAGES]
    return (free, _catalog(free, free + 1) + _tree(free + 1, pages)) if pages else (None, b"")


def _objects(data: bytes) -> Iterator[_Object]:
    """Yield catalogs, pages and nodes of pages in the order of the file, and all objects of object streams."""
    heads = [(head.start(), head.end(), int(head[1])) for head in _OBJECT.finditer(data)]
    starts = [start for start, _, _ in heads]
    room, last = _MAX_INFLATED, -1
    for type in _TYPE.finditer(data):
        index = bisect_right(starts, type.start()) - 1
        if index == last or type.start() - starts[index] > _MAX_HEAD:
            continue
        last = index
        _, begin, number = heads[index]
        end = starts[index + 1] if index + 1 < len(starts) else len(data)
        if type[1] != b"ObjStm":
            has_parent = bool(_PARENT.search(data, begin, min(end, begin + _MAX_HEAD)))
            yield _Object(min(number, _MAX_NUMBER), type[1], has_parent)
        elif room > 0:
            text = _inflate(data, begin, end, room)
            room -= len(text)
            yield from _packed(text)


def _inflate(data: bytes, begin: int, end: int, room: int) -> bytes:
    opening = _STREAM.search(data, begin, min(end, begin + _MAX_HEAD))
    if not opening:
        return b""
    try:
        return zlib.decompressobj().decompress(data[opening.end() : end], room)
    except zlib.error:
        return b""


def _packed(text: bytes) -> Iterator[_Object]:
    """Yield the objects of an object stream, which begins with the number and the offset of each."""
    opening = next((offset for offset, byte in enumerate(text) if byte in b"<[(/"), 0)
    pairs = [int(each) for each in _NUMBER.findall(text, 0, opening)]
    numbers, offsets = pairs[::2], pairs[1::2]
    for number, offset, end in zip(numbers, offsets, [*offsets[1:], len(text)], strict=False):
        entries = text[opening + offset : opening + end]
        if entries and 0 < number <= _MAX_NUMBER:
            type = _TYPE.search(entries, 0, _MAX_HEAD)
            yield _Object(number, type[1] if type else b"", bool(_PARENT.search(entries)), entries)


def _catalog(number: int, tree: int) -> bytes:
    return b"\n%d 0 obj\n<</Type/Catalog/Pages %d 0 R>>\nendobj\n" % (number, tree)


def _tree(number: int, pages: list[int]) -> bytes:
    kids = b" ".join([b"%d 0 R" % page for page in pages])
    return b"\n%d 0 obj\n<</Type/Pages/Count %d/MediaBox%s/Kids[%s]>>\nendobj\n" % (number, len(pages), _LETTER, kids)


def _trailer(root: int) -> bytes:
    return b"\ntrailer\n<</Root %d 0 R/Size %d>>\nstartxref\n0\n%%%%EOF\n" % (root, _MAX_NUMBER)
