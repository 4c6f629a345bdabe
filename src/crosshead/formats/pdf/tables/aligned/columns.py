"""The columns of a table without borders.

1. Figures below each other make a column. This is certain, because figures never reach into the next column.
2. Elsewhere, a border is a gap that almost no word of the rows crosses. A label that is long enough to reach into a
   column of figures does not count there.
3. A gap as narrow as a space is a border only if, in most lines, words begin right after it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from statistics import median
from typing import Final, NamedTuple

from crosshead.formats.pdf.layout.lines import TableLine
from crosshead.formats.pdf.page.shapes import Segment, Word

_NARROW: Final = 0.15
"""The least width of a gap, in ems."""
_CLEAR: Final = 0.7
"""The least width of a gap that cannot be a space between words, in ems."""
_FIGURE_GAP: Final = 0.1
"""The least gap between two columns of figures, in ems."""
_INDENT: Final = 0.5
"""Figures that begin at most this far from the left edge of the table name its rows, in ems."""
_EDGE: Final = 1.5
"""How far the edges of aligned words may be apart, in points."""
_INSET: Final = 0.5
"""How far a border is from the words that are aligned to it, in points."""
_TOUCH: Final = 0.1
"""Edges as close as this are the same, in points."""
_MIN_ROWS_FOR_STRAYS: Final = 5
_STRAYS: Final = 10
"""In larger tables, one of this many rows with several groups may cross a border."""
_MAX_STRAY_FIGURES: Final = 6
_STRAY_FIGURES: Final = 5
"""One of this many lines, at most six of them, may have a figure between two columns of figures."""
_MIN_STARTS: Final = 3
"""The least lines in which words begin at a narrow border."""
_MOSTLY_CLEAR: Final = 0.5
"""The share of lines with a clear gap where others may have a space."""
_STARTS_AT_CLEAR: Final = 0.6
"""The least share of lines in which words begin at a border that is clear in most lines."""
_STARTS_AT_SPACE: Final = 0.8
"""The same for a border as narrow as a space in most lines; as many must be drawn apart there."""
_VARIETY: Final = 0.25
"""The least share of different texts on both sides of such a border: in prose, a phrase may repeat by chance."""

Span = tuple[float, float]


class Columns(NamedTuple):
    """The columns of a table."""

    borders: list[float]
    """Between two columns each."""
    figures: list[Span]
    """The left and right edge of each column of figures."""

    @property
    def number(self) -> int:
        """How many there are."""
        return len(self.borders) + 1

    def of(self, x: float) -> int:
        """Return the column at a position."""
        return bisect_right(self.borders, x)

    def has_figures(self, column: int) -> bool:
        """Return whether this is a column of figures."""
        return any(self.of((left + right) / 2) == column for left, right in self.figures)


def find_columns(lines: Sequence[TableLine], labels: Sequence[TableLine] = ()) -> Columns:
    """Return the columns of these rows; lines with a single group that is not below others are ignored.

    `labels` are lines above the rows. They only help to tell a narrow border from a space.
    """
    size = median([line.size for line in lines])
    figures = _figure_columns(lines, size)
    starts = {round(group.x0) for line in lines for group in line.groups[1:]}
    rows = [line for line in lines if len(line.groups) > 1 or not starts.isdisjoint(_near(line.x0))]
    several = sum(len(line.groups) > 1 for line in lines)
    allowed = 0 if several < _MIN_ROWS_FOR_STRAYS else max(1, several // _STRAYS)
    gaps = _gaps(_weighed_spans(rows, figures, size, allowed), allowed, _NARROW * size)
    borders = [
        _border(gap, rows, figures)
        for gap in gaps
        if gap[1] - gap[0] >= _CLEAR * size or _begins_column(gap, [*labels, *rows], size)
    ]  # fmt: skip
    borders = _without_strays(borders, rows, allowed)
    return Columns(_with_figures(borders, gaps, figures, min(line.x0 for line in rows), size), figures)


def _border(gap: Span, lines: Iterable[TableLine], figures: Iterable[Span]) -> float:
    """Return the side of a gap to which more words are aligned: words of the other side may reach into it.

    Next to figures, return its middle, because the labels above them are centered.
    """
    if any(abs(gap[0] - right) < _EDGE or abs(gap[1] - left) < _EDGE for left, right in figures):
        return (gap[0] + gap[1]) / 2
    words = [word for line in lines for segment in line.segments for word in segment.words]
    ends = sum(abs(word.x1 - gap[0]) < _EDGE for word in words)
    starts = sum(abs(word.x0 - gap[1]) < _EDGE for word in words)
    if starts == ends:
        return (gap[0] + gap[1]) / 2
    return gap[1] - _INSET if starts > ends else gap[0] + _INSET


def _near(x: float) -> range:
    return range(round(x) - 2, round(x) + 3)


def _figure_columns(lines: Sequence[TableLine], size: float) -> list[Span]:
    """Return the columns in which figures are below each other and outnumber text; the names of rows do not count."""
    figures = [[(unit.x0, unit.x1) for unit in line.figures] for line in lines]
    every = [span for own in figures for span in own]
    if len(every) < 2:
        return []
    clusters: list[Span] = []
    for allowed in range(1 + min(_MAX_STRAY_FIGURES, len(lines) // _STRAY_FIGURES)):
        clusters = _clusters(every, allowed, size)
        if not any(_clash(own, clusters) for own in figures):
            break
    left = min(line.x0 for line in lines)
    return [each for each in clusters if each[0] > left + _INDENT * size and _is_filled(each, lines, size)]


def _clusters(spans: Sequence[Span], allowed: int, size: float) -> list[Span]:
    gaps = _gaps([(x0, x1, 1) for x0, x1 in spans], allowed, _FIGURE_GAP * size)
    edges = [min(x0 for x0, _ in spans), *[x for gap in gaps for x in gap], max(x1 for _, x1 in spans)]
    return list(zip(edges[::2], edges[1::2], strict=True))


def _clash(spans: Iterable[Span], clusters: Sequence[Span]) -> bool:
    """Return whether two figures of a line are in one column."""
    starts = [left for left, _ in clusters]
    found = [bisect_right(starts, (x0 + x1) / 2) for x0, x1 in spans]
    return len(set(found)) < len(found)


def _is_filled(cluster: Span, lines: Sequence[TableLine], size: float) -> bool:
    """Return whether a column has more figures than text; row labels that reach into it do not count."""
    left, right = cluster
    inside = sum(left <= (unit.x0 + unit.x1) / 2 <= right for line in lines for unit in line.figures)
    others = 0
    for line in lines:
        for number, group in enumerate(line.groups):
            is_label = not number and group.x0 < left - size
            if group.x0 < right and group.x1 > left and not line.is_figure(group) and not is_label:
                others += 1
    return inside > others


def _weighed_spans(
    lines: Iterable[TableLine], figures: Sequence[Span], size: float, allowed: int
) -> Iterator[tuple[float, float, int]]:
    """Yield the span and weight of every word; a figure weighs more than `allowed`, so that no border crosses it."""
    for line in lines:
        for number, group in enumerate(line.groups):
            if line.is_figure(group):
                yield group.x0, group.x1, allowed + 1
                continue
            end = min([left for left, _ in figures if not number and group.x0 < left - size], default=group.x1 + 1)
            yield from ((word.x0, word.x1, 1) for word in group.words if word.x1 <= end)


def _with_figures(
    places: Iterable[float], gaps: Sequence[Span], figures: Sequence[Span], start: float, size: float
) -> list[float]:
    """Add the borders at the left of columns of figures that have none."""
    borders = sorted(places)
    for before, (left, _) in zip([None, *figures], figures, strict=False):
        lowest = before[1] if before else start + _INDENT * size
        if left > lowest and not any(lowest - _TOUCH <= border <= left + _TOUCH for border in borders):
            if before is None and left - start < _INDENT * size:
                continue
            gap = next((gap for gap in gaps if abs(gap[1] - left) < _TOUCH), (left - 1, left))
            borders = sorted([*borders, (max(gap[0], lowest) + left) / 2 if gap[1] - gap[0] > 1 else left - _INSET])
    return borders


def _without_strays(borders: Sequence[float], lines: Sequence[TableLine], allowed: int) -> list[float]:
    """Drop the borders of columns that are not columns.

    If a few words may cross a border, then as few words do not make a column. Nor do lines with a single group, even if
    they begin further left than the others.
    """
    columns = [{bisect_right(borders, unit.x0) for unit in line.units} for line in lines]
    filled = Counter(column for line in columns for column in line)
    shared = {column for line in columns if len(line) > 1 for column in line}
    return [
        border
        for column, border in enumerate(borders, 1)
        if filled[column] > allowed and (column > 1 or column - 1 in shared)
    ]


def _gaps(spans: Iterable[tuple[float, float, int]], allowed: int, least: float) -> list[Span]:
    """Return the gaps of at least this width that spans with a total weight of at most `allowed` cover."""
    events = sorted([event for x0, x1, weight in spans for event in ((x0, weight), (x1, -weight))])
    gaps: list[Span] = []
    count, opened = 0, None
    for x, step in events:
        if opened is not None and count <= allowed < count + step:
            if x - opened >= least:
                gaps.append((opened, x))
            opened = None
        if count > allowed >= count + step:
            opened = x
        count += step
    return gaps


def _begins_column(gap: Span, lines: Sequence[TableLine], size: float) -> bool:
    """Return whether words begin right after the gap in most lines, with more than a space before them.

    A gap as narrow as a space is a border only if the texts on both sides are drawn separately and vary.
    """
    both, wide, starts, apart = 0, 0, 0, 0
    lefts: set[str] = set()
    rights: set[str] = set()
    for line in lines:
        words = [word for segment in line.segments for word in segment.words]
        left = max([word for word in words if word.x1 < gap[1]], key=lambda word: word.x1, default=None)
        right = min([word for word in words if word.x0 > gap[0]], key=lambda word: word.x0, default=None)
        if left is not None and right is not None:
            both += 1
            wide += right.x0 - left.x1 >= _CLEAR * size
            starts += right.x0 < gap[1] + _EDGE
            lefts.add(_piece_text(left, words))
            rights.add(_piece_text(right, words))
            apart += not any(_runs_through(segment, gap) for segment in line.segments)
    if wide >= max(2, _MOSTLY_CLEAR * both):
        return starts >= max(_MIN_STARTS, _STARTS_AT_CLEAR * both)
    is_usual = starts >= max(_MIN_STARTS, _STARTS_AT_SPACE * both) and apart >= _STARTS_AT_SPACE * both
    return is_usual and min(len(lefts), len(rights)) > _VARIETY * both


def _piece_text(word: Word, words: Iterable[Word]) -> str:
    return " ".join([each.runs[0].text for each in words if each.piece == word.piece])


def _runs_through(segment: Segment, gap: Span) -> bool:
    """Return whether the text on both sides of the gap is drawn in one piece."""
    if segment.x0 > gap[0] or segment.x1 < gap[1]:
        return False
    left = max([word for word in segment.words if word.x1 < gap[1]], key=lambda word: word.x1, default=None)
    right = min([word for word in segment.words if word.x0 > gap[0]], key=lambda word: word.x0, default=None)
    return left is not None and right is not None and left.last_piece == right.piece
