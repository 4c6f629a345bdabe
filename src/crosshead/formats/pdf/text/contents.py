"""Entries of contents without leader dots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from crosshead.formats.pdf.page.shapes import Segment

_MIN_ENTRIES: Final = 5
"""The least entries of contents."""
_RISING: Final = 0.6
"""The least share of different page numbers."""
_EDGE: Final = 1.5
"""How far the right edges of the numbers may be apart, in points."""
_MAX_DIGITS: Final = 3
"""The most digits of a page number; more are amounts."""


class _Entry(NamedTuple):
    page: int
    edge: float


def find_entries(lines: Sequence[Sequence[Segment]]) -> set[int]:
    """Return the numbers of lines that are entries: many in a row, with titles, and rising numbers at the same edge."""
    found: set[int] = set()
    run: list[tuple[int, _Entry]] = []
    for number, parts in enumerate([*lines, ()]):
        entry = _entry(parts)
        if run and not (entry and _follows(run[-1][1], entry)):
            pages = {each.page for _, each in run}
            if len(run) >= _MIN_ENTRIES and len(pages) > _RISING * len(run):
                found.update(index for index, _ in run)
            run = []
        if entry:
            run.append((number, entry))
    return found


def _entry(parts: Sequence[Segment]) -> _Entry | None:
    if len(parts) < 2 or not any(character.isalpha() for character in parts[-2].text):
        return None
    number = parts[-1].text
    if not number.isdecimal() or len(number) > _MAX_DIGITS or any(part.text.isdecimal() for part in parts[1:-1]):
        return None
    return _Entry(int(number), parts[-1].x1)


def _follows(above: _Entry, entry: _Entry) -> bool:
    return above.page <= entry.page and abs(above.edge - entry.edge) < _EDGE
