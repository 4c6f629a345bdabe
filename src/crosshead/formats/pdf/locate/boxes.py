"""Characters -> one rectangle for each line of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from crosshead.formats.pdf.locate.alignment import Match
from crosshead.formats.pdf.locate.characters import Extent, SeenPage, SeenText
from crosshead.types import PageBox

_GAP: Final = 1.2
"""The widest gap inside a rectangle, in heights of the line."""


def boxes_of(matches: Iterable[Match], seen: SeenText, page: SeenPage) -> tuple[PageBox, ...]:
    """Return the rectangles of the matches on a page, line by line."""
    lines: list[Extent] = []
    last_end = -1
    for match in matches:
        if seen.page_at(match.start) is not page:
            continue
        skipped = match.start != last_end and any(map(str.isalnum, seen.text[last_end : match.start]))
        for extent in seen.extents(match.start, match.end):
            if extent.right - extent.left <= 0 or extent.bottom - extent.top <= 0:
                continue
            joined = _joined(lines[-1], extent) if lines and not skipped else None
            if joined:
                lines[-1] = joined
            else:
                lines.append(extent)
            skipped = False
        last_end = match.end
    return tuple([_box(extent, page) for extent in _without_overlaps(lines)])


def _joined(line: Extent, next: Extent) -> Extent | None:
    """Return a line with a character that follows on it; None if it is on another line, or far away."""
    height = min(line.bottom - line.top, next.bottom - next.top)
    if min(line.bottom, next.bottom) - max(line.top, next.top) < 0.3 * height:
        return None
    gap = max(line.left, next.left) - min(line.right, next.right)
    return _around(line, next) if gap < _GAP * (line.bottom - line.top) else None


def _around(first: Extent, second: Extent) -> Extent:
    return Extent(
        min(first.left, second.left),
        min(first.top, second.top),
        max(first.right, second.right),
        max(first.bottom, second.bottom),
    )


def _without_overlaps(lines: Sequence[Extent]) -> list[Extent]:
    """Return rectangles without those that are inside others."""
    return [each for each in lines if not any(_around(each, other) == other for other in lines if other is not each)]


def _box(extent: Extent, page: SeenPage) -> PageBox:
    left, top = max(0.0, extent.left), max(0.0, extent.top)
    right, bottom = min(page.width, extent.right), min(page.height, extent.bottom)
    return PageBox(round(left, 2), round(top, 2), round(max(0.0, right - left), 2), round(max(0.0, bottom - top), 2))
