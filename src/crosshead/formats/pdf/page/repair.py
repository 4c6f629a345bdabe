"""PDFs whose cross-reference table, trailer or end is damaged.

pdfium looks for the objects of such a file by itself, but it must be told where the document begins.

1. Find the objects: in the file, and in its object streams as far as they can be inflated. The latter are written
   once more as plain objects, because nothing says any more where they are.
2. Take the last catalog. Where there is none, as in a file that is cut off, write one, with the pages that are left.
3. Append a trailer that names it.
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
"""Where the entries of an object are looked for."""
_MAX_INFLATED: Final = 8_000_000
_MAX_PAGES: Final = 20_000
_MAX_NUMBER: Final = 8_000_000
_FREE: Final = 1000
"""How far the numbers of new objects are from those that are known."""
_CLOSING: Final = b"\nendstream\nendobj\n"
"""The last object may be cut off."""
_LETTER: Final = b"[0 0 612 792]"


class _Object(NamedTuple):
    """An object, and what it is."""

    number: int
    kind: bytes
    has_parent: bool
    packed: bytes = b""
    """Its entries, where it stood in an object stream."""


def repair(data: bytes) -> bytes | None:
    """Return the file with a trailer that names its catalog; None where nothing can be done."""
    if b"/Encrypt" in data:
        return None
    objects = list(_objects(data))
    root, added = _find_root(objects)
    if root is None:
        return None
    packed = [b"\n%d 0 obj\n%s\nendobj" % (each.number, each.packed) for each in objects if each.packed]
    return b"".join([data, _CLOSING, *packed, added, _trailer(root)])


def _find_root(objects: list[_Object]) -> tuple[int | None, bytes]:
    """Return the number of the catalog, and what must be added to have one."""
    root = next((each.number for each in reversed(objects) if each.kind == b"Catalog"), None)
    if root is not None:
        return root, b""
    free = max([each.number for each in objects], default=0) + _FREE
    tree = next((each.number for each in reversed(objects) if each.kind == b"Pages" and not each.has_parent), None)
    if tree is not None:
        return free, _catalog(free, tree)
    pages = list(dict.fromkeys(each.number for each in objects if each.kind == b"Page"))[:_MAX_PAGES]
    return (free, _catalog(free, free + 1) + _tree(free + 1, pages)) if pages else (None, b"")


def _objects(data: bytes) -> Iterator[_Object]:
    """Return catalogs, pages and nodes of pages in the order of the file, and all that is in object streams."""
    heads = [(found.start(), found.end(), int(found[1])) for found in _OBJECT.finditer(data)]
    starts = [start for start, _, _ in heads]
    room, last = _MAX_INFLATED, -1
    for found in _TYPE.finditer(data):
        place = bisect_right(starts, found.start()) - 1
        if place == last or found.start() - starts[place] > _MAX_HEAD:
            continue
        last = place
        _, begin, number = heads[place]
        end = starts[place + 1] if place + 1 < len(starts) else len(data)
        if found[1] != b"ObjStm":
            has_parent = bool(_PARENT.search(data, begin, min(end, begin + _MAX_HEAD)))
            yield _Object(min(number, _MAX_NUMBER), found[1], has_parent)
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
    """An object stream begins with pairs of numbers: those of its objects, and where they begin."""
    opening = next((place for place, byte in enumerate(text) if byte in b"<[(/"), 0)
    pairs = [int(each) for each in _NUMBER.findall(text, 0, opening)]
    numbers, offsets = pairs[::2], pairs[1::2]
    for number, offset, end in zip(numbers, offsets, [*offsets[1:], len(text)], strict=False):
        entries = text[opening + offset : opening + end]
        if entries and 0 < number <= _MAX_NUMBER:
            found = _TYPE.search(entries, 0, _MAX_HEAD)
            yield _Object(number, found[1] if found else b"", bool(_PARENT.search(entries)), entries)


def _catalog(number: int, tree: int) -> bytes:
    return b"\n%d 0 obj\n<</Type/Catalog/Pages %d 0 R>>\nendobj\n" % (number, tree)


def _tree(number: int, pages: list[int]) -> bytes:
    kids = b" ".join([b"%d 0 R" % page for page in pages])
    return b"\n%d 0 obj\n<</Type/Pages/Count %d/MediaBox%s/Kids[%s]>>\nendobj\n" % (number, len(pages), _LETTER, kids)


def _trailer(root: int) -> bytes:
    return b"\ntrailer\n<</Root %d 0 R/Size %d>>\nstartxref\n0\n%%%%EOF\n" % (root, _MAX_NUMBER)
