"""Locations and patterns -> the locations of indexes, each once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from crosshead.errors import OptionsError
from crosshead.store import is_pattern, matching_locations


def expand_locations(locations: Iterable[str | Path]) -> list[str]:
    """Return locations with patterns replaced by the indexes that match; one that matches nothing is an error."""
    return [*dict.fromkeys(each for location in locations for each in _expanded(str(location)))]


def _expanded(location: str) -> Iterator[str]:
    if not is_pattern(location):
        yield location
        return
    found = matching_locations(location)
    if not found:
        raise OptionsError(f"{location}: no index matches this pattern")
    yield from found
