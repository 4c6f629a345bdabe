"""Which frames show the cells of a table.

Drawn lines do. Shading is a background: zebra stripes, a colored column or a card may end inside a cell. Its edges are
borders of cells only if shades tile the whole table, and no text crosses them.
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
"""The most fields of a frame; more are a drawing."""
_TILED: Final = 0.8
"""The least share of the borders of fields that shades must show; the others are inside merged cells."""
_NEAR: Final = 1.0
"""The largest distance of another row of the table from its shades, in ems."""
_MAX_OUTSIDE: Final = 1
"""The most figures left and right of a shaded table: more are other columns of it."""


def find_tiled(rules: Sequence[Rule], segments: Sequence[Segment]) -> Iterator[Frame]:
    """Yield the frames whose fields may be cells, shaded ones first."""
    lines = [rule for rule in rules if not rule.is_shade]
    if len(lines) < len(rules):
        for frame in find_frames(rules):
            if any(rule.is_shade for rule in [*frame.across, *frame.down]) and _is_tiled(frame, segments):
                yield frame
    for frame in find_frames(lines):
        xs, ys = frame.borders()
        if len(xs) > 2 and len(xs) * len(ys) <= MAX_FIELDS:
            yield frame


def _is_tiled(frame: Frame, segments: Sequence[Segment]) -> bool:
    xs, ys = frame.borders()
    if len(xs) < 3 or len(ys) < 3 or len(xs) * len(ys) > MAX_FIELDS:
        return False
    columns, rows = ([(low + high) / 2 for low, high in pairwise(borders)] for borders in (xs, ys))
    vertical = sum(frame.has_border_at(x, y) for x in xs[1:-1] for y in rows)
    horizontal = sum(frame.has_border_below(x, y) for x in columns for y in ys[1:-1])
    if vertical < _TILED * (len(xs) - 2) * len(rows) or horizontal < _TILED * len(columns) * (len(ys) - 2):
        return False
    return (
        not any(_crosses(segment, frame, xs) for segment in segments)
        and _holds_all_figures(segments, xs, ys)
        and not _has_rows_outside(segments, xs, ys)
    )


def _crosses(segment: Segment, frame: Frame, xs: Sequence[float]) -> bool:
    """Return whether a word of the segment crosses a border."""
    return any(
        word.x0 < x - TOUCH and x + TOUCH < word.x1 and frame.has_border_at(x, segment.mid_y)
        for x in xs[1:-1]
        if segment.x0 < x < segment.x1
        for word in segment.words
    )


def _holds_all_figures(segments: Sequence[Segment], xs: Sequence[float], ys: Sequence[float]) -> bool:
    """Return whether the figures at the height of a frame are inside."""
    outside = [
        segment
        for segment in segments
        if ys[0] < segment.base < ys[-1] and not xs[0] - TOUCH <= (segment.x0 + segment.x1) / 2 <= xs[-1] + TOUCH
    ]
    return sum(is_figure(segment.text) for segment in outside) <= _MAX_OUTSIDE


def _has_rows_outside(segments: Sequence[Segment], xs: Sequence[float], ys: Sequence[float]) -> bool:
    """Return whether a line right above or below a frame has text in several of its columns."""
    columns: dict[int, set[int]] = {}
    for segment in segments:
        distance = max(ys[0] - segment.base - segment.size, segment.base - ys[-1])
        if -TOUCH < distance < _NEAR * segment.size and xs[0] - TOUCH < segment.x0 < xs[-1]:
            columns.setdefault(round(segment.base), set()).add(bisect_right(xs, segment.x0 + TOUCH))
    return any(len(own) > 1 for own in columns.values())
