"""What a search of several indexes returns: hits, and which indexes are missing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from crosshead.types.search import Hit


@dataclass(frozen=True, slots=True)
class MissingIndex:
    """One of several indexes that could not be searched."""

    index: str
    """Its location."""
    reason: str


class FoundHits(list[Hit]):
    """Hits, best first, and which of several indexes could not be searched."""

    def __init__(self, hits: Iterable[Hit] = (), missing: Sequence[MissingIndex] = ()) -> None:
        super().__init__(hits)
        self.missing = tuple(missing)

    @property
    def complete(self) -> bool:
        """Were all indexes searched?"""
        return not self.missing
