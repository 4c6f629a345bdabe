"""Compound files for tests, as Outlook and Office of before 2007 write them."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any

SECTOR = 512
SMALL = 64
LIMIT = 4096
END, FREE, TABLE = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD

Content = Mapping[str, "bytes | Content"]


class _Writer:
    def __init__(self) -> None:
        self.sectors: list[bytes] = []
        self.following: list[int] = []
        self.small = b""
        self.small_following: list[int] = []
        self.entries: list[list[Any]] = []

    def add_stream(self, data: bytes) -> int:
        """Return where a chain of sectors begins."""
        start = len(self.sectors)
        pieces = [data[at : at + SECTOR].ljust(SECTOR, b"\0") for at in range(0, len(data), SECTOR)]
        self.sectors += pieces
        self.following += [start + at + 1 for at in range(len(pieces))]
        if pieces:
            self.following[-1] = END
        return start if pieces else END

    def add_small(self, data: bytes) -> int:
        start = len(self.small_following)
        count = -(-len(data) // SMALL)
        self.small += data.ljust(count * SMALL, b"\0")
        self.small_following += [start + at + 1 for at in range(count)]
        if count:
            self.small_following[-1] = END
        return start if count else END

    def add_entries(self, content: Content) -> int:
        """Return the number of the first entry of a storage; the others follow as siblings."""
        first = previous = FREE
        for name, value in content.items():
            number = len(self.entries)
            is_stream = isinstance(value, bytes)
            entry = [name, 2 if is_stream else 1, FREE, FREE, 0, 0]
            self.entries.append(entry)
            if isinstance(value, bytes):
                entry[4] = self.add_stream(value) if len(value) >= LIMIT else self.add_small(value)
                entry[5] = len(value)
            else:
                entry[3] = self.add_entries(value)
            if previous != FREE:
                self.entries[previous][2] = number
            first = number if first == FREE else first
            previous = number
        return first


def make_compound(content: Content) -> bytes:
    """Return a compound file with these streams, and storages with theirs."""
    made = _Writer()
    root: list[Any] = ["Root Entry", 5, FREE, FREE, 0, 0]
    made.entries.append(root)
    root[3] = made.add_entries(content)
    root[4], root[5] = made.add_stream(made.small), len(made.small)
    small_table = made.add_stream(_numbers(made.small_following))
    directory = made.add_stream(b"".join(map(_entry, made.entries)))
    count = 1
    while count * SECTOR // 4 < len(made.sectors) + count:
        count += 1
    first = len(made.sectors)
    table = [*made.following, *[TABLE] * count]
    data = _numbers(table + [FREE] * (count * SECTOR // 4 - len(table)))
    numbers = [first + at for at in range(count)]
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
    header += struct.pack("<IIIIIIIII", 0, count, directory, 0, LIMIT, small_table, 1, END, 0)
    header += struct.pack("<109I", *numbers, *[FREE] * (109 - count))
    return header + b"".join(made.sectors) + data


def _numbers(values: list[int]) -> bytes:
    return struct.pack(f"<{len(values)}I", *values)


def _entry(entry: list[Any]) -> bytes:
    name, kind, right, child, start, size = entry
    encoded = (name + "\0").encode("utf-16-le")
    fields = struct.pack("<HBBIII", len(encoded), kind, 1, FREE, right, child)
    return encoded.ljust(64, b"\0") + fields + bytes(36) + struct.pack("<IQ", start, size)


WORD = make_compound({"WordDocument": bytes(5000)})
SLIDES = make_compound({"PowerPoint Document": bytes(5000)})
