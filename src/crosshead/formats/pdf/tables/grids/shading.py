"""Which frames part the cells of a table.

Drawn lines do. Shading is a background: zebra rows, a colored column or a card end where no cell may end. Its edges
part cells only where shades tile the whole table, and all text respects them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from crosshead.formats.pdf.page.shapes import Rule, Segment
from crosshead.formats.pdf.tables.grids.frames import TOUCH, Frame, find_frames
from crosshead.formats.pdf.text.amounts import is_figure

MAX_FIELDS: Final = 4000
"""A frame with more is a drawing."""
_TILED: Final = 0.8
"""The share of the fields' borders that shades must show; the rest are merged cells."""
_NEAR: Final = 1.0
"""How near a further row is to the shades, in sizes."""
_MAX_BESIDE: Final = 1
"""The most figures beside a table of shades: more are its other columns."""


def find_tiled(rules: Sequence[Rule], segments: Sequence[Segment]) -> Iterator[Frame]:
    """Yield the frames whose fields may be cells, those with shades first."""
    lines = [rule for rule in rules if not rule.is_shade]
    if len(lines) < len(rules):
        for frame in find_frames(rules):
            if any(rule.is_shade for rule in [*frame.across, *frame.down]) and _is_tiled(frame, segments):
                yield frame
    for frame in find_frames(lines):
        xs, ys = frame.places()
        if len(xs) > 2 and len(xs) * len(ys) <= MAX_FIELDS:
            yield frame


def _is_tiled(frame: Frame, segments: Sequence[Segment]) -> bool:
    xs, ys = frame.places()
    if len(xs) < 3 or len(ys) < 3 or len(xs) * len(ys) > MAX_FIELDS:
        return False
    columns, rows = ([(low + high) / 2 for low, high in pairwise(places)] for places in (xs, ys))
    parted = sum(frame.is_parted_at(x, y) for x in xs[1:-1] for y in rows)
    ruled = sum(frame.is_parted_below(x, y) for x in columns for y in ys[1:-1])
    if parted < _TILED * (len(xs) - 2) * len(rows) or ruled < _TILED * len(columns) * (len(ys) - 2):
        return False
    return (
        not any(_crosses(segment, frame, xs) for segment in segments)
        and _holds_figures(segments, xs, ys)
        and not _goes_on(segments, xs, ys)
    )


def _crosses(segment: Segment, frame: Frame, xs: Sequence[float]) -> bool:
    """Does one of its words run over a border?"""
    height = segment.base + 0.3 * segment.size
    return any(
        word.x0 < x - TOUCH and x + TOUCH < word.x1 and frame.is_parted_at(x, height)
        for x in xs[1:-1]
        if segment.x0 < x < segment.x1
        for word in segment.words
    )


def _holds_figures(segments: Sequence[Segment], xs: Sequence[float], ys: Sequence[float]) -> bool:
    """Do all the figures at its height stand inside?"""
    beside = [
        segment
        for segment in segments
        if ys[0] < segment.base < ys[-1] and not xs[0] - TOUCH <= (segment.x0 + segment.x1) / 2 <= xs[-1] + TOUCH
    ]
    return sum(is_figure(segment.text) for segment in beside) <= _MAX_BESIDE


def _goes_on(segments: Sequence[Segment], xs: Sequence[float], ys: Sequence[float]) -> bool:
    """Does a line right above or below have text in several of its columns?"""
    columns: dict[int, set[int]] = {}
    for segment in segments:
        distance = max(ys[0] - segment.base - segment.size, segment.base - ys[-1])
        if -TOUCH < distance < _NEAR * segment.size and xs[0] - TOUCH < segment.x0 < xs[-1]:
            columns.setdefault(round(segment.base), set()).add(bisect_right(xs, segment.x0 + TOUCH))
    return any(len(own) > 1 for own in columns.values())
