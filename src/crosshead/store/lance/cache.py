"""Values that were read from a table and never change, up to a number of bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class RowCache(Generic[Key, Value]):
    """Values by key; emptied when they take too many bytes. Threads may share it."""

    def __init__(self, most_bytes: int, size_of: Callable[[Value], int]) -> None:
        self._most_bytes = most_bytes
        self._size_of = size_of
        self._values: dict[Key, Value] = {}
        self._bytes = 0

    def read(self, keys: Iterable[Key], read: Callable[[list[Key]], Mapping[Key, Value]]) -> dict[Key, Value]:
        """Return values by key; `read` returns those of the keys that are not known."""
        known = self._values
        found: dict[Key, Value] = {}
        missing = []
        for key in dict.fromkeys(keys):
            if (value := known.get(key)) is None:
                missing.append(key)
            else:
                found[key] = value
        if missing:
            new = read(missing)
            found.update(new)
            self._add(new)
        return found

    def _add(self, new: Mapping[Key, Value]) -> None:
        size = sum(map(self._size_of, new.values()))
        if self._bytes + size > self._most_bytes:
            self._values, self._bytes = {}, 0
        if size <= self._most_bytes:
            self._values.update(new)
            self._bytes += size
