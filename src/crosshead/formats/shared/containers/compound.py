"""Compound files: a small file system in one file, used by Outlook messages and Office files from before 2007.

1. the header tells where the table of sectors is, which gives for each sector the one that follows it
2. the directory is a chain of sectors, its entries are streams and storages, which are folders
3. a stream is a chain of sectors, a short one a chain of small sectors inside the stream of the root

Nothing is trusted: no chain is longer than the file, and no entry is visited twice.
"""

from __future__ import annotations

import struct
from typing import Final, NamedTuple

from crosshead.errors import CorruptFile

MARK: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
ROOT: Final = 0

_STREAM: Final = 2
_LAST_SECTOR: Final = 0xFFFFFFF9
"""Larger numbers mark the end of a chain or a free sector."""
_HEADER: Final = struct.Struct("<HH10xII4xIIIII109I")
_HEADER_AT: Final = 30
_ENTRY: Final = struct.Struct("<64sHBxIII36xIQ")


class CompoundEntry(NamedTuple):
    """A stream or a storage."""

    name: str
    is_stream: bool
    siblings: tuple[int, int]
    child: int
    start: int
    size: int


class CompoundFile:
    """An open compound file. `ROOT` is the number of its outermost storage."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        try:
            sector, small, _, directory, limit, small_table, _, more, _, *tables = _HEADER.unpack_from(data, _HEADER_AT)
        except struct.error as error:
            raise _damaged() from error
        if not (data.startswith(MARK) and 7 <= sector <= 16 and 2 <= small <= sector):
            raise _damaged()
        self._sector_size, self._small_size, self._small_limit = 1 << sector, 1 << small, limit
        self._next = self._read_table(tables, more)
        self._entries = self._read_directory(directory)
        self._next_small = _numbers(b"".join(self._chain(small_table)))
        self._small_stream: bytes | None = None

    def entries(self, storage: int = ROOT) -> dict[str, int]:
        """Return the entry numbers in a storage by name."""
        found: dict[str, int] = {}
        seen: set[int] = set()
        waiting = [self._entries[storage].child]
        while waiting:
            number = waiting.pop()
            if number < len(self._entries) and number not in seen:
                seen.add(number)
                found[self._entries[number].name] = number
                waiting.extend(self._entries[number].siblings)
        return found

    def is_stream(self, number: int) -> bool:
        """Return whether an entry holds bytes, not other entries."""
        return self._entries[number].is_stream

    def read(self, number: int) -> bytes:
        """Return the bytes of a stream."""
        entry = self._entries[number]
        if entry.size > len(self._data):
            raise _damaged()
        if entry.size >= self._small_limit:
            data = b"".join(self._chain(entry.start))
        else:
            data = b"".join(self._small_chain(entry.start))
        if len(data) < entry.size:
            raise _damaged()
        return data[: entry.size]

    def _read_table(self, tables: list[int], more: int) -> tuple[int, ...]:
        """Return which sector follows each; the header names the first sectors of this table, a chain the others."""
        sectors = len(self._data) // self._sector_size
        needed = 4 * sectors // self._sector_size + 1
        tables = [number for number in tables if number <= _LAST_SECTOR]
        while len(tables) < needed and more <= _LAST_SECTOR:
            *named, more = _numbers(self._sector(more)) or (0, more)
            tables += named
        return _numbers(b"".join([self._sector(number) for number in tables[:needed]]))

    def _read_directory(self, start: int) -> list[CompoundEntry]:
        data = b"".join(self._chain(start))
        found = [_entry(fields) for fields in _ENTRY.iter_unpack(data[: len(data) // _ENTRY.size * _ENTRY.size])]
        if not found:
            raise _damaged()
        return found

    def _chain(self, number: int) -> list[bytes]:
        return [self._sector(each) for each in _follow(number, self._next)]

    def _small_chain(self, number: int) -> list[bytes]:
        if self._small_stream is None:
            self._small_stream = b"".join(self._chain(self._entries[ROOT].start))
        size = self._small_size
        return [self._small_stream[each * size : (each + 1) * size] for each in _follow(number, self._next_small)]

    def _sector(self, number: int) -> bytes:
        start = (number + 1) * self._sector_size
        return self._data[start : start + self._sector_size]


def stream_names(data: bytes) -> frozenset[str]:
    """Return the names in the outermost storage of a compound file; none if it is another file, or damaged."""
    if not data.startswith(MARK):
        return frozenset()
    try:
        return frozenset(CompoundFile(data).entries())
    except CorruptFile:
        return frozenset()


def _follow(number: int, following: tuple[int, ...]) -> list[int]:
    found: list[int] = []
    while number < len(following):
        found.append(number)
        if len(found) > len(following):
            raise _damaged()
        number = following[number]
    return found


def _entry(fields: tuple[bytes, int, int, int, int, int, int, int]) -> CompoundEntry:
    name, length, kind, left, right, child, start, size = fields
    text = name[: max(0, min(length, 64) - 2)].decode("utf-16-le", "replace")
    return CompoundEntry(text, kind == _STREAM, (left, right), child, start, size & 0xFFFFFFFF)


def _numbers(data: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(data) // 4}I", data[: len(data) // 4 * 4])


def _damaged() -> CorruptFile:
    return CorruptFile("the file is damaged or incomplete: save or download it again")
