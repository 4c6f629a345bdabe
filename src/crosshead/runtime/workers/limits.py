"""How long one item may take, and how much memory it may use."""

from __future__ import annotations

from typing import Final, NamedTuple

from crosshead.options import ExtractOptions

SECONDS_PER_MEGABYTE: Final = 60.0
"""On top of the limit that the options set: pictures of pages are large, and take long to recognize."""


class Limits(NamedTuple):
    """Limits for one item."""

    seconds: float | None = None
    memory_bytes: int = 0
    """0 is no limit."""

    @classmethod
    def of(cls, options: ExtractOptions, size: int) -> Limits:
        """Return the limits for reading a document of this many bytes."""
        seconds = options.max_seconds + size / 1e6 * SECONDS_PER_MEGABYTE if options.max_seconds else None
        return cls(seconds, options.max_memory)


UNLIMITED: Final = Limits()
