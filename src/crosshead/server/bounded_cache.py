"""A cache that holds a limited number of bytes."""

from __future__ import annotations

from collections import OrderedDict


class BoundedCache:
    """Keeps the answers that were used last. Only the event loop uses it."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._kept: OrderedDict[str, bytes] = OrderedDict()

    def get(self, key: str) -> bytes | None:
        """Return what is kept by a key, if anything."""
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def put(self, key: str, value: bytes) -> None:
        """Keep an answer; those that were not used for the longest time make room for it."""
        self._bytes += len(value) - len(self._kept.pop(key, b""))
        self._kept[key] = value
        while self._bytes > self._most_bytes:
            _, dropped = self._kept.popitem(last=False)
            self._bytes -= len(dropped)
